-- As migrations/0040_one_database.sql.
DROP TRIGGER project_version_of_a_new_one ON project;
DROP TRIGGER project_version ON project;
DROP TRIGGER project_version_by_a_new_key ON api_key;
DROP TRIGGER project_version_by_a_key ON api_key;
DROP TRIGGER project_version_by_a_new_pool ON pool;
DROP TRIGGER project_version_by_a_pool ON pool;
DROP FUNCTION raise_project_version();
DROP TRIGGER api_key_room_for_a_new_one ON api_key;
DROP INDEX project_by_version;
ALTER TABLE project DROP COLUMN version;
ALTER TABLE project DROP COLUMN changed_at_ms;
ALTER TABLE pool DROP COLUMN changed_at_ms;
ALTER TABLE api_key DROP COLUMN made_elsewhere;

CREATE TRIGGER api_key_room_for_a_new_one BEFORE INSERT ON api_key FOR EACH ROW
WHEN (NEW.revoked_at_ms IS NULL AND (NEW.expires_at_ms IS NULL OR NEW.expires_at_ms > now_ms()))
EXECUTE FUNCTION assert_room_for_key();

CREATE OR REPLACE FUNCTION assert_bot_of_key() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM bot WHERE id = NEW.bot_id AND project_id = NEW.project_id) THEN
    RAISE EXCEPTION 'bot_not_of_this_project';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION assert_pool_of_key() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pool WHERE id = NEW.pool_id AND project_id = NEW.project_id AND removed_at_ms IS NULL) THEN
    RAISE EXCEPTION 'pool_not_of_this_project';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION take_bot_out_of_pools() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN
  UPDATE pool
     SET bot_ids = (SELECT coalesce(json_agg(listed.id ORDER BY listed.place), '[]')::text
                      FROM json_array_elements_text(pool.bot_ids::json) WITH ORDINALITY AS listed (id, place)
                     WHERE listed.id <> OLD.id)
   WHERE project_id = OLD.project_id
     AND EXISTS (SELECT 1 FROM json_array_elements_text(pool.bot_ids::json) AS listed (id) WHERE listed.id = OLD.id);
  RETURN NULL;
END $$;
