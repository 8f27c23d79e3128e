-- A request of a project that was answered, as lib/request-log/request-log.ts has it. Time is in `id`. `writer` is a number of
-- the process: on PostgreSQL several of them write.
CREATE TABLE logged_request (
  id               INTEGER PRIMARY KEY,
  writer           INTEGER NOT NULL,
  project_id       TEXT NOT NULL,
  key_id           TEXT NOT NULL,
  request_id       TEXT NOT NULL,
  method           TEXT NOT NULL,
  operation        TEXT,
  route            TEXT,
  path             TEXT,
  status           INTEGER NOT NULL,
  code             TEXT,
  reason           TEXT,
  message          TEXT,
  duration_ms      REAL NOT NULL,
  address          TEXT,
  limit_class      TEXT,
  limit_per_minute INTEGER,
  limit_remaining  INTEGER,
  limit_spent      TEXT,
  trace_id         TEXT
) STRICT;

-- All that is filtered by: a rare answer among 200,000 requests is found in here without a look at the rows.
CREATE INDEX logged_request_of_project ON logged_request (project_id, id, status, operation, key_id, code, request_id);

-- How many there are of each project: counting them takes too long.
CREATE TABLE logged_request_count (
  project_id TEXT PRIMARY KEY,
  requests   INTEGER NOT NULL
) STRICT;
