-- Tokens and consents. Times are milliseconds since 1970-01-01 UTC.
-- An id begins with its creation time (src/grants/record-id.ts), so "newest first" is ORDER BY id DESC.

CREATE TABLE tokens (
  id         TEXT    NOT NULL PRIMARY KEY,
  kid        TEXT    NOT NULL, -- id of the key that makes the token's text, which is not stored
  fi_id      INTEGER NOT NULL REFERENCES financial_institutions (id),
  psp_id     TEXT    NOT NULL, -- the PSP's authorisation number
  account_id TEXT    NOT NULL,
  scope      TEXT    NOT NULL CHECK (scope IN ('payments', 'accounts')),
  consent_id TEXT,             -- in one of the two tables below, depending on the scope
  issued_at  INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX tokens_by_account ON tokens (fi_id, account_id, id);
CREATE INDEX tokens_by_consent ON tokens (consent_id) WHERE consent_id IS NOT NULL;
CREATE INDEX tokens_by_expiry ON tokens (expires_at);

CREATE TABLE account_access_consents (
  id                         TEXT    NOT NULL PRIMARY KEY,
  fi_id                      INTEGER NOT NULL REFERENCES financial_institutions (id),
  psp_id                     TEXT    NOT NULL,
  status                     TEXT    NOT NULL CHECK (status IN ('AwaitingAuthorisation', 'Authorised', 'Revoked')),
  created_at                 INTEGER NOT NULL,
  status_updated_at          INTEGER NOT NULL,
  permissions                TEXT    NOT NULL, -- JSON array of strings
  expiration_date_time       TEXT,             -- RFC 3339 in UTC; null: open ended
  transaction_from_date_time TEXT,
  transaction_to_date_time   TEXT,
  ends_at                    INTEGER           -- its expiration, or the time of its revocation
) STRICT, WITHOUT ROWID;

CREATE INDEX account_access_consents_by_end ON account_access_consents (ends_at) WHERE ends_at IS NOT NULL;

CREATE TABLE payment_order_consents (
  id                TEXT    NOT NULL PRIMARY KEY,
  fi_id             INTEGER NOT NULL REFERENCES financial_institutions (id),
  psp_id            TEXT    NOT NULL,
  status            TEXT    NOT NULL CHECK (status IN ('AwaitingAuthorisation', 'Authorised')),
  created_at        INTEGER NOT NULL,
  status_updated_at INTEGER NOT NULL,
  initiation        TEXT    NOT NULL -- JSON object, as the interface spells it
) STRICT, WITHOUT ROWID;

CREATE INDEX payment_order_consents_by_psp ON payment_order_consents (fi_id, psp_id, id);
