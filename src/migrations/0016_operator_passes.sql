-- Passes with which the operator's command line reads one institution's ledger over HTTP (src/operator-pass.ts). Only
-- adds: a Worker of before does not know the table. Times are milliseconds since 1970-01-01 UTC.

CREATE TABLE operator_passes (
  pass_hash  TEXT    NOT NULL PRIMARY KEY, -- SHA-256 of the pass, base64url: the pass itself is only in the command's memory
  fi_id      INTEGER NOT NULL REFERENCES financial_institutions (id),
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX operator_passes_by_fi ON operator_passes (fi_id);
CREATE INDEX operator_passes_by_end ON operator_passes (expires_at);
