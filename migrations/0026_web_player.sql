-- A link that lets one member of a guild into the web player, once and soon. Only the SHA-256 of its secret is kept.
-- `locale` is the language of the member's app as Discord calls it, `channel_id` where the command was used.
CREATE TABLE web_player_link (
  digest        BLOB PRIMARY KEY CHECK (length(digest) = 32),
  project_id    TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
  guild_id      TEXT NOT NULL,
  user_id       TEXT NOT NULL,
  channel_id    TEXT,
  locale        TEXT NOT NULL,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX web_player_link_of_member ON web_player_link (project_id, guild_id, user_id);

-- A browser, or an Activity inside Discord, in which a member uses the web player of one guild. Its secret is 256 random
-- bits, of which only the SHA-256 is kept.
CREATE TABLE web_player_session (
  digest        BLOB PRIMARY KEY CHECK (length(digest) = 32),
  project_id    TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
  guild_id      TEXT NOT NULL,
  user_id       TEXT NOT NULL,
  channel_id    TEXT,
  locale        TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  seen_at_ms    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX web_player_session_of_member ON web_player_session (project_id, guild_id, user_id);
