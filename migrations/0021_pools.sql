-- Bots of a project that stand in for each other behind one key. `bot_ids` is a JSON list, the preferred one first; as with
-- keys, some of them may be registered with another service only. `changed_at_ms` tells which of two states is the later
-- one. A pool that was removed stays as a row, so that no other service brings it back; keys that are linked to it control
-- nothing.
CREATE TABLE pool (
  id            TEXT PRIMARY KEY,
  project_id    TEXT NOT NULL REFERENCES project (id),
  name          TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  bot_ids       TEXT NOT NULL CHECK (json_type(bot_ids) = 'array'),
  created_at_ms INTEGER NOT NULL,
  changed_at_ms INTEGER NOT NULL,
  removed_at_ms INTEGER
) STRICT;

CREATE INDEX pool_by_project ON pool (project_id);

-- A bot that is here and belongs to another project must not be steered by this one.
CREATE TRIGGER pool_of_bots_of_its_project BEFORE INSERT ON pool
WHEN EXISTS (SELECT 1 FROM json_each(NEW.bot_ids) JOIN bot ON bot.id = value WHERE bot.project_id <> NEW.project_id)
BEGIN SELECT RAISE(ABORT, 'bot_not_of_this_project'); END;

CREATE TRIGGER pool_keeps_to_bots_of_its_project BEFORE UPDATE OF bot_ids ON pool
WHEN EXISTS (SELECT 1 FROM json_each(NEW.bot_ids) JOIN bot ON bot.id = value WHERE bot.project_id <> NEW.project_id)
BEGIN SELECT RAISE(ABORT, 'bot_not_of_this_project'); END;

CREATE TRIGGER pool_keeps_its_project BEFORE UPDATE OF id, project_id ON pool
WHEN NEW.id <> OLD.id OR NEW.project_id <> OLD.project_id
BEGIN SELECT RAISE(ABORT, 'pool_keeps_its_project'); END;

CREATE TRIGGER pool_loses_a_removed_bot AFTER DELETE ON bot
BEGIN
  UPDATE pool
     SET bot_ids = (SELECT json_group_array(value) FROM json_each(pool.bot_ids) WHERE value <> OLD.id),
         changed_at_ms = max(changed_at_ms + 1, CAST(round(unixepoch('subsec') * 1000) AS INTEGER))
   WHERE project_id = OLD.project_id AND EXISTS (SELECT 1 FROM json_each(pool.bot_ids) WHERE value = OLD.id);
END;

CREATE TRIGGER project_version_by_a_new_pool AFTER INSERT ON pool
BEGIN UPDATE project SET version = 1 + (SELECT max(version) FROM project) WHERE id = NEW.project_id; END;

CREATE TRIGGER project_version_by_a_pool AFTER UPDATE OF name, bot_ids, removed_at_ms ON pool
BEGIN UPDATE project SET version = 1 + (SELECT max(version) FROM project) WHERE id = NEW.project_id; END;

-- A key is linked to a bot, to a pool, or to neither.
ALTER TABLE api_key ADD COLUMN pool_id TEXT CHECK (pool_id IS NULL OR bot_id IS NULL);

CREATE TRIGGER api_key_links_to_a_pool_of_its_project BEFORE INSERT ON api_key
WHEN NEW.pool_id IS NOT NULL
 AND NOT EXISTS (SELECT 1 FROM pool WHERE id = NEW.pool_id AND project_id = NEW.project_id AND removed_at_ms IS NULL)
 AND (NEW.made_elsewhere = 0 OR EXISTS (SELECT 1 FROM pool WHERE id = NEW.pool_id AND project_id <> NEW.project_id))
BEGIN SELECT RAISE(ABORT, 'pool_not_of_this_project'); END;

CREATE TRIGGER api_key_keeps_its_pool BEFORE UPDATE OF pool_id ON api_key
WHEN NEW.pool_id IS NOT OLD.pool_id
BEGIN SELECT RAISE(ABORT, 'key_is_final'); END;
