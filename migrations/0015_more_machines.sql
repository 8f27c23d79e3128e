-- Projects and keys that several services share (peers/). `changed_at_ms` tells which of two names or plans is the later
-- one. `version` grows with every change of a project or of its keys, over all projects, so that what changed since a
-- look is found by one search in an index, whichever process wrote it.
ALTER TABLE project ADD COLUMN changed_at_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE project ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
CREATE INDEX project_by_version ON project (version);

-- 1: another service made it. It was acknowledged there, so it is taken as it is, also as the 26th active one, and though
-- its bot is registered there.
ALTER TABLE api_key ADD COLUMN made_elsewhere INTEGER NOT NULL DEFAULT 0 CHECK (made_elsewhere IN (0, 1));

DROP TRIGGER api_key_room_for_a_new_one;
CREATE TRIGGER api_key_room_for_a_new_one BEFORE INSERT ON api_key
WHEN NEW.revoked_at_ms IS NULL AND NEW.made_elsewhere = 0
 AND (NEW.expires_at_ms IS NULL OR NEW.expires_at_ms > round(unixepoch('subsec') * 1000))
 AND 25 <= (SELECT count(*) FROM api_key
             WHERE project_id = NEW.project_id AND revoked_at_ms IS NULL
               AND (expires_at_ms IS NULL OR expires_at_ms > round(unixepoch('subsec') * 1000)))
BEGIN SELECT RAISE(ABORT, 'too_many_active_keys'); END;

DROP TRIGGER api_key_links_to_a_bot_of_its_project;
CREATE TRIGGER api_key_links_to_a_bot_of_its_project BEFORE INSERT ON api_key
WHEN NEW.bot_id IS NOT NULL
 AND NOT EXISTS (SELECT 1 FROM bot WHERE id = NEW.bot_id AND project_id = NEW.project_id)
 AND (NEW.made_elsewhere = 0 OR EXISTS (SELECT 1 FROM bot WHERE id = NEW.bot_id))
BEGIN SELECT RAISE(ABORT, 'bot_not_of_this_project'); END;

CREATE TRIGGER project_version_of_a_new_one AFTER INSERT ON project
BEGIN UPDATE project SET version = 1 + (SELECT max(version) FROM project) WHERE id = NEW.id; END;

CREATE TRIGGER project_version AFTER UPDATE OF name, plan, changed_at_ms ON project
BEGIN UPDATE project SET version = 1 + (SELECT max(version) FROM project) WHERE id = NEW.id; END;

CREATE TRIGGER project_version_by_a_new_key AFTER INSERT ON api_key
BEGIN UPDATE project SET version = 1 + (SELECT max(version) FROM project) WHERE id = NEW.project_id; END;

CREATE TRIGGER project_version_by_a_key AFTER UPDATE OF expires_at_ms, revoked_at_ms ON api_key
BEGIN UPDATE project SET version = 1 + (SELECT max(version) FROM project) WHERE id = NEW.project_id; END;
