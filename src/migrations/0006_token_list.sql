-- The list of an account's tokens is read by expiry, so that tokens that may be active come first
-- (src/grants/token-list.ts).
DROP INDEX tokens_by_account;
CREATE INDEX tokens_by_account ON tokens (fi_id, account_id, expires_at, id);
