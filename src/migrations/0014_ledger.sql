-- The ledger of what each institution was answered (src/ledger/). Its records are in Durable Objects and R2; here is what
-- the operator's commands set and erase. Only adds.

-- 1: an answer leaves only when its record is kept (src/middleware/ledger.ts)
ALTER TABLE financial_institutions ADD COLUMN ledger_required INTEGER NOT NULL DEFAULT 0
  CHECK (ledger_required IN (0, 1));

-- In a record an account is a tag: an HMAC of its id under a random key of its own. Whoever erases the key leaves a tag
-- that says nothing to anybody (src/ledger/account-tag.ts).
CREATE TABLE account_keys (
  fi_id      INTEGER NOT NULL REFERENCES financial_institutions (id),
  account_id TEXT    NOT NULL,
  key        TEXT    NOT NULL, -- 32 random bytes as base64url
  PRIMARY KEY (fi_id, account_id)
) STRICT, WITHOUT ROWID;
