-- As migrations/0038_shard_leases.sql. Renewed more than once a second: with room on its page, a row moves within it.
CREATE TABLE shard_lease (
  shard       text COLLATE "C" PRIMARY KEY,
  bot_id      text COLLATE "C" NOT NULL,
  shard_count bigint NOT NULL,
  shard_id    bigint NOT NULL,
  service_id  text COLLATE "C" NOT NULL,
  token       bigint NOT NULL,
  until_ms    bigint NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX shard_lease_of_bot ON shard_lease (bot_id);

CREATE TABLE service_heartbeat (
  service_id     text COLLATE "C" PRIMARY KEY,
  redis_until_ms bigint NOT NULL
) WITH (fillfactor = 50);
