-- An address of a project that is told what happens. `events` and `bot_ids` are JSON lists of what it wants to hear of;
-- NULL: of all bots. `sealed_secret` signs what is sent and `sealed_former`, the one before it, until `former_until_ms`;
-- db/vault.ts encrypts both. `reason` says why the service itself disabled it; `failing_since_ms` is the first attempt that
-- failed since the last one that did not. `left_out` counts events for which there was no room.
CREATE TABLE webhook (
  id               TEXT PRIMARY KEY,
  project_id       TEXT NOT NULL REFERENCES project (id),
  url              TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 6144),
  description      TEXT NOT NULL CHECK (length(description) <= 200),
  events           TEXT NOT NULL CHECK (json_type(events) = 'array' AND json_array_length(events) > 0),
  bot_ids          TEXT CHECK (json_type(bot_ids) = 'array' AND json_array_length(bot_ids) > 0),
  sealed_secret    BLOB NOT NULL,
  sealed_former    BLOB,
  former_until_ms  INTEGER,
  state            TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'disabled')),
  reason           TEXT CHECK (reason IN ('gone', 'failing')),
  failing_since_ms INTEGER,
  left_out         INTEGER NOT NULL DEFAULT 0,
  created_at_ms    INTEGER NOT NULL,
  CHECK ((state = 'disabled') = (reason IS NOT NULL)),
  CHECK ((sealed_former IS NULL) = (former_until_ms IS NULL))
) STRICT;

CREATE INDEX webhook_by_project ON webhook (project_id, created_at_ms);

-- The rule raises an identifier, which db/ turns into a sentence.
CREATE TRIGGER webhook_room_for_a_new_one BEFORE INSERT ON webhook
WHEN 10 <= (SELECT count(*) FROM webhook WHERE project_id = NEW.project_id)
BEGIN SELECT RAISE(ABORT, 'too_many_webhooks'); END;

CREATE TRIGGER webhook_keeps_its_project BEFORE UPDATE OF id, project_id ON webhook
WHEN NEW.id <> OLD.id OR NEW.project_id <> OLD.project_id
BEGIN SELECT RAISE(ABORT, 'webhook_keeps_its_project'); END;

-- One event for one webhook, and what became of it. `body` is what is sent, byte for byte, each time. One that is pending
-- is tried at `next_at_ms`, and `tries_left` times at most.
CREATE TABLE webhook_delivery (
  number        INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  project_id    TEXT NOT NULL,
  webhook_id    TEXT NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
  type          TEXT NOT NULL,
  body          TEXT NOT NULL,
  state         TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts      INTEGER NOT NULL DEFAULT 0,
  tries_left    INTEGER NOT NULL,
  next_at_ms    INTEGER,
  created_at_ms INTEGER NOT NULL,
  CHECK ((state = 'pending') = (next_at_ms IS NOT NULL))
) STRICT;

CREATE INDEX webhook_delivery_by_webhook ON webhook_delivery (webhook_id, number);
CREATE INDEX webhook_delivery_ended ON webhook_delivery (webhook_id, number) WHERE next_at_ms IS NULL;
CREATE INDEX webhook_delivery_waiting ON webhook_delivery (webhook_id, next_at_ms) WHERE next_at_ms IS NOT NULL;

-- One try of a delivery: the status of the answer and how it began, or why there was none.
CREATE TABLE webhook_attempt (
  number      INTEGER PRIMARY KEY,
  delivery_id TEXT NOT NULL REFERENCES webhook_delivery (id) ON DELETE CASCADE,
  at_ms       INTEGER NOT NULL,
  duration_ms REAL NOT NULL,
  status      INTEGER,
  error       TEXT CHECK (error IN ('timed_out', 'unreachable', 'not_allowed', 'bad_certificate', 'malformed', 'no_secret')),
  excerpt     TEXT NOT NULL,
  CHECK ((status IS NULL) <> (error IS NULL))
) STRICT;

CREATE INDEX webhook_attempt_by_delivery ON webhook_attempt (delivery_id, number);
