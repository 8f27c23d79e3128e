-- Whether similar tracks follow when the queue of a guild runs out.
ALTER TABLE guild_settings ADD COLUMN autoplay INTEGER NOT NULL DEFAULT 0 CHECK (autoplay IN (0, 1));

-- What a bot played in a guild: a row for each track that was heard, written when it ended; only the newest of a guild are
-- kept. `track` is its token, `song` and `artist` its names as they are compared (bot/autoplay/song.ts). `requester_id` is
-- NULL where a program asked or autoplay chose; `provider` names who recommended it, NULL where it was asked for.
-- `heard_ms` is the position that was reached, `length_ms` is 0 where the length is not known.
CREATE TABLE play_history (
  id            INTEGER PRIMARY KEY,
  bot_id        TEXT NOT NULL REFERENCES bot (id) ON DELETE CASCADE,
  guild_id      TEXT NOT NULL,
  track         TEXT NOT NULL,
  song          TEXT NOT NULL,
  artist        TEXT NOT NULL,
  requester_id  TEXT,
  provider      TEXT,
  started_at_ms INTEGER NOT NULL,
  heard_ms      INTEGER NOT NULL,
  length_ms     INTEGER NOT NULL,
  ended         TEXT NOT NULL CHECK (ended IN ('finished', 'skipped', 'failed', 'closed'))
) STRICT;

CREATE INDEX play_history_of_guild ON play_history (bot_id, guild_id, id);
CREATE INDEX play_history_of_song ON play_history (bot_id, guild_id, song, id);

-- Empty where the tags name none. NULL: the file was read before there were genres, and is read once more.
ALTER TABLE library_track ADD COLUMN genre TEXT;
CREATE INDEX library_track_of_author ON library_track (author);
CREATE INDEX library_track_of_album ON library_track (album);
CREATE INDEX library_track_of_genre ON library_track (genre);
