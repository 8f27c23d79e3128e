-- How long two tracks sound together where one follows the other, and how long skip, pause, seek and stop fade; 0: not at all.
ALTER TABLE guild_settings ADD COLUMN crossfade_ms INTEGER NOT NULL DEFAULT 0 CHECK (crossfade_ms BETWEEN 0 AND 12000);
ALTER TABLE guild_settings ADD COLUMN fade_ms INTEGER NOT NULL DEFAULT 150 CHECK (fade_ms BETWEEN 0 AND 1000);
