-- What institutions are told when it changes what a PSP may do (src/events/). Only adds. Times are milliseconds since
-- 1970-01-01 UTC. What belongs to an institution is in its own database; certificates and notices are in the first.

CREATE TABLE psp_watches (
  fi_id      INTEGER NOT NULL REFERENCES financial_institutions (id),
  psp_id     TEXT    NOT NULL, -- the PSP's authorisation number in normal form
  created_at INTEGER NOT NULL,
  PRIMARY KEY (fi_id, psp_id)
) STRICT, WITHOUT ROWID;

-- what an institution knows of a PSP: the next event says what differs from it
CREATE TABLE psp_standings (
  fi_id    INTEGER NOT NULL REFERENCES financial_institutions (id),
  psp_id   TEXT    NOT NULL,
  digest   TEXT    NOT NULL, -- SHA-256 of the standing
  standing TEXT    NOT NULL, -- JSON
  seen_at  INTEGER NOT NULL,
  PRIMARY KEY (fi_id, psp_id)
) STRICT, WITHOUT ROWID;

-- who issued the certificates that a PSP showed: one row for each listed service
CREATE TABLE psp_certificates (
  psp_id       TEXT    NOT NULL,
  anchor       TEXT    NOT NULL, -- SHA-256 of the service's certificate
  anchor_name  TEXT    NOT NULL, -- the key of its subject name, by which KV has it
  source       TEXT    NOT NULL,
  jurisdiction TEXT    NOT NULL,
  service_name TEXT    NOT NULL,
  certificate  TEXT    NOT NULL, -- SHA-256 of the PSP's certificate that was seen last
  not_after    INTEGER NOT NULL,
  PRIMARY KEY (psp_id, anchor)
) STRICT, WITHOUT ROWID;

-- what all institutions are told that have something to do with it, one after the other
CREATE TABLE notices (
  id         TEXT    NOT NULL PRIMARY KEY, -- the same for the same news
  type       TEXT    NOT NULL,
  subject    TEXT    NOT NULL, -- a PSP, or a source
  psp_id     TEXT,             -- null: about a source
  country    TEXT,             -- of a register; null: of interest to all
  data       TEXT    NOT NULL, -- JSON
  created_at INTEGER NOT NULL,
  told_to    INTEGER NOT NULL DEFAULT 0, -- the last institution that was told
  told_at    INTEGER           -- null: not all are told yet
) STRICT, WITHOUT ROWID;

CREATE INDEX notices_untold ON notices (created_at) WHERE told_at IS NULL;
CREATE INDEX notices_told ON notices (told_at) WHERE told_at IS NOT NULL;

-- seq is the order in which they can be read: an id made before another could be stored after it
CREATE TABLE events (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  id         TEXT    NOT NULL UNIQUE,
  fi_id      INTEGER NOT NULL REFERENCES financial_institutions (id),
  type       TEXT    NOT NULL,
  subject    TEXT    NOT NULL,
  data       TEXT    NOT NULL, -- JSON
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX events_by_fi ON events (fi_id, seq);
CREATE INDEX events_by_time ON events (created_at);

CREATE TABLE webhooks (
  id          TEXT    NOT NULL PRIMARY KEY,
  fi_id       INTEGER NOT NULL REFERENCES financial_institutions (id),
  url         TEXT    NOT NULL,
  secret      TEXT    NOT NULL, -- sealed with the token key that kid names
  kid         TEXT,             -- null: as the command wrote it, not sealed yet
  status      TEXT    NOT NULL CHECK (status IN ('active', 'disabled')),
  created_at  INTEGER NOT NULL,
  disabled_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX webhooks_by_fi ON webhooks (fi_id);
CREATE INDEX webhooks_by_key ON webhooks (kid);

CREATE TABLE webhook_deliveries (
  id         TEXT    NOT NULL PRIMARY KEY, -- the event's, and the webhook's
  fi_id      INTEGER NOT NULL REFERENCES financial_institutions (id),
  webhook_id TEXT    NOT NULL,
  event_id   TEXT    NOT NULL,
  event_seq  INTEGER NOT NULL,
  subject    TEXT    NOT NULL, -- of one subject they are delivered in order
  status     TEXT    NOT NULL CHECK (status IN ('pending', 'delivered', 'dead')),
  attempts   INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  first_at   INTEGER,          -- the first attempt since it was made or replayed
  next_at    INTEGER NOT NULL, -- when the scheduled run looks after it
  ended_at   INTEGER,          -- null while it is pending
  outcome    TEXT              -- of the last attempt
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_in_order ON webhook_deliveries (webhook_id, subject, event_seq) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_of_fi ON webhook_deliveries (fi_id, status, event_seq);
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;
