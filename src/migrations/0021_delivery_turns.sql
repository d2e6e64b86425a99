-- Every webhook gets its turn in each run (src/events/due-deliveries.ts), and one whose receiver gives no answer is left alone
-- for a while. A Worker of before goes on working. Times are milliseconds since 1970-01-01 UTC.
ALTER TABLE webhooks ADD COLUMN turn_at INTEGER;      -- when a run took deliveries of it last; null: none did
ALTER TABLE webhooks ADD COLUMN silent_since INTEGER; -- since when no attempt got an answer; null: the last one got one
ALTER TABLE webhooks ADD COLUMN rests_until INTEGER;  -- nothing is sent there until then

DROP INDEX webhook_deliveries_due;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_at) WHERE status = 'pending';
