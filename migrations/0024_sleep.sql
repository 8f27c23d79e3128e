-- The sleep timer of a player as JSON, {"endsAtMs": …}, milliseconds since 1970; null in it: at the end of the track that
-- plays. NULL: none runs.
ALTER TABLE player ADD COLUMN sleep TEXT;
