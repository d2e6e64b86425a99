-- State of each source's refresh, and the lease of the running one (src/refresh/).
-- Times are milliseconds since 1970-01-01 UTC.

CREATE TABLE refreshes (
  task       TEXT    NOT NULL PRIMARY KEY, -- "trust/eIDAS/CZ", "register/eba", "crl", "retention"
  due_at     INTEGER NOT NULL,
  failures   INTEGER NOT NULL DEFAULT 0,   -- consecutive
  checked_at INTEGER,                      -- when the loaded data was last found to be current
  failed_at  INTEGER,                      -- time of the last failure, null after a success
  error      TEXT,
  memo       TEXT    NOT NULL DEFAULT '{}' -- JSON: the task's state between its steps
) STRICT, WITHOUT ROWID;

-- one row: only its holder may refresh or import
CREATE TABLE refresh_lease (
  id         INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  holder     TEXT    NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
