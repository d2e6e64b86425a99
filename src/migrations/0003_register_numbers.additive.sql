-- Numbers of certificates that are not those of the registers, and which entry each one leads to
-- (src/registers/number-links.ts). `register numbers import` replaces those of a country and source; each import of a
-- register reads its country's. In the first database alone, for ever.
CREATE TABLE register_numbers (
  country     TEXT NOT NULL,
  source      TEXT NOT NULL, -- who says so, as the file names it
  number      TEXT NOT NULL, -- the certificate's authorisation number in normal form
  target_kind TEXT NOT NULL CHECK (target_kind IN ('register_number', 'lei')),
  target      TEXT NOT NULL, -- the register's authorisation number in normal form, or a LEI
  kind        TEXT NOT NULL, -- what the certificate's number is: NUMBER_KINDS in src/registers/psp-record.ts
  as_of       TEXT NOT NULL, -- YYYY-MM-DD
  PRIMARY KEY (country, source, number, target)
) STRICT, WITHOUT ROWID;
