-- Times are whole milliseconds since 1970-01-01T00:00:00Z. Ids of ours carry their kind (`prj_…`, `key_…`);
-- a bot's id is its Discord user id, kept as text because it is wider than a JavaScript number.

-- A project: whose plan bounds requests and players, and to whom keys, bots and players belong.
CREATE TABLE project (
  id            TEXT PRIMARY KEY,
  name          TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  plan          TEXT NOT NULL CHECK (plan IN ('free', 'standard', 'advanced', 'scale')),
  created_at_ms INTEGER NOT NULL
) STRICT;

-- A Discord bot account that plays for one project. `sealed_token` is its token, encrypted by db/vault.ts with the
-- bot's id bound in, so that the bytes are worthless in another row. `sandbox` = 1: it exists in the stand-in Discord only.
CREATE TABLE bot (
  id            TEXT PRIMARY KEY CHECK (length(id) BETWEEN 17 AND 20 AND id NOT GLOB '*[^0-9]*'),
  project_id    TEXT NOT NULL REFERENCES project (id),
  name          TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  sealed_token  BLOB NOT NULL,
  sandbox       INTEGER NOT NULL DEFAULT 0 CHECK (sandbox IN (0, 1)),
  created_at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX bot_by_project ON bot (project_id);

-- A key to the API. The key itself is shown once and never stored: `digest` is the SHA-256 of the whole of it, `prefix`
-- its first eight hex digits. `allow` (address ranges) and `classes` (route classes) are JSON lists that narrow what the
-- key may do; NULL allows all. `bot_id` stays when the bot is removed: such a key must not start to hear other bots.
CREATE TABLE api_key (
  id              TEXT PRIMARY KEY,
  project_id      TEXT NOT NULL REFERENCES project (id),
  prefix          TEXT NOT NULL CHECK (length(prefix) = 8 AND prefix NOT GLOB '*[^0-9a-f]*'),
  digest          BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
  name            TEXT CHECK (length(name) BETWEEN 1 AND 100),
  bot_id          TEXT,
  allow           TEXT CHECK (json_type(allow) = 'array'),
  classes         TEXT CHECK (json_type(classes) = 'array'),
  created_at_ms   INTEGER NOT NULL,
  expires_at_ms   INTEGER,
  revoked_at_ms   INTEGER,
  last_used_at_ms INTEGER
) STRICT;

CREATE INDEX api_key_by_project ON api_key (project_id);

-- The rules below raise identifiers, which db/ turns into sentences.

CREATE TRIGGER api_key_room_for_a_new_one BEFORE INSERT ON api_key
WHEN NEW.revoked_at_ms IS NULL
 AND (NEW.expires_at_ms IS NULL OR NEW.expires_at_ms > round(unixepoch('subsec') * 1000))
 AND 25 <= (SELECT count(*) FROM api_key
             WHERE project_id = NEW.project_id AND revoked_at_ms IS NULL
               AND (expires_at_ms IS NULL OR expires_at_ms > round(unixepoch('subsec') * 1000)))
BEGIN SELECT RAISE(ABORT, 'too_many_active_keys'); END;

-- An expired key that is given more time takes a place again.
CREATE TRIGGER api_key_room_for_a_longer_one BEFORE UPDATE OF expires_at_ms ON api_key
WHEN NEW.revoked_at_ms IS NULL
 AND (NEW.expires_at_ms IS NULL OR NEW.expires_at_ms > round(unixepoch('subsec') * 1000))
 AND OLD.expires_at_ms <= round(unixepoch('subsec') * 1000)
 AND 25 <= (SELECT count(*) FROM api_key
             WHERE project_id = NEW.project_id AND revoked_at_ms IS NULL
               AND (expires_at_ms IS NULL OR expires_at_ms > round(unixepoch('subsec') * 1000)))
BEGIN SELECT RAISE(ABORT, 'too_many_active_keys'); END;

CREATE TRIGGER api_key_stays_what_it_is BEFORE UPDATE OF id, project_id, prefix, digest, revoked_at_ms ON api_key
WHEN NEW.id <> OLD.id OR NEW.project_id <> OLD.project_id OR NEW.prefix <> OLD.prefix OR NEW.digest <> OLD.digest
  OR (OLD.revoked_at_ms IS NOT NULL AND NEW.revoked_at_ms IS NOT OLD.revoked_at_ms)
BEGIN SELECT RAISE(ABORT, 'key_is_final'); END;

CREATE TRIGGER api_key_links_to_a_bot_of_its_project BEFORE INSERT ON api_key
WHEN NEW.bot_id IS NOT NULL
 AND NOT EXISTS (SELECT 1 FROM bot WHERE id = NEW.bot_id AND project_id = NEW.project_id)
BEGIN SELECT RAISE(ABORT, 'bot_not_of_this_project'); END;

CREATE TRIGGER api_key_keeps_its_bot BEFORE UPDATE OF bot_id ON api_key
WHEN NEW.bot_id IS NOT OLD.bot_id
BEGIN SELECT RAISE(ABORT, 'key_is_final'); END;

-- Otherwise the keys of the project that had the bot before would steer it in its new one.
CREATE TRIGGER bot_free_of_foreign_keys BEFORE INSERT ON bot
WHEN EXISTS (SELECT 1 FROM api_key
              WHERE bot_id = NEW.id AND project_id <> NEW.project_id AND revoked_at_ms IS NULL
                AND (expires_at_ms IS NULL OR expires_at_ms > round(unixepoch('subsec') * 1000)))
BEGIN SELECT RAISE(ABORT, 'bot_linked_to_foreign_keys'); END;

CREATE TRIGGER bot_keeps_its_project BEFORE UPDATE OF id, project_id ON bot
WHEN NEW.id <> OLD.id OR NEW.project_id <> OLD.project_id
BEGIN SELECT RAISE(ABORT, 'bot_keeps_its_project'); END;

-- A player as it was last seen, from which it comes back after a restart. Tracks are tokens (bot/token.ts);
-- `queue` is a JSON list of them, the next one first. `volume_before_mute` is set while the player is muted.
CREATE TABLE player (
  bot_id             TEXT NOT NULL REFERENCES bot (id) ON DELETE CASCADE,
  guild_id           TEXT NOT NULL,
  project_id         TEXT NOT NULL REFERENCES project (id),
  channel_id         TEXT NOT NULL,
  current            TEXT,
  queue              TEXT NOT NULL CHECK (json_type(queue) = 'array'),
  position_ms        INTEGER NOT NULL CHECK (position_ms >= 0),
  volume             REAL NOT NULL CHECK (volume BETWEEN 0 AND 200),
  muted              INTEGER NOT NULL CHECK (muted IN (0, 1)),
  volume_before_mute REAL CHECK (volume_before_mute BETWEEN 0 AND 200),
  paused             INTEGER NOT NULL CHECK (paused IN (0, 1)),
  loop               TEXT NOT NULL CHECK (loop IN ('off', 'track', 'queue')),
  updated_at_ms      INTEGER NOT NULL,
  PRIMARY KEY (bot_id, guild_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX player_by_project ON player (project_id);
