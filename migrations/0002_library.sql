-- An audio file of the library folder, as its tags described it when it was last read. `id` is derived from `path` and
-- stands in track tokens; `path` is relative to the folder, with `/` between its parts. A file whose size and time are
-- unchanged is not read again. `codec` says whether the sound can be sent as it is.
CREATE TABLE library_track (
  number         INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  path           TEXT NOT NULL UNIQUE,
  size_bytes     INTEGER NOT NULL,
  modified_at_ms INTEGER NOT NULL,
  title          TEXT NOT NULL,
  author         TEXT NOT NULL,
  album          TEXT,
  length_ms      INTEGER NOT NULL,
  isrc           TEXT,
  probe          TEXT,
  codec          TEXT NOT NULL CHECK (codec IN ('ogg-opus', 'webm-opus', 'other'))
) STRICT;

-- The words of a track, for the search; `rowid` is the track's `number`. The text itself is not kept.
CREATE VIRTUAL TABLE library_words USING fts5 (
  title, author, album, file,
  content = '', contentless_delete = 1, prefix = '2 3',
  tokenize = 'unicode61 remove_diacritics 2'
);

CREATE TRIGGER library_words_go_with_their_track AFTER DELETE ON library_track
BEGIN DELETE FROM library_words WHERE rowid = OLD.number; END;
