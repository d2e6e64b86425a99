-- psp_id was the authorisation number in the certificate's spelling. Now it is the number's normal form
-- (src/eidas/authorisation-number.ts). A spelling that is not handled here is kept, and then matches no PSP.

CREATE TABLE psp_id_changes (
  spelled TEXT NOT NULL PRIMARY KEY,
  normal  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO psp_id_changes (spelled, normal)
WITH
  spellings AS (
    SELECT psp_id AS spelled FROM tokens
    UNION SELECT psp_id FROM account_access_consents
    UNION SELECT psp_id FROM payment_order_consents
  ),
  -- removes tab, line feed, carriage return, space and no-break space
  unspaced AS (
    SELECT spelled, replace(replace(replace(replace(replace(
      spelled, char(9), ''), char(10), ''), char(13), ''), ' ', ''), char(160), '') AS text
    FROM spellings
  ),
  -- replaces underscore, U+2010 to U+2015 and the minus sign by a hyphen; upper() changes ASCII only, as intended
  folded AS (
    SELECT spelled, upper(replace(replace(replace(replace(replace(replace(replace(replace(
      text, '_', '-'), char(8208), '-'), char(8209), '-'), char(8210), '-'), char(8211), '-'), char(8212), '-'),
      char(8213), '-'), char(8722), '-')) AS text
    FROM unspaced
  ),
  countries (code, country) AS (
    VALUES ('EL', 'GR'), ('UK', 'GB'), ('AUT', 'AT'), ('BEL', 'BE'), ('BGR', 'BG'), ('CYP', 'CY'), ('CZE', 'CZ'),
      ('DEU', 'DE'), ('DNK', 'DK'), ('ESP', 'ES'), ('EST', 'EE'), ('FIN', 'FI'), ('FRA', 'FR'), ('GBR', 'GB'),
      ('GRC', 'GR'), ('HRV', 'HR'), ('HUN', 'HU'), ('IRL', 'IE'), ('ISL', 'IS'), ('ITA', 'IT'), ('LIE', 'LI'),
      ('LTU', 'LT'), ('LUX', 'LU'), ('LVA', 'LV'), ('MLT', 'MT'), ('NLD', 'NL'), ('NOR', 'NO'), ('POL', 'PL'),
      ('PRT', 'PT'), ('ROU', 'RO'), ('SVK', 'SK'), ('SVN', 'SI'), ('SWE', 'SE')
  ),
  numbers AS (
    SELECT spelled, substr(text, 4, instr(text, '-') - 4) AS code, ltrim(substr(text, instr(text, '-')), '-') AS local
    FROM folded
    WHERE text GLOB 'PSD[A-Z][A-Z]-?*' OR text GLOB 'PSD[A-Z][A-Z][A-Z]-?*'
  ),
  located AS (
    SELECT spelled, local, coalesce((SELECT country FROM countries WHERE code = numbers.code), code) AS country
    FROM numbers
  ),
  -- the only NCA whose code contains a hyphen
  bordered AS (
    SELECT spelled, country,
      iif(country = 'FI' AND local GLOB 'FIN-FSA-*', 'FINFSA' || substr(local, 8), local) || '-' AS local
    FROM located
    WHERE length(country) = 2
  ),
  parts AS (
    SELECT spelled, country, substr(local, 1, instr(local, '-') - 1) AS nca,
      replace(substr(local, instr(local, '-')), '-', '') AS reference
    FROM bordered
  ),
  normalised AS (
    SELECT spelled, 'PSD' || country || '-' || nca || iif(reference = '', '', '-' || reference) AS normal FROM parts
  )
SELECT spelled, normal FROM normalised WHERE normal <> spelled;

UPDATE tokens SET psp_id = (SELECT normal FROM psp_id_changes WHERE spelled = psp_id)
WHERE psp_id IN (SELECT spelled FROM psp_id_changes);

UPDATE account_access_consents SET psp_id = (SELECT normal FROM psp_id_changes WHERE spelled = psp_id)
WHERE psp_id IN (SELECT spelled FROM psp_id_changes);

UPDATE payment_order_consents SET psp_id = (SELECT normal FROM psp_id_changes WHERE spelled = psp_id)
WHERE psp_id IN (SELECT spelled FROM psp_id_changes);

DROP TABLE psp_id_changes;
