-- What the members of a guild have set for one bot, by /settings. Where there is no row, everything is as it comes.
-- `vote_ratio` is the part of the listeners that has to agree to a skip. `stays` = 1: the bot stays in its channel with
-- nobody there and nothing to play. NULL: no DJ role, the card where it is asked for, each guild's own language, no limit.
CREATE TABLE guild_settings (
  bot_id              TEXT NOT NULL REFERENCES bot (id) ON DELETE CASCADE,
  guild_id            TEXT NOT NULL,
  dj_role_id          TEXT,
  vote_ratio          REAL NOT NULL CHECK (vote_ratio BETWEEN 0 AND 1),
  stays               INTEGER NOT NULL CHECK (stays IN (0, 1)),
  volume              REAL NOT NULL CHECK (volume BETWEEN 0 AND 200),
  announce_channel_id TEXT,
  language            TEXT,
  duplicates          INTEGER NOT NULL CHECK (duplicates IN (0, 1)),
  fair                INTEGER NOT NULL CHECK (fair IN (0, 1)),
  most_per_member     INTEGER CHECK (most_per_member BETWEEN 1 AND 5000),
  PRIMARY KEY (bot_id, guild_id)
) STRICT, WITHOUT ROWID;

-- Where a guild's now-playing card is. `message_id` is NULL while there is none, and the next one goes to `channel_id`.
CREATE TABLE card (
  bot_id     TEXT NOT NULL REFERENCES bot (id) ON DELETE CASCADE,
  guild_id   TEXT NOT NULL,
  channel_id TEXT NOT NULL,
  message_id TEXT,
  PRIMARY KEY (bot_id, guild_id)
) STRICT, WITHOUT ROWID;

-- A track that a member keeps with one bot. `track` is its token (bot/token.ts).
CREATE TABLE favourite (
  bot_id      TEXT NOT NULL REFERENCES bot (id) ON DELETE CASCADE,
  user_id     TEXT NOT NULL,
  track       TEXT NOT NULL,
  added_at_ms INTEGER NOT NULL,
  PRIMARY KEY (bot_id, user_id, track)
) STRICT, WITHOUT ROWID;

-- A list of tracks that a member saved with one bot under a name. `tracks` is a JSON list of tokens.
CREATE TABLE playlist (
  bot_id      TEXT NOT NULL REFERENCES bot (id) ON DELETE CASCADE,
  user_id     TEXT NOT NULL,
  name        TEXT NOT NULL COLLATE NOCASE CHECK (length(name) BETWEEN 1 AND 50),
  tracks      TEXT NOT NULL CHECK (json_type(tracks) = 'array'),
  saved_at_ms INTEGER NOT NULL,
  PRIMARY KEY (bot_id, user_id, name)
) STRICT, WITHOUT ROWID;
