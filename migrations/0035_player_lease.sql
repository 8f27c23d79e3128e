-- The right by which a player was written last: it grows whenever another service takes the player over, and whoever has an
-- older one writes it no more. 0 where one service runs all.
ALTER TABLE player ADD COLUMN lease INTEGER NOT NULL DEFAULT 0;
