-- The schema of 1.0. Later migrations only add to it.
--
-- Times are milliseconds since 1970-01-01 UTC. psp_id is the PSP's authorisation number in normal form
-- (src/eidas/authorisation-number.ts). fi_id is the institution. An id of a grant begins with the time of its creation
-- (src/grants/record-order.ts), so "newest first" is ORDER BY id DESC.
--
-- Every database has every table. Grants, account keys, watches, standings, events and webhooks are in the database of
-- their institution; all else is in the first (src/institutions/databases.ts). Each index is how some statement finds its
-- rows (test/worker/platform/query-plans.test.ts). "Retention" is the daily deletion of what has ended.

-- INSTITUTIONS

-- The tenants: until `fi remove`. The row in the first database counts. Another database has a copy of the rows of its
-- institutions, because foreign keys, the trigger below and the statement that stores a token read it there.
CREATE TABLE financial_institutions (
  id              INTEGER PRIMARY KEY,
  name            TEXT    NOT NULL,
  fi_reference_id TEXT    NOT NULL UNIQUE CHECK (length(fi_reference_id) BETWEEN 6 AND 128),
  status          TEXT    NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  created_at      INTEGER NOT NULL,
  -- lifetimes of its access tokens in seconds (bounds: src/grants/token-lifetimes.ts); null: those of the deployment
  payments_token_seconds INTEGER CHECK (payments_token_seconds BETWEEN 60 AND 31622400),
  accounts_token_seconds INTEGER CHECK (accounts_token_seconds BETWEEN 60 AND 31622400),
  database        INTEGER NOT NULL DEFAULT 1 CHECK (database >= 1), -- 1 is DB, n is DB_n
  ledger_required INTEGER NOT NULL DEFAULT 0 CHECK (ledger_required IN (0, 1)), -- 1: an answer leaves only when its record is kept
  -- larger with each change of status; of two changes the larger counts, whichever is carried out last
  status_version  INTEGER NOT NULL DEFAULT 0
) STRICT;

-- A credential has two secrets while a rotation overlaps.
CREATE TABLE credentials (
  client_id        TEXT    NOT NULL PRIMARY KEY,
  secret_hash      TEXT    NOT NULL, -- SHA-256, base64url, of 256 random bits
  created_at       INTEGER NOT NULL,
  secret_made_at   INTEGER, -- null: with the credential
  old_secret_hash  TEXT,    -- as secret_hash
  old_secret_until INTEGER  -- from then on the old secret is refused
) STRICT, WITHOUT ROWID;

-- A credential may be linked to several institutions (an aggregator's).
CREATE TABLE credential_institutions (
  client_id TEXT    NOT NULL REFERENCES credentials (client_id) ON DELETE CASCADE,
  fi_id     INTEGER NOT NULL REFERENCES financial_institutions (id),
  PRIMARY KEY (client_id, fi_id)
) STRICT, WITHOUT ROWID;

-- the credentials of an institution
CREATE INDEX credential_institutions_by_fi ON credential_institutions (fi_id);

-- For ever: the id of a removed institution is never given again. Its codes, tokens and CCG tokens name it and may still
-- exist.
CREATE TABLE removed_institutions (
  fi_id           INTEGER PRIMARY KEY,
  name            TEXT    NOT NULL,
  fi_reference_id TEXT    NOT NULL,
  removed_at      INTEGER NOT NULL
) STRICT;

-- GRANTS

-- Access tokens: until TOKEN_RETENTION_DAYS after they expired. Their text is not stored.
CREATE TABLE tokens (
  id            TEXT    NOT NULL PRIMARY KEY,
  kid           TEXT    NOT NULL, -- id of the key that makes the token's text
  fi_id         INTEGER NOT NULL REFERENCES financial_institutions (id),
  psp_id        TEXT    NOT NULL,
  account_id    TEXT    NOT NULL,
  scope         TEXT    NOT NULL CHECK (scope IN ('payments', 'accounts')),
  consent_id    TEXT,             -- in one of the two tables of consents, depending on the scope
  issued_at     INTEGER NOT NULL,
  expires_at    INTEGER NOT NULL,
  revoked_at    INTEGER,
  agreed_after  INTEGER NOT NULL DEFAULT 0, -- the last ticket that was given before the customer agreed
  permission_id TEXT              -- of a token without a consent: its permission, in core_permissions
) STRICT, WITHOUT ROWID;

-- the list of an account, those that may be active first; the live tokens of a consent or permission are among them
CREATE INDEX tokens_by_account ON tokens (fi_id, account_id, expires_at, id);
-- retention; which keys are still in use
CREATE INDEX tokens_by_expiry ON tokens (expires_at);

-- An isolate remembers verified credentials for a minute. A disabled institution gets no token in that minute either.
-- A revocation that precedes its token (src/grants/new-token.ts) is always stored.
CREATE TRIGGER no_token_for_disabled_institutions BEFORE INSERT ON tokens
WHEN NEW.revoked_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM financial_institutions WHERE id = NEW.fi_id AND status = 'active')
BEGIN
  SELECT RAISE(ABORT, 'the institution is not active');
