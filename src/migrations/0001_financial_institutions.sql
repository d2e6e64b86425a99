-- Financial institutions (the tenants) and their credentials.
-- Times are milliseconds since 1970-01-01 UTC.

CREATE TABLE financial_institutions (
  id              INTEGER PRIMARY KEY,
  name            TEXT    NOT NULL,
  fi_reference_id TEXT    NOT NULL UNIQUE CHECK (length(fi_reference_id) BETWEEN 6 AND 128),
  status          TEXT    NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  created_at      INTEGER NOT NULL
) STRICT;

CREATE TABLE credentials (
  client_id   TEXT    NOT NULL PRIMARY KEY,
  secret_hash TEXT    NOT NULL, -- SHA-256, base64url, of 256 random bits
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- a credential may be linked to several institutions (an aggregator's)
CREATE TABLE credential_institutions (
  client_id TEXT    NOT NULL REFERENCES credentials (client_id) ON DELETE CASCADE,
  fi_id     INTEGER NOT NULL REFERENCES financial_institutions (id),
  PRIMARY KEY (client_id, fi_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX credential_institutions_by_fi ON credential_institutions (fi_id);
