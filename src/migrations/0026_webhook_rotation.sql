-- A webhook's secret can be rotated: until old_secret_until the one before signs each delivery, too (src/events/webhook-secrets.ts).
-- A Worker of before leaves these columns as they are, and signs with the new one alone.
ALTER TABLE webhooks ADD COLUMN old_secret TEXT;          -- as `secret`; null: none
ALTER TABLE webhooks ADD COLUMN old_kid TEXT;             -- as `kid`
ALTER TABLE webhooks ADD COLUMN old_secret_until INTEGER; -- milliseconds since 1970-01-01 UTC; a run deletes it then

CREATE INDEX webhooks_rotating ON webhooks (old_secret_until) WHERE old_secret_until IS NOT NULL;