END;

-- A consent is for one PSU account. One that nobody authorised lives RETENTION_DAYS (without an end: after creation),
-- others PERMISSION_RETENTION_DAYS after their end.
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
  ends_at                    INTEGER,          -- its expiration, or the time of its revocation
  account_id                 TEXT,             -- that of the first authorization; null before it
  granted_at                 INTEGER,          -- the first authorization
  last_token_at              INTEGER,
  ended_by                   TEXT CHECK (ended_by IN ('psp', 'bank', 'customer')), -- null: still alive, or expired
  agreed_after               INTEGER NOT NULL DEFAULT 0, -- the last ticket that was given before the customer agreed
  codes_after                INTEGER NOT NULL DEFAULT 0  -- codes with a smaller agreed_after give no token
) STRICT, WITHOUT ROWID;

-- retention
CREATE INDEX account_access_consents_by_end ON account_access_consents (ends_at) WHERE ends_at IS NOT NULL;
-- the shorter retention of consents that nobody authorised
CREATE INDEX account_access_consents_unauthorised ON account_access_consents (ends_at)
WHERE account_id IS NULL AND ends_at IS NOT NULL;
-- the permissions of an account; the removal of an institution
CREATE INDEX account_access_consents_by_account ON account_access_consents (fi_id, account_id, id);
-- the permissions that a PSP has at an institution
CREATE INDEX account_access_consents_by_psp ON account_access_consents (fi_id, psp_id, id)
WHERE account_id IS NOT NULL;

-- Only one token is issued under a payment order consent: the database refuses a consumed one without its token. It lives
-- as an account access consent does, counted from creation.
CREATE TABLE payment_order_consents (
  id                TEXT    NOT NULL PRIMARY KEY,
  fi_id             INTEGER NOT NULL REFERENCES financial_institutions (id),
  psp_id            TEXT    NOT NULL,
  status            TEXT    NOT NULL CHECK (status IN ('AwaitingAuthorisation', 'Authorised', 'Consumed')),
  created_at        INTEGER NOT NULL,
  status_updated_at INTEGER NOT NULL,
  initiation        TEXT    NOT NULL, -- JSON object, as the interface spells it
  account_id        TEXT,             -- that of the first authorization; null before it
  token_id          TEXT,             -- the token that consumed it
  granted_at        INTEGER,          -- the first authorization
  last_token_at     INTEGER,
  valid_until       INTEGER,          -- the expiry of its token; null before there is one
  ends_at           INTEGER,          -- as valid_until, or the time of its withdrawal
  agreed_after      INTEGER NOT NULL DEFAULT 0, -- as in account_access_consents
  codes_after       INTEGER NOT NULL DEFAULT 0, -- as there
  ended_by          TEXT CHECK (ended_by IN ('psp', 'bank', 'customer', 'code_used_twice')), -- null: still alive, or expired
  CHECK ((status = 'Consumed') = (token_id IS NOT NULL))
) STRICT, WITHOUT ROWID;

