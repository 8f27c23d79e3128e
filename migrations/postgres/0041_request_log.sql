-- The oldest of all projects are removed first.
CREATE INDEX logged_request_by_id ON logged_request (id);

-- How many there are of each project: counting them takes too long.
CREATE TABLE logged_request_count (
  project_id text COLLATE "C" PRIMARY KEY,
  requests   bigint NOT NULL
);
INSERT INTO logged_request_count (project_id, requests)
  SELECT project_id, count(*) FROM logged_request GROUP BY project_id;
