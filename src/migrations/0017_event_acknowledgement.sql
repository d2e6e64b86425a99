-- People at the institution look through its events in the console. The API and webhooks do not depend on it.
ALTER TABLE events ADD COLUMN acknowledged_at INTEGER; -- null: nobody has yet
ALTER TABLE events ADD COLUMN acknowledged_by TEXT;    -- client id, or the operator

CREATE INDEX events_open ON events (fi_id, seq) WHERE acknowledged_at IS NULL;
