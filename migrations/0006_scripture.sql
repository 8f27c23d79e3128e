-- A translation of scripture that was imported and is read without the network. `is_complete` is 0 while an import
-- writes it, piece by piece, so that the service is never kept from writing for long; nobody sees it before it is 1.
-- Its verses have the ids from `first_verse` to `last_verse`. `imported_at` is ISO 8601 in UTC.
CREATE TABLE scripture_translation (
  id          INTEGER PRIMARY KEY,
  code        TEXT NOT NULL COLLATE NOCASE,
  lang        TEXT NOT NULL,
  language    TEXT NOT NULL,
  name        TEXT NOT NULL,
  description TEXT NOT NULL,
  license     TEXT NOT NULL,
  is_complete INTEGER NOT NULL DEFAULT 0 CHECK (is_complete IN (0, 1)),
  first_verse INTEGER NOT NULL DEFAULT 0,
  last_verse  INTEGER NOT NULL DEFAULT -1,
  imported_at TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX scripture_translation_by_code ON scripture_translation (code) WHERE is_complete = 1;

-- A book of a translation, in its order there. `osis` is its OSIS code, such as `1John`.
CREATE TABLE scripture_book (
  translation_id INTEGER NOT NULL REFERENCES scripture_translation (id) ON DELETE CASCADE,
  number         INTEGER NOT NULL,
  osis           TEXT NOT NULL,
  name           TEXT NOT NULL,
  PRIMARY KEY (translation_id, number)
) STRICT, WITHOUT ROWID;

-- A verse. Ids grow in the order of the translation's books, chapters and verses.
CREATE TABLE scripture_verse (
  id             INTEGER PRIMARY KEY,
  translation_id INTEGER NOT NULL REFERENCES scripture_translation (id),
  book           INTEGER NOT NULL,
  chapter        INTEGER NOT NULL,
  verse          INTEGER NOT NULL,
  text           TEXT NOT NULL,
  UNIQUE (translation_id, book, chapter, verse)
) STRICT;

-- The words of a verse, folded by the program, for the search; `rowid` is the verse's id. The text is not kept again.
CREATE VIRTUAL TABLE scripture_words USING fts5 (
  text,
  content = '', contentless_delete = 1, detail = 'full',
  tokenize = 'unicode61 remove_diacritics 0'
);

CREATE TRIGGER scripture_words_go_with_their_verse AFTER DELETE ON scripture_verse
BEGIN DELETE FROM scripture_words WHERE rowid = OLD.id; END;
