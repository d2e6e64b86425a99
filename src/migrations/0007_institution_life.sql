-- The life of an institution and of its credentials, and imports that were refused.
-- Only adds: the Worker that was deployed before goes on working on it.

-- A credential has two secrets while a rotation overlaps. Times are milliseconds since 1970-01-01 UTC.
ALTER TABLE credentials ADD COLUMN secret_made_at INTEGER;   -- null: with the credential
ALTER TABLE credentials ADD COLUMN old_secret_hash TEXT;     -- as secret_hash
ALTER TABLE credentials ADD COLUMN old_secret_until INTEGER; -- from then on the old secret is refused

-- The id of a removed institution is never given again: its codes, tokens and CCG tokens name it and may still exist.
CREATE TABLE removed_institutions (
  fi_id           INTEGER PRIMARY KEY,
  name            TEXT    NOT NULL,
  fi_reference_id TEXT    NOT NULL,
  removed_at      INTEGER NOT NULL
) STRICT;

-- for the removal of an institution: tokens and payment order consents have an index that begins with fi_id
CREATE INDEX account_access_consents_by_fi ON account_access_consents (fi_id);

-- An isolate remembers verified credentials for a minute. A disabled institution gets no token in that minute either.
-- A revocation that precedes its token (src/grants/new-token.ts) is always stored.
CREATE TRIGGER no_token_for_disabled_institutions BEFORE INSERT ON tokens
WHEN NEW.revoked_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM financial_institutions WHERE id = NEW.fi_id AND status = 'active')
BEGIN
  SELECT RAISE(ABORT, 'the institution is not active');
END;

-- An import by the operator that was refused. It changes neither the schedule of the source nor its failures.
ALTER TABLE refreshes ADD COLUMN refused_at INTEGER; -- null: none since the last success
ALTER TABLE refreshes ADD COLUMN refusal    TEXT;
