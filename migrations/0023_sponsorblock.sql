-- What SponsorBlock's viewers marked and the members of a guild want passed over: a JSON list of categories, by SponsorBlock's
-- names. Empty: it is not asked.
ALTER TABLE guild_settings ADD COLUMN sponsor_block TEXT NOT NULL DEFAULT '[]' CHECK (json_type(sponsor_block) = 'array');
