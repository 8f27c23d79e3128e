-- A music source that the running service finds failing, for the command line. Emptied at each start. Time is
-- milliseconds since 1970.
CREATE TABLE source_failure (
  name     TEXT PRIMARY KEY,
  failure  TEXT NOT NULL CHECK (failure IN ('refused', 'unreachable', 'changed')),
  since_ms INTEGER NOT NULL
) STRICT;
