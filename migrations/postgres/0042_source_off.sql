-- A music source that operators turned off on the dashboard. `MUSIC_SOURCES` says which ones there are to turn off.
CREATE TABLE source_off (
  name text COLLATE "C" PRIMARY KEY
);