-- the PSP's own list; the permissions that a PSP has at an institution
CREATE INDEX payment_order_consents_by_psp ON payment_order_consents (fi_id, psp_id, id);
-- the permissions of an account
CREATE INDEX payment_order_consents_by_account ON payment_order_consents (fi_id, account_id, id)
WHERE account_id IS NOT NULL;
-- the shorter retention of consents that nobody authorised
CREATE INDEX payment_order_consents_unauthorised ON payment_order_consents (id) WHERE account_id IS NULL;

-- The permission that tokens without a consent stand for: one for each account, PSP and scope, from its first token until
-- none of its tokens is alive. The next token begins another one. It lives until PERMISSION_RETENTION_DAYS after its end.
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
  -- The last ticket that was given before it ended; null: it is open, or has run out. A withdrawal that is repeated ends
  -- no codes: those since then are a new permission.
  ended_after   INTEGER,
  ended_by      TEXT CHECK (ended_by IN ('psp', 'bank', 'customer', 'code_used_twice')) -- null: still alive, or expired
) STRICT, WITHOUT ROWID;

-- the permissions of an account
CREATE INDEX core_permissions_by_account ON core_permissions (fi_id, account_id, id);
-- retention
CREATE INDEX core_permissions_by_end ON core_permissions (ends_at);
-- the permissions that a PSP has at an institution
CREATE INDEX core_permissions_by_psp ON core_permissions (fi_id, psp_id, id);

-- The counter that orders withdrawals, blocks, watches and what customers agree to; clocks do not
-- (src/grants/record-order.ts). A withdrawal ends what has a smaller ticket than its own. One row, for ever.
CREATE TABLE tickets (
  id   INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  last INTEGER NOT NULL -- the ticket that was given last
) STRICT;

INSERT INTO tickets (id, last) VALUES (1, 0);

-- Which codes without a consent give tokens. Where there is no row, none does; a new row takes a ticket. So its deletion,
-- by retention or by the erasure of the account, revives no code. It lives until two days after the last code.
CREATE TABLE core_codes (
  fi_id       INTEGER NOT NULL REFERENCES financial_institutions (id),
  account_id  TEXT    NOT NULL,
  psp_id      TEXT    NOT NULL,
  scope       TEXT    NOT NULL CHECK (scope IN ('payments', 'accounts')),
  codes_after INTEGER NOT NULL, -- codes with a smaller agreed_after give no token
  noted_at    INTEGER NOT NULL, -- when a code was issued last, to the day
  PRIMARY KEY (fi_id, account_id, psp_id, scope)
) STRICT, WITHOUT ROWID;

-- retention
CREATE INDEX core_codes_by_time ON core_codes (noted_at);

-- Accounts that a bank blocked. Of two changes the one with the later ticket counts, whichever is carried out last. So a
-- lifted block stays for two days.
CREATE TABLE account_blocks (
  fi_id      INTEGER NOT NULL REFERENCES financial_institutions (id),
  account_id TEXT    NOT NULL,
  scope      TEXT    NOT NULL CHECK (scope IN ('payments', 'accounts')),
  created_at INTEGER NOT NULL, -- the first PUT
  ticket     INTEGER NOT NULL DEFAULT 0,
  lifted_at  INTEGER,          -- null: blocked
  PRIMARY KEY (fi_id, account_id, scope)
) STRICT, WITHOUT ROWID;

-- retention
CREATE INDEX account_blocks_lifted ON account_blocks (lifted_at) WHERE lifted_at IS NOT NULL;

-- CONSOLE

