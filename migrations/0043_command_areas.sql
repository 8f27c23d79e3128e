-- Commands beside music that a guild has switched off: a JSON list of areas, by the names of bot/commands/help/areas.ts.
ALTER TABLE guild_settings ADD COLUMN areas_off TEXT NOT NULL DEFAULT '[]' CHECK (json_type(areas_off) = 'array');
