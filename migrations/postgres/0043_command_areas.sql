-- Commands beside music that a guild has switched off: a JSON list of areas, by the names of bot/commands/help/areas.ts.
ALTER TABLE guild_settings
  ADD COLUMN areas_off text COLLATE "C" NOT NULL DEFAULT '[]' CHECK (json_typeof(areas_off::json) = 'array');