-- Sessions: 30 minutes idle, 12 hours at most.
CREATE TABLE console_sessions (
  id_hash     TEXT    NOT NULL PRIMARY KEY, -- SHA-256 of the id, base64url: the id itself is in the cookie only
  fi_id       INTEGER REFERENCES financial_institutions (id), -- null: the operator of `npm start`
  client_id   TEXT,
  secret_hash TEXT,             -- of the secret used: a session ends with it
  created_at  INTEGER NOT NULL,
  used_at     INTEGER NOT NULL, -- to the minute
  ends_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- the removal of an institution
CREATE INDEX console_sessions_by_fi ON console_sessions (fi_id);
-- retention
CREATE INDEX console_sessions_by_end ON console_sessions (ends_at);

-- Results of PSP checks, so that a link to one can be shared inside an institution: 7 days, 500 of an institution.
CREATE TABLE console_checks (
  id_hash    TEXT    NOT NULL PRIMARY KEY, -- SHA-256 of the id in the link, base64url
  fi_id      INTEGER REFERENCES financial_institutions (id), -- null: of the operators
  sealed     TEXT    NOT NULL, -- the results, packed and encrypted with a key that follows from the id, base64
  created_at INTEGER NOT NULL,
  ends_at    INTEGER NOT NULL
) STRICT;

-- the oldest of an institution, which make room
CREATE INDEX console_checks_by_fi ON console_checks (fi_id, created_at);
-- retention
CREATE INDEX console_checks_by_end ON console_checks (ends_at);

-- LEDGER: its records are in Durable Objects and R2 (src/evidence/ledger/)

-- In a record an account is a tag: an HMAC of its id under a random key of its own. Whoever erases the key leaves a tag
-- that says nothing to anybody (src/evidence/ledger/account-tag.ts). A key lives until `account erase`.
CREATE TABLE account_keys (
  fi_id      INTEGER NOT NULL REFERENCES financial_institutions (id),
  account_id TEXT    NOT NULL,
  key        TEXT    NOT NULL, -- 32 random bytes as base64url
  PRIMARY KEY (fi_id, account_id)
) STRICT, WITHOUT ROWID;

-- Passes with which the operator's command line reads one institution's ledger over HTTP
-- (src/institutions/operator-pass.ts). A pass lives as long as the command, at most 5 minutes.
CREATE TABLE operator_passes (
  pass_hash  TEXT    NOT NULL PRIMARY KEY, -- SHA-256 of the pass, base64url: the pass itself is only in the command's memory
  fi_id      INTEGER NOT NULL REFERENCES financial_institutions (id),
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- the removal of an institution
CREATE INDEX operator_passes_by_fi ON operator_passes (fi_id);
-- retention
CREATE INDEX operator_passes_by_end ON operator_passes (expires_at);

-- Records of ledgers that were kept and cannot be read, by the file that is damaged (src/evidence/ledger/damage.ts): for
-- /health, `status` and `doctor`. Each ledger's object writes its own, and deletes them when the file can be read again.
CREATE TABLE ledger_damage (
  file       TEXT    NOT NULL PRIMARY KEY,
  fi         TEXT    NOT NULL, -- fi_reference_id
  first_seq  INTEGER NOT NULL,
  last_seq   INTEGER NOT NULL,
  first_time INTEGER NOT NULL, -- of the records
  last_time  INTEGER NOT NULL,
  reason     TEXT    NOT NULL,
  noticed_at INTEGER NOT NULL
) STRICT;

-- EVENTS: how institutions are notified when it changes what a PSP may do (src/events/)

-- The PSPs that an institution watches. One that has ended stays for a while, as a lifted block does.
CREATE TABLE psp_watches (
  fi_id      INTEGER NOT NULL REFERENCES financial_institutions (id),
  psp_id     TEXT    NOT NULL,
  created_at INTEGER NOT NULL, -- the first PUT
  ticket     INTEGER NOT NULL DEFAULT 0,
  ended_at   INTEGER,          -- null: watched
  PRIMARY KEY (fi_id, psp_id)
) STRICT, WITHOUT ROWID;

-- retention
CREATE INDEX psp_watches_ended ON psp_watches (ended_at) WHERE ended_at IS NOT NULL;

-- What an institution knows of a PSP: the next event says what differs from it.
CREATE TABLE psp_standings (
  fi_id    INTEGER NOT NULL REFERENCES financial_institutions (id),
  psp_id   TEXT    NOT NULL,
  digest   TEXT    NOT NULL, -- SHA-256 of the standing
  standing TEXT    NOT NULL, -- JSON
  seen_at  INTEGER NOT NULL,
  PRIMARY KEY (fi_id, psp_id)
) STRICT, WITHOUT ROWID;

-- The certificates that PSPs showed, each with its chain, so that a sweep judges it as a check does
-- (src/events/issuers.ts). A certificate lives here until it ends.
CREATE TABLE shown_certificates (
  psp_id       TEXT    NOT NULL,
  certificate  TEXT    NOT NULL, -- SHA-256
  chain        TEXT    NOT NULL, -- JSON: base64 DER of it and of the issuers on its path that were sent
  anchor       TEXT    NOT NULL, -- SHA-256 of the certificate of the listed service that issued it
  source       TEXT    NOT NULL,
  jurisdiction TEXT    NOT NULL,
  service_name TEXT    NOT NULL,
  not_after    INTEGER NOT NULL,
  PRIMARY KEY (psp_id, certificate)
) STRICT, WITHOUT ROWID;

-- retention
CREATE INDEX shown_certificates_by_end ON shown_certificates (not_after);

-- News for all institutions that have something to do with it, sent to one after the other. A notice lives 1,200 days.
CREATE TABLE notices (
  id         TEXT    NOT NULL PRIMARY KEY, -- the same for the same news
  type       TEXT    NOT NULL,
  subject    TEXT    NOT NULL, -- a PSP, or a source
  psp_id     TEXT,             -- null: about a source
  country    TEXT,             -- of a register; null: of interest to all
  data       TEXT    NOT NULL, -- JSON
  created_at INTEGER NOT NULL,
  told_to    INTEGER NOT NULL DEFAULT 0, -- the last institution that was notified
  told_at    INTEGER,          -- null: not all are notified yet
  left_out   INTEGER           -- the first institution whose database did not answer: notified again from there; null: none
) STRICT, WITHOUT ROWID;

-- the next to be notified
CREATE INDEX notices_untold ON notices (created_at) WHERE told_at IS NULL;
-- retention
CREATE INDEX notices_told ON notices (told_at) WHERE told_at IS NOT NULL;

-- Events live EVENT_RETENTION_DAYS. seq is the order in which they are read: an id made before another could be stored
-- after it. People acknowledge events in the console; the API and webhooks do not depend on that.
CREATE TABLE events (
  seq             INTEGER PRIMARY KEY AUTOINCREMENT,
  id              TEXT    NOT NULL UNIQUE,
  fi_id           INTEGER NOT NULL REFERENCES financial_institutions (id),
  type            TEXT    NOT NULL,
  subject         TEXT    NOT NULL,
  data            TEXT    NOT NULL, -- JSON
  created_at      INTEGER NOT NULL,
  acknowledged_at INTEGER,          -- null: nobody has yet
  acknowledged_by TEXT              -- client id, or the operator
) STRICT;

-- the list of an institution
CREATE INDEX events_by_fi ON events (fi_id, seq);
-- retention
CREATE INDEX events_by_time ON events (created_at);
-- those that nobody has acknowledged, in the console
CREATE INDEX events_open ON events (fi_id, seq) WHERE acknowledged_at IS NULL;

-- Receivers of events. Each gets its turn in each run (src/events/deliveries.ts), and one that gives no answer is left
-- alone for a while. During a rotation the old secret signs each delivery, too (src/events/webhook.ts).
CREATE TABLE webhooks (
  id               TEXT    NOT NULL PRIMARY KEY,
  fi_id            INTEGER NOT NULL REFERENCES financial_institutions (id),
  url              TEXT    NOT NULL,
  secret           TEXT    NOT NULL, -- sealed with the token key that kid names
  kid              TEXT,             -- null: as the command wrote it, not sealed yet
  status           TEXT    NOT NULL CHECK (status IN ('active', 'disabled')),
  created_at       INTEGER NOT NULL,
  disabled_at      INTEGER,
  turn_at          INTEGER,          -- when a run took deliveries of it last; null: none did
  silent_since     INTEGER,          -- since when no attempt got an answer; null: the last one got one
  rests_until      INTEGER,          -- nothing is sent there until then
  answer_ms        INTEGER,          -- how long a recent answer took (src/events/pace.ts); null: it has given none
  old_secret       TEXT,             -- as secret; null: none
  old_kid          TEXT,             -- as kid
  old_secret_until INTEGER           -- a run deletes it then
) STRICT, WITHOUT ROWID;

-- the webhooks of an institution
CREATE INDEX webhooks_by_fi ON webhooks (fi_id);
-- those to be sealed, or sealed with another key
CREATE INDEX webhooks_by_key ON webhooks (kid);
-- old secrets that have ended
CREATE INDEX webhooks_rotating ON webhooks (old_secret_until) WHERE old_secret_until IS NOT NULL;

-- An event for a webhook. One that has ended lives EVENT_RETENTION_DAYS.
CREATE TABLE webhook_deliveries (
  id         TEXT    NOT NULL PRIMARY KEY, -- the event's, and the webhook's
  fi_id      INTEGER NOT NULL REFERENCES financial_institutions (id),
  webhook_id TEXT    NOT NULL,
  event_id   TEXT    NOT NULL,
  event_seq  INTEGER NOT NULL,
  subject    TEXT    NOT NULL, -- of one subject they are delivered in order
  status     TEXT    NOT NULL CHECK (status IN ('pending', 'delivered', 'dead')),
  attempts   INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  first_at   INTEGER,          -- the first attempt since it was made or replayed
  next_at    INTEGER NOT NULL, -- when the scheduled run looks after it
  ended_at   INTEGER,          -- null while it is pending
  outcome    TEXT              -- of the last attempt
) STRICT, WITHOUT ROWID;

-- what is due at a webhook
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_at) WHERE status = 'pending';
-- whether an earlier one of the subject is pending
CREATE INDEX webhook_deliveries_in_order ON webhook_deliveries (webhook_id, subject, event_seq) WHERE status = 'pending';
-- the list of an institution
CREATE INDEX webhook_deliveries_of_fi ON webhook_deliveries (fi_id, status, event_seq);
-- retention
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;

-- REFRESH: in the first database, for ever

-- State of each source's refresh (src/refresh/).
CREATE TABLE refreshes (
  task       TEXT    NOT NULL PRIMARY KEY, -- "trust/eIDAS/CZ", "register/eba", "crl", "retention"
  due_at     INTEGER NOT NULL,
  failures   INTEGER NOT NULL DEFAULT 0,   -- consecutive
  checked_at INTEGER,                      -- when the loaded data was last found to be current
  failed_at  INTEGER,                      -- time of the last failure, null after a success
  error      TEXT,
  memo       TEXT    NOT NULL DEFAULT '{}', -- JSON: the task's state between its steps
  -- an import by the operator that was refused; null: none since the last success. It changes neither the schedule of the
  -- source nor its failures.
  refused_at INTEGER,
  refusal    TEXT
) STRICT, WITHOUT ROWID;

-- One row: only its holder may refresh or import.
CREATE TABLE refresh_lease (
  id         INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  holder     TEXT    NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

-- Which import changed each register last, exactly: KV, which holds the register, may show an older state for a minute
-- and more (src/registers/import/stored-register.ts).
CREATE TABLE register_imports (
  source    TEXT    NOT NULL,
  country   TEXT    NOT NULL,
  run       TEXT    NOT NULL, -- as in the KV entries "pending" and "index"
  published TEXT    NOT NULL, -- ISO 8601: of its file
  began_at  INTEGER NOT NULL,
  PRIMARY KEY (source, country)
) STRICT, WITHOUT ROWID;
