-- What members may do to the player, as a guild has set it: a JSON object of rules by permission. A permission that is not
-- in it has its default.
ALTER TABLE guild_settings ADD COLUMN permissions TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(permissions));

-- Where a DJ role was set, only DJs were in charge until now. It stays like that, until the guild sets something else.
UPDATE guild_settings
   SET permissions = '{"playNext":"dj","pause":"dj","resume":"dj","seek":"dj","volume":"dj","filters":"dj","loop":"dj",'
                  || '"autoplay":"dj","shuffle":"dj","move":"dj","remove":"requester","clear":"dj","stop":"dj"}'
 WHERE dj_role_id IS NOT NULL;
