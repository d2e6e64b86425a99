-- How the refresh of each source stands, and who is at it (src/refresh/). Times are milliseconds since 1970-01-01 UTC.

CREATE TABLE refreshes (
  task       TEXT    NOT NULL PRIMARY KEY, -- "trust/eIDAS/CZ", "register/eba", "crl", "retention"
  due_at     INTEGER NOT NULL,
  failures   INTEGER NOT NULL DEFAULT 0,   -- in a row
  checked_at INTEGER,                      -- when the source was last seen to be as it is loaded
  failed_at  INTEGER,                      -- of the last failure, unless something succeeded since
  error      TEXT,
  memo       TEXT    NOT NULL DEFAULT '{}' -- what the task keeps from one step to the next, JSON
) STRICT, WITHOUT ROWID;

-- one row: whoever holds it refreshes or imports, nobody else does
CREATE TABLE refresh_lease (
  id         INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  holder     TEXT    NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
