-- `past` is a JSON list of the tracks played before, the last one first. `requester_ids` is a JSON list of the Discord
-- users who asked for `current` (where there is one) and for each of `queue`, in that order; null where a program did.
ALTER TABLE player ADD COLUMN past TEXT NOT NULL DEFAULT '[]' CHECK (json_type(past) = 'array');
ALTER TABLE player ADD COLUMN requester_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_type(requester_ids) = 'array');
