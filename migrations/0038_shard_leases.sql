-- Beside Redis, the database witnesses which service holds which shard of a bot, until when and by which token. `shard` is
-- bot:count:number, of which `bot_id`, `shard_count` and `shard_id` are the parts. `redis_until_ms`: until then a service counts as one that reaches Redis.
CREATE TABLE shard_lease (
  shard       TEXT PRIMARY KEY,
  bot_id      TEXT NOT NULL,
  shard_count INTEGER NOT NULL,
  shard_id    INTEGER NOT NULL,
  service_id  TEXT NOT NULL,
  token       INTEGER NOT NULL,
  until_ms    INTEGER NOT NULL
) STRICT;
CREATE INDEX shard_lease_of_bot ON shard_lease (bot_id);

CREATE TABLE service_heartbeat (
  service_id     TEXT PRIMARY KEY,
  redis_until_ms INTEGER NOT NULL
) STRICT;
