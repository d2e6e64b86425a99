-- A consent is for one PSU account, and only one token is issued under a payment order consent.

-- The account of the first authorization; null before it. Consents that are authorised already get the account of their
-- first token. Without a token it stays null, and the next authorization sets it.
ALTER TABLE account_access_consents ADD COLUMN account_id TEXT;

UPDATE account_access_consents
SET account_id = (SELECT account_id FROM tokens WHERE consent_id = account_access_consents.id ORDER BY id LIMIT 1)
WHERE status <> 'AwaitingAuthorisation';

-- SQLite cannot alter a CHECK, so the table is recreated. No foreign key refers to it.
CREATE TABLE payment_order_consents_new (
  id                TEXT    NOT NULL PRIMARY KEY,
  fi_id             INTEGER NOT NULL REFERENCES financial_institutions (id),
  psp_id            TEXT    NOT NULL,
  status            TEXT    NOT NULL CHECK (status IN ('AwaitingAuthorisation', 'Authorised', 'Consumed')),
  created_at        INTEGER NOT NULL,
  status_updated_at INTEGER NOT NULL,
  initiation        TEXT    NOT NULL, -- JSON object, as the interface spells it
  account_id        TEXT,             -- as above
  token_id          TEXT,             -- the token that consumed it
  CHECK ((status = 'Consumed') = (token_id IS NOT NULL))
) STRICT, WITHOUT ROWID;

INSERT INTO payment_order_consents_new
  (id, fi_id, psp_id, status, created_at, status_updated_at, initiation, account_id, token_id)
SELECT consent.id, consent.fi_id, consent.psp_id, iif(token.id IS NULL, consent.status, 'Consumed'),
  consent.created_at, coalesce(token.issued_at, consent.status_updated_at), consent.initiation,
  token.account_id, token.id
FROM payment_order_consents AS consent
LEFT JOIN tokens AS token ON token.id = (SELECT min(id) FROM tokens WHERE consent_id = consent.id);

DROP TABLE payment_order_consents;
ALTER TABLE payment_order_consents_new RENAME TO payment_order_consents;
CREATE INDEX payment_order_consents_by_psp ON payment_order_consents (fi_id, psp_id, id);
