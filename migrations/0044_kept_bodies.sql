-- Query, body and answer of a failed request: JSON, as lib/request-log/kept-bodies.ts has it, for an hour.
ALTER TABLE logged_request ADD COLUMN bodies TEXT;
CREATE INDEX logged_request_with_bodies ON logged_request (project_id, id) WHERE bodies IS NOT NULL;

-- A project that keeps them, and until when; an hour longer, for those that it has.
CREATE TABLE logged_request_capture (
  project_id TEXT PRIMARY KEY,
  until_ms   INTEGER NOT NULL
) STRICT;
