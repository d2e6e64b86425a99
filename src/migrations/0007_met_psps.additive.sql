-- The PSPs that an institution has met: whose certificate it showed to a check, and a listed service had issued
-- (src/events/met-psps.ts). It holds what this institution saw, and lives as long as the institution.
CREATE TABLE met_psps (
  fi_id         INTEGER NOT NULL REFERENCES financial_institutions (id),
  psp_id        TEXT    NOT NULL,
  name          TEXT,             -- as its certificate says it; null: none has said it yet
  first_seen_at INTEGER NOT NULL,
  seen_at       INTEGER NOT NULL, -- to the hour
  standing      TEXT    NOT NULL CHECK (standing IN ('authorised', 'lost', 'absent', 'unknown')),
  lost_at       INTEGER,          -- since when it is known that it lost its authorisation
  certificate   TEXT,             -- SHA-256 of the one that ends last, of those that a check accepted
  not_after     INTEGER,          -- its end
  due_at        INTEGER,          -- when the institution is told the next time; null: nothing is to be told
  announced     INTEGER NOT NULL DEFAULT 0 CHECK (announced IN (0, 1)), -- psp.first_seen was told
  PRIMARY KEY (fi_id, psp_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX met_psps_seen ON met_psps (fi_id, seen_at);
CREATE INDEX met_psps_lost ON met_psps (fi_id, lost_at) WHERE lost_at IS NOT NULL;
CREATE INDEX met_psps_by_end ON met_psps (fi_id, not_after) WHERE not_after IS NOT NULL;
-- the scheduled run
CREATE INDEX met_psps_due ON met_psps (due_at) WHERE due_at IS NOT NULL;

-- By which they are found: the name and the number from each of their characters on, without case and accents. No FTS5
-- table: D1 exports no database that has one, and `backup` of a deployment would end.
CREATE TABLE met_psp_names (
  fi_id  INTEGER NOT NULL REFERENCES financial_institutions (id),
  part   TEXT    NOT NULL, -- 3 to 16 characters
  psp_id TEXT    NOT NULL,
  PRIMARY KEY (fi_id, part, psp_id)
) STRICT, WITHOUT ROWID;

-- whom institutions knew before is not met for the first time; of one that is only watched that is not known
INSERT INTO met_psps (fi_id, psp_id, first_seen_at, seen_at, standing, announced)
SELECT fi_id, psp_id, seen_at, seen_at, 'unknown', 1 FROM psp_standings AS known
WHERE NOT EXISTS (SELECT 1 FROM psp_watches AS watch WHERE watch.fi_id = known.fi_id AND watch.psp_id = known.psp_id);

-- the events of a PSP, and of a kind, in the console
CREATE INDEX events_by_subject ON events (fi_id, subject, seq);
CREATE INDEX events_by_type ON events (fi_id, type, seq);
