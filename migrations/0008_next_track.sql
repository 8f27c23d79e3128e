-- The track that was asked for to play after the current one, ahead of the queue; null where there is none.
ALTER TABLE player ADD COLUMN next_track TEXT;
