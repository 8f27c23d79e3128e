-- Whether members of a guild may have websites shown.
ALTER TABLE guild_settings ADD COLUMN screenshots INTEGER NOT NULL DEFAULT 1 CHECK (screenshots IN (0, 1));
