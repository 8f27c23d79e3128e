-- Services no longer merge projects over Redis: several of them have one PostgreSQL database. What told which of two states of
-- a project, a key or a pool was the later one goes. Keys that another service made stay, also for bots that are not here.
DROP TRIGGER project_version_of_a_new_one;
DROP TRIGGER project_version;
DROP TRIGGER project_version_by_a_new_key;
DROP TRIGGER project_version_by_a_key;
DROP TRIGGER project_version_by_a_new_pool;
DROP TRIGGER project_version_by_a_pool;
DROP TRIGGER api_key_room_for_a_new_one;
DROP TRIGGER api_key_links_to_a_bot_of_its_project;
DROP TRIGGER api_key_links_to_a_pool_of_its_project;
DROP TRIGGER pool_loses_a_removed_bot;
DROP INDEX project_by_version;
ALTER TABLE project DROP COLUMN version;
ALTER TABLE project DROP COLUMN changed_at_ms;
ALTER TABLE pool DROP COLUMN changed_at_ms;
ALTER TABLE api_key DROP COLUMN made_elsewhere;

CREATE TRIGGER api_key_room_for_a_new_one BEFORE INSERT ON api_key
WHEN NEW.revoked_at_ms IS NULL
 AND (NEW.expires_at_ms IS NULL OR NEW.expires_at_ms > round(unixepoch('subsec') * 1000))
 AND 25 <= (SELECT count(*) FROM api_key
             WHERE project_id = NEW.project_id AND revoked_at_ms IS NULL
               AND (expires_at_ms IS NULL OR expires_at_ms > round(unixepoch('subsec') * 1000)))
BEGIN SELECT RAISE(ABORT, 'too_many_active_keys'); END;

CREATE TRIGGER api_key_links_to_a_bot_of_its_project BEFORE INSERT ON api_key
WHEN NEW.bot_id IS NOT NULL
 AND NOT EXISTS (SELECT 1 FROM bot WHERE id = NEW.bot_id AND project_id = NEW.project_id)
BEGIN SELECT RAISE(ABORT, 'bot_not_of_this_project'); END;

CREATE TRIGGER api_key_links_to_a_pool_of_its_project BEFORE INSERT ON api_key
WHEN NEW.pool_id IS NOT NULL
 AND NOT EXISTS (SELECT 1 FROM pool WHERE id = NEW.pool_id AND project_id = NEW.project_id AND removed_at_ms IS NULL)
BEGIN SELECT RAISE(ABORT, 'pool_not_of_this_project'); END;

CREATE TRIGGER pool_loses_a_removed_bot AFTER DELETE ON bot
BEGIN
  UPDATE pool SET bot_ids = (SELECT json_group_array(value) FROM json_each(pool.bot_ids) WHERE value <> OLD.id)
   WHERE project_id = OLD.project_id AND EXISTS (SELECT 1 FROM json_each(pool.bot_ids) WHERE value = OLD.id);
END;
