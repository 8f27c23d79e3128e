-- A request of a project that was answered, as lib/request-log/request-log.ts has it; from all services. `writer` is a random
-- number of the process, since two of them may give the same id at the same moment. Time is in `id`.
CREATE TABLE logged_request (
  id               bigint NOT NULL,
  writer           bigint NOT NULL,
  project_id       text COLLATE "C" NOT NULL,
  key_id           text COLLATE "C" NOT NULL,
  request_id       text COLLATE "C" NOT NULL,
  method           text COLLATE "C" NOT NULL,
  operation        text COLLATE "C",
  route            text COLLATE "C",
  path             text COLLATE "C",
  status           bigint NOT NULL,
  code             text COLLATE "C",
  reason           text COLLATE "C",
  message          text COLLATE "C",
  duration_ms      double precision NOT NULL,
  address          text COLLATE "C",
  limit_class      text COLLATE "C",
  limit_per_minute bigint,
  limit_remaining  bigint,
  limit_spent      text COLLATE "C",
  trace_id         text COLLATE "C",
  PRIMARY KEY (project_id, id, writer)
);

CREATE INDEX logged_request_by_request_id ON logged_request (project_id, request_id, id);

-- One row: when old requests were removed last, so that one service at a time does it.
CREATE TABLE logged_request_pruning (
  id           bigint PRIMARY KEY CHECK (id = 1),
  pruned_at_ms bigint NOT NULL
);
