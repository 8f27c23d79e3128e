-- A person who may sign in to the dashboard. `password` is an argon2id hash in PHC form, `sealed_totp` the secret of the
-- second factor, encrypted by db/vault.ts; `totp_step` is the last time step whose code was used, so that none works
-- twice. An operator may make projects and set their plans. `language` and `theme` are NULL until they are chosen.
CREATE TABLE account (
  id            TEXT PRIMARY KEY,
  name          TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (length(name) BETWEEN 1 AND 100),
  password      TEXT,
  discord_id    TEXT UNIQUE,
  sealed_totp   BLOB,
  totp_step     INTEGER NOT NULL DEFAULT 0,
  is_operator   INTEGER NOT NULL DEFAULT 0 CHECK (is_operator IN (0, 1)),
  language      TEXT,
  theme         TEXT,
  created_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE membership (
  project_id    TEXT NOT NULL REFERENCES project (id),
  account_id    TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  role          TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'viewer')),
  created_at_ms INTEGER NOT NULL,
  PRIMARY KEY (project_id, account_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX membership_by_account ON membership (account_id);

-- A browser that is signed in. Its cookie is 256 random bits, of which only the SHA-256 is kept.
CREATE TABLE session (
  digest        BLOB PRIMARY KEY CHECK (length(digest) = 32),
  id            TEXT NOT NULL UNIQUE,
  account_id    TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  created_at_ms INTEGER NOT NULL,
  seen_at_ms    INTEGER NOT NULL,
  address       TEXT NOT NULL,
  user_agent    TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX session_by_account ON session (account_id);

-- A link that lets somebody in: `first` makes the first account, `invitation` joins a project, `reset` sets a new password
-- of an account, `sandbox` signs the owner of the sandbox in. All but the last work once.
CREATE TABLE entry_link (
  digest        BLOB PRIMARY KEY CHECK (length(digest) = 32),
  id            TEXT NOT NULL UNIQUE,
  kind          TEXT NOT NULL CHECK (kind IN ('first', 'invitation', 'reset', 'sandbox')),
  project_id    TEXT REFERENCES project (id),
  role          TEXT CHECK (role IN ('owner', 'manager', 'viewer')),
  account_id    TEXT REFERENCES account (id) ON DELETE CASCADE,
  made_by       TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX entry_link_by_project ON entry_link (project_id);

-- Who did what, kept for a year. Names are those of then; `detail` is a JSON object of what was changed, without secrets.
CREATE TABLE audit (
  id         INTEGER PRIMARY KEY,
  at_ms      INTEGER NOT NULL,
  project_id TEXT,
  account_id TEXT,
  who        TEXT NOT NULL,
  address    TEXT NOT NULL,
  action     TEXT NOT NULL,
  target     TEXT NOT NULL,
  detail     TEXT NOT NULL CHECK (json_type(detail) = 'object')
) STRICT;

CREATE INDEX audit_by_project ON audit (project_id, id);
CREATE INDEX audit_by_account ON audit (account_id, id);

-- 1: somebody has stopped the bot; it stays registered and logs in again when it is started.
ALTER TABLE bot ADD COLUMN stopped INTEGER NOT NULL DEFAULT 0 CHECK (stopped IN (0, 1));
