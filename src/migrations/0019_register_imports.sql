-- Which import changed each register last, exactly: KV, which holds the register, may show what was before for a minute and
-- more (src/registers/import/stored-register.ts). Only adds. Times are milliseconds since 1970-01-01 UTC.

CREATE TABLE register_imports (
  source    TEXT    NOT NULL,
  country   TEXT    NOT NULL,
  run       TEXT    NOT NULL, -- as in the KV entries "pending" and "index"
  published TEXT    NOT NULL, -- ISO 8601: of its file
  began_at  INTEGER NOT NULL,
  PRIMARY KEY (source, country)
) STRICT, WITHOUT ROWID;
