-- Until when an institution's evidence is in archives outside of the account: `evidence export` notes it, and `doctor` says
-- what is missing (src/cli/evidence/exports.ts). In the first database alone.
CREATE TABLE evidence_exports (
  fi_id       INTEGER PRIMARY KEY REFERENCES financial_institutions (id),
  exported_at INTEGER NOT NULL, -- the last export of whatever part
  until       INTEGER NOT NULL  -- each record before this time is in an archive
) STRICT;
