-- The filters of the sound as JSON, a preset spelled out.
ALTER TABLE player ADD COLUMN filters TEXT NOT NULL DEFAULT '{}' CHECK (json_type(filters) = 'object');
