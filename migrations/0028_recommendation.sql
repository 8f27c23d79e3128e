-- Why autoplay chose the current track, as JSON; NULL where it was asked for.
ALTER TABLE player ADD COLUMN recommendation TEXT;
