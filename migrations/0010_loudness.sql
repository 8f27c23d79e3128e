-- Whether every track is played as loud as the others in a guild; NULL: as the service is configured.
ALTER TABLE guild_settings ADD COLUMN levelled INTEGER CHECK (levelled IN (0, 1));
