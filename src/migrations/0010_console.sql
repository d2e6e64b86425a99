-- Sessions of the console (src/console/), and the results of its PSP checks, so that a link to one can be shared inside
-- an institution. Only adds: a Worker of before does not know these tables.
-- Times are milliseconds since 1970-01-01 UTC.

CREATE TABLE console_sessions (
  id_hash     TEXT    NOT NULL PRIMARY KEY, -- SHA-256 of the id, base64url: the id itself is in the cookie only
  fi_id       INTEGER REFERENCES financial_institutions (id), -- null: the operator of `npm start`
  client_id   TEXT,
  secret_hash TEXT,             -- of the secret used: a session ends with it
  created_at  INTEGER NOT NULL,
  used_at     INTEGER NOT NULL, -- to the minute
  ends_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX console_sessions_by_fi ON console_sessions (fi_id);
CREATE INDEX console_sessions_by_end ON console_sessions (ends_at);

CREATE TABLE console_checks (
  id_hash    TEXT    NOT NULL PRIMARY KEY, -- SHA-256 of the id in the link, base64url
  fi_id      INTEGER REFERENCES financial_institutions (id), -- null: of the operators
  sealed     TEXT    NOT NULL, -- the results, encrypted with a key that follows from the id, base64
  created_at INTEGER NOT NULL,
  ends_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX console_checks_by_fi ON console_checks (fi_id, created_at);
CREATE INDEX console_checks_by_end ON console_checks (ends_at);
