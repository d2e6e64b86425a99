-- The smallest set of indexes that the statements need (test/worker/query-plans.test.ts). An index of tokens takes 50 to
-- 85 bytes and one written row of each token (npm run bench:growth). Times are milliseconds since 1970-01-01 UTC.
-- A Worker of before goes on working; until it is replaced it reads all tokens of an institution where it revokes a
-- consent or lists permissions.

-- The live tokens of a consent are now found among those of its account. Before migration 0004 a consent gave tokens for
-- several accounts: those that its revocation would no longer find end here.
UPDATE tokens SET revoked_at = unixepoch() * 1000
WHERE expires_at > unixepoch() * 1000 AND revoked_at IS NULL AND EXISTS (
  SELECT 1 FROM account_access_consents AS consent
  WHERE consent.id = tokens.consent_id AND consent.account_id IS NOT tokens.account_id);
DROP INDEX tokens_by_consent_and_expiry;

-- The removal of an institution finds its consents by the one index, whether a customer authorised them or not.
DROP INDEX account_access_consents_by_account;
DROP INDEX account_access_consents_by_fi;
CREATE INDEX account_access_consents_by_account ON account_access_consents (fi_id, account_id, id);
