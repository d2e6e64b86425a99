-- The certificates that PSPs showed, each with its chain, so that a sweep judges it as a check does (src/events/issuers.ts).
-- psp_certificates stays for a Worker of before. What it has is taken over without a chain: of these certificates only the
-- status of one entry is followed, until they are shown again.
CREATE TABLE shown_certificates (
  psp_id       TEXT    NOT NULL,
  certificate  TEXT    NOT NULL, -- SHA-256
  chain        TEXT,             -- JSON: base64 DER of it and of the issuers on its path that were sent; null: not known
  anchor       TEXT    NOT NULL, -- SHA-256 of the certificate of the listed service that issued it
  anchor_name  TEXT    NOT NULL, -- the key of the service's subject name, by which KV has it
  source       TEXT    NOT NULL,
  jurisdiction TEXT    NOT NULL,
  service_name TEXT    NOT NULL,
  not_after    INTEGER NOT NULL,
  PRIMARY KEY (psp_id, certificate)
) STRICT, WITHOUT ROWID;

CREATE INDEX shown_certificates_by_end ON shown_certificates (not_after);

INSERT OR IGNORE INTO shown_certificates
  (psp_id, certificate, chain, anchor, anchor_name, source, jurisdiction, service_name, not_after)
SELECT psp_id, certificate, NULL, anchor, anchor_name, source, jurisdiction, service_name, not_after FROM psp_certificates;
