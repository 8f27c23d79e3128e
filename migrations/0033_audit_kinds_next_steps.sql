-- Controls of a player, such as skip and volume, are many and matter to few: they are listed apart from other changes, each
-- kind by its own index. `at_ms` finds where a span of time begins.
ALTER TABLE audit ADD COLUMN is_control INTEGER GENERATED ALWAYS AS (action GLOB 'player.*') VIRTUAL;

CREATE INDEX audit_by_kind ON audit (project_id, is_control, id);
CREATE INDEX audit_by_time ON audit (project_id, at_ms);

-- When this member put the next steps of the overview away; NULL while they are shown.
ALTER TABLE membership ADD COLUMN steps_hidden_at_ms INTEGER;
