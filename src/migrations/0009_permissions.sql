-- What a customer agreed to, as one list for each account (src/grants/permission-list.ts). Only adds: a Worker of before
-- goes on working, and its rows are listed too, but for core tokens that it issues after this migration.
-- Times are milliseconds since 1970-01-01 UTC.

ALTER TABLE account_access_consents ADD COLUMN granted_at INTEGER; -- the first authorization
ALTER TABLE account_access_consents ADD COLUMN last_token_at INTEGER;
-- null: still alive, or expired
ALTER TABLE account_access_consents ADD COLUMN ended_by TEXT CHECK (ended_by IN ('psp', 'bank', 'customer'));

UPDATE account_access_consents SET
  -- of a revoked consent the time of its authorization is not known any more
  granted_at = iif(status = 'Authorised', status_updated_at,
    coalesce((SELECT min(issued_at) FROM tokens WHERE consent_id = account_access_consents.id), created_at)),
  last_token_at = (SELECT max(issued_at) FROM tokens WHERE consent_id = account_access_consents.id),
  ended_by = iif(status = 'Revoked', 'psp', NULL)
WHERE account_id IS NOT NULL;

CREATE INDEX account_access_consents_by_account ON account_access_consents (fi_id, account_id, id)
WHERE account_id IS NOT NULL;
-- for the retention of consents that nobody authorised, which is shorter
CREATE INDEX account_access_consents_unauthorised ON account_access_consents (ends_at)
WHERE account_id IS NULL AND ends_at IS NOT NULL;

ALTER TABLE payment_order_consents ADD COLUMN granted_at INTEGER;
ALTER TABLE payment_order_consents ADD COLUMN last_token_at INTEGER;
ALTER TABLE payment_order_consents ADD COLUMN valid_until INTEGER; -- the expiry of its token; null before there is one
ALTER TABLE payment_order_consents ADD COLUMN ends_at INTEGER;     -- as valid_until, or the time of its withdrawal
ALTER TABLE payment_order_consents ADD COLUMN ended_by TEXT CHECK (ended_by IN ('psp', 'bank', 'customer'));

UPDATE payment_order_consents SET granted_at = status_updated_at
WHERE account_id IS NOT NULL;

UPDATE payment_order_consents SET
  last_token_at = token.issued_at,
  valid_until = token.expires_at,
  ends_at = coalesce(token.revoked_at, token.expires_at),
  ended_by = iif(token.revoked_at IS NULL, NULL, 'bank')
FROM tokens AS token
WHERE token.id = payment_order_consents.token_id;

-- the token is removed already
UPDATE payment_order_consents SET ends_at = status_updated_at
WHERE token_id IS NOT NULL AND ends_at IS NULL;

CREATE INDEX payment_order_consents_by_account ON payment_order_consents (fi_id, account_id, id)
WHERE account_id IS NOT NULL;
CREATE INDEX payment_order_consents_unauthorised ON payment_order_consents (id) WHERE account_id IS NULL;

-- The permission that tokens without a consent stand for: one for each account, PSP and scope, from its first token
-- until none of its tokens is alive. The next token begins another one.
CREATE TABLE core_permissions (
  id            TEXT    NOT NULL PRIMARY KEY, -- that of its first token
  fi_id         INTEGER NOT NULL REFERENCES financial_institutions (id),
  account_id    TEXT    NOT NULL,
  psp_id        TEXT    NOT NULL,
  scope         TEXT    NOT NULL CHECK (scope IN ('payments', 'accounts')),
  granted_at    INTEGER NOT NULL,
  last_token_at INTEGER NOT NULL,
  valid_until   INTEGER NOT NULL, -- the last expiry of its tokens
  ends_at       INTEGER NOT NULL, -- as valid_until, or when its last token was revoked
  ended_by      TEXT    CHECK (ended_by IN ('psp', 'bank', 'customer')) -- null: still alive, or expired
) STRICT, WITHOUT ROWID;

INSERT INTO core_permissions
  (id, fi_id, account_id, psp_id, scope, granted_at, last_token_at, valid_until, ends_at, ended_by)
WITH
  lives AS (
    SELECT *, coalesce(revoked_at, expires_at) AS end FROM tokens
    WHERE consent_id IS NULL AND coalesce(revoked_at, expires_at) > issued_at
  ),
  followed AS (
    SELECT *, max(end) OVER (
      PARTITION BY fi_id, account_id, psp_id, scope ORDER BY issued_at, id
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS earlier_end
    FROM lives
  ),
  numbered AS (
    SELECT *, sum(earlier_end IS NULL OR earlier_end <= issued_at) OVER (
      PARTITION BY fi_id, account_id, psp_id, scope ORDER BY issued_at, id
    ) AS number
    FROM followed
  )
SELECT min(id), fi_id, account_id, psp_id, scope, min(issued_at), max(issued_at), max(expires_at), max(end),
  iif(max(end) > max(iif(revoked_at IS NULL, expires_at, 0)), 'bank', NULL)
FROM numbered GROUP BY fi_id, account_id, psp_id, scope, number;

CREATE INDEX core_permissions_by_account ON core_permissions (fi_id, account_id, id);
CREATE INDEX core_permissions_by_end ON core_permissions (ends_at);

-- Codes without a consent that were issued up to withdrawn_at give no token.
CREATE TABLE withdrawals (
  fi_id        INTEGER NOT NULL REFERENCES financial_institutions (id),
  account_id   TEXT    NOT NULL,
  scope        TEXT    NOT NULL CHECK (scope IN ('payments', 'accounts')),
  psp_id       TEXT    NOT NULL, -- empty: every PSP
  withdrawn_at INTEGER NOT NULL,
  PRIMARY KEY (fi_id, account_id, scope, psp_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX withdrawals_by_time ON withdrawals (withdrawn_at);

CREATE TABLE account_blocks (
  fi_id      INTEGER NOT NULL REFERENCES financial_institutions (id),
  account_id TEXT    NOT NULL,
  scope      TEXT    NOT NULL CHECK (scope IN ('payments', 'accounts')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (fi_id, account_id, scope)
) STRICT, WITHOUT ROWID;

-- whether a consent has a live token: its ended ones, up to thousands, are not read
CREATE INDEX tokens_by_consent_and_expiry ON tokens (consent_id, expires_at) WHERE consent_id IS NOT NULL;
DROP INDEX tokens_by_consent;
