-- A change that a caller sent with an `Idempotency-Key`, for a day: `owner` is the bot or pool of the API key, empty where it has
-- none. `digest` is the SHA-256 of verb, path, query and body. `process` ran it: a row without a status whose process is gone
-- was cut off. `effect` is JSON, written together with the change itself: what the answer holds as far as it was known
-- then. `status` is set once it was answered; `answer` is the body, null where it was too long to keep.
CREATE TABLE idempotent_request (
  id            INTEGER PRIMARY KEY,
  project_id    TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
  owner         TEXT NOT NULL,
  key           TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  digest        BLOB NOT NULL CHECK (length(digest) = 32),
  process       TEXT NOT NULL,
  effect        TEXT CHECK (json_valid(effect)),
  status        INTEGER CHECK (status BETWEEN 200 AND 299),
  answer        TEXT CHECK (length(answer) <= 16384),
  etag          TEXT,
  created_at_ms INTEGER NOT NULL,
  UNIQUE (project_id, owner, key)
) STRICT;

CREATE INDEX idempotent_request_by_age ON idempotent_request (created_at_ms);
CREATE INDEX idempotent_request_of_project ON idempotent_request (project_id, id);
