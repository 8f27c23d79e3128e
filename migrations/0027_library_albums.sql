-- Albums, artists and pictures of the library. NULL where the tags say nothing.
ALTER TABLE library_track ADD COLUMN album_artist TEXT;
ALTER TABLE library_track ADD COLUMN album_id TEXT;
ALTER TABLE library_track ADD COLUMN disc_number INTEGER;
ALTER TABLE library_track ADD COLUMN track_number INTEGER;
-- Whether the file itself holds a picture.
ALTER TABLE library_track ADD COLUMN has_picture INTEGER NOT NULL DEFAULT 0 CHECK (has_picture IN (0, 1));
-- The picture file beside it and when that was changed; an empty name where there is none. NULL: the file was read before
-- there were covers, and is read once more.
ALTER TABLE library_track ADD COLUMN cover_file TEXT;
ALTER TABLE library_track ADD COLUMN cover_at_ms INTEGER NOT NULL DEFAULT 0;

CREATE INDEX library_track_of_album_id ON library_track (album_id, disc_number, track_number);
CREATE INDEX library_track_of_artist ON library_track (coalesce(album_artist, author));

-- What the library can be browsed by; `track_count` says how many tracks are left, the last one takes its row along.
-- `artist` is empty where the tracks of an album name several.
CREATE TABLE library_album (
  number      INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  title       TEXT NOT NULL,
  artist      TEXT NOT NULL,
  track_count INTEGER NOT NULL
) STRICT;

CREATE INDEX library_album_by_title ON library_album (title COLLATE NOCASE, id);
CREATE INDEX library_album_of_artist ON library_album (artist, title COLLATE NOCASE);

CREATE TABLE library_artist (
  number      INTEGER PRIMARY KEY,
  name        TEXT NOT NULL UNIQUE,
  track_count INTEGER NOT NULL
) STRICT;

CREATE INDEX library_artist_by_name ON library_artist (name COLLATE NOCASE);

-- Their words, as in `library_words`.
CREATE VIRTUAL TABLE library_album_words USING fts5 (
  title, artist,
  content = '', contentless_delete = 1, prefix = '2 3',
  tokenize = 'unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE library_artist_words USING fts5 (
  name,
  content = '', contentless_delete = 1, prefix = '2 3',
  tokenize = 'unicode61 remove_diacritics 2'
);

CREATE TRIGGER library_albums_go_with_their_last_track AFTER DELETE ON library_track WHEN OLD.album_id IS NOT NULL
BEGIN
  UPDATE library_album SET track_count = track_count - 1 WHERE id = OLD.album_id;
  DELETE FROM library_album WHERE id = OLD.album_id AND track_count <= 0;
END;

-- A file that was read before there were artists is not counted among them.
CREATE TRIGGER library_artists_go_with_their_last_track AFTER DELETE ON library_track WHEN OLD.cover_file IS NOT NULL
BEGIN
  UPDATE library_artist SET track_count = track_count - 1 WHERE name = coalesce(OLD.album_artist, OLD.author);
  DELETE FROM library_artist WHERE name = coalesce(OLD.album_artist, OLD.author) AND track_count <= 0;
END;

CREATE TRIGGER library_album_words_go_with_their_album AFTER DELETE ON library_album
BEGIN DELETE FROM library_album_words WHERE rowid = OLD.number; END;

CREATE TRIGGER library_artist_words_go_with_their_artist AFTER DELETE ON library_artist
BEGIN DELETE FROM library_artist_words WHERE rowid = OLD.number; END;
