-- PEOPLE OF INSTITUTIONS: who signs in to the console by the provider of their institution (src/console/sign-in/). All but
-- command_acts is in the first database alone.

-- The OpenID provider of an institution: `fi sign-in set`.
CREATE TABLE sign_in_providers (
  fi_id       INTEGER PRIMARY KEY REFERENCES financial_institutions (id),
  issuer      TEXT    NOT NULL,
  client_id   TEXT    NOT NULL,
  auth_method TEXT    NOT NULL CHECK (auth_method IN ('client_secret_basic', 'client_secret_post', 'private_key_jwt')),
  secret      TEXT    NOT NULL, -- the client secret, or the private key as a JWK: sealed with the token key that kid names
  kid         TEXT,             -- null: as the command wrote it, not sealed yet
  claim       TEXT    NOT NULL, -- of the id token: the one that names the groups
  groups      TEXT    NOT NULL, -- JSON: the groups of each role
  credentials INTEGER NOT NULL DEFAULT 1 CHECK (credentials IN (0, 1)), -- 0: API credentials cannot sign in to the console
  version     TEXT    NOT NULL, -- random; sessions that began by another version are dead
  changed_at  INTEGER NOT NULL
) STRICT;

-- those to be sealed, or sealed with another key
CREATE INDEX sign_in_providers_by_key ON sign_in_providers (kid);

-- Who has signed in. Records name a person by the tag alone: an HMAC of the subject under the key. Whoever deletes the row
-- leaves tags that say nothing to anybody. A row lives until an administrator erases it.
CREATE TABLE people (
  fi_id      INTEGER NOT NULL REFERENCES financial_institutions (id),
  tag        TEXT    NOT NULL,
  issuer     TEXT    NOT NULL,
  subject    TEXT    NOT NULL,
  key        TEXT    NOT NULL, -- 32 random bytes as base64url
  name       TEXT    NOT NULL, -- as the provider gave it last
  roles      TEXT    NOT NULL, -- JSON: of the last sign-in
  first_at   INTEGER NOT NULL,
  last_at    INTEGER NOT NULL, -- the last sign-in
  epoch      INTEGER NOT NULL DEFAULT 1, -- sessions of a smaller one are ended
  PRIMARY KEY (fi_id, issuer, subject)
) STRICT, WITHOUT ROWID;

-- whose session it is; whom a record names
CREATE UNIQUE INDEX people_by_tag ON people (fi_id, tag);
-- the list of an institution
CREATE INDEX people_by_sign_in ON people (fi_id, last_at);

-- absent of sessions by API credentials and of operators
ALTER TABLE console_sessions ADD COLUMN person TEXT;           -- the tag
ALTER TABLE console_sessions ADD COLUMN epoch INTEGER;         -- of the person, when it began
ALTER TABLE console_sessions ADD COLUMN roles TEXT;            -- JSON
ALTER TABLE console_sessions ADD COLUMN provider_sid TEXT;     -- SHA-256 of issuer and sid, by which the provider ends it
ALTER TABLE console_sessions ADD COLUMN provider_version TEXT; -- null: the institution had no provider

-- sessions that a provider ends
CREATE INDEX console_sessions_by_sid ON console_sessions (provider_sid) WHERE provider_sid IS NOT NULL;

-- What counts once: a sign-in under way, a logout token, the end of a provider's session, a refusal of the same minute.
CREATE TABLE console_once (
  id_hash TEXT    NOT NULL PRIMARY KEY, -- SHA-256, base64url
  ends_at INTEGER NOT NULL              -- from then on it cannot come again
) STRICT, WITHOUT ROWID;

-- retention
CREATE INDEX console_once_by_end ON console_once (ends_at);

-- Break-glass: `fi sign-in link` makes an address that signs in once, for ten minutes. A row lives 400 days, for administrators.
CREATE TABLE sign_in_links (
  id_hash TEXT    NOT NULL PRIMARY KEY, -- SHA-256 of the link's secret, base64url
  fi_id   INTEGER NOT NULL REFERENCES financial_institutions (id),
  role    TEXT    NOT NULL CHECK (role IN ('auditor', 'officer', 'administrator')),
  made_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  used_at INTEGER -- null: nobody has
) STRICT, WITHOUT ROWID;

-- the links of an institution; its removal
CREATE INDEX sign_in_links_by_fi ON sign_in_links (fi_id, made_at);
-- retention
CREATE INDEX sign_in_links_by_time ON sign_in_links (made_at);

-- What the operator's commands have changed and the institution's ledger does not say yet: commands reach databases alone. A row
-- is in the database of the change; the scheduled run records it and deletes it (src/evidence/ledger/command-acts.ts).
CREATE TABLE command_acts (
  id      TEXT    NOT NULL PRIMARY KEY, -- the record's evidence id
  fi_id   INTEGER NOT NULL REFERENCES financial_institutions (id),
  event   TEXT    NOT NULL, -- of the record
  command TEXT    NOT NULL, -- such as `fi sign-in set`
  about   TEXT,             -- of the record: such as a client id
  made_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- the removal of an institution
CREATE INDEX command_acts_by_fi ON command_acts (fi_id);
