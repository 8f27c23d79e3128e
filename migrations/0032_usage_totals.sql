-- What the keys of a project asked for in a span of time, in all (`name` is empty) and by class, by key and by route, each a
-- row of its own, so that a year of days is read without adding up every key's every class. Written together with `usage`:
-- minutes are kept for two days, hours for ninety, days (UTC) for a year. `up_to_…` are the buckets of `usage`, over all
-- outcomes. No foreign keys: a count outlives its key, and a route its version.
CREATE TABLE usage_total (
  project_id    TEXT NOT NULL,
  span          TEXT NOT NULL CHECK (span IN ('minute', 'hour', 'day')),
  part          TEXT NOT NULL CHECK (part IN ('all', 'class', 'key', 'route')),
  start_ms      INTEGER NOT NULL,
  name          TEXT NOT NULL,
  ok            INTEGER NOT NULL,
  client_errors INTEGER NOT NULL,
  limited       INTEGER NOT NULL,
  server_errors INTEGER NOT NULL,
  over_class    INTEGER NOT NULL,
  over_total    INTEGER NOT NULL,
  total_us      INTEGER NOT NULL,
  up_to_5       INTEGER NOT NULL,
  up_to_10      INTEGER NOT NULL,
  up_to_25      INTEGER NOT NULL,
  up_to_50      INTEGER NOT NULL,
  up_to_100     INTEGER NOT NULL,
  up_to_250     INTEGER NOT NULL,
  up_to_500     INTEGER NOT NULL,
  up_to_1000    INTEGER NOT NULL,
  up_to_2500    INTEGER NOT NULL,
  up_to_5000    INTEGER NOT NULL,
  up_to_10000   INTEGER NOT NULL,
  longer        INTEGER NOT NULL,
  PRIMARY KEY (project_id, span, part, start_ms, name)
) STRICT, WITHOUT ROWID;

-- For what is too old to keep.
CREATE INDEX usage_total_by_age ON usage_total (span, start_ms);

-- What was counted so far; routes were not.
INSERT INTO usage_total
SELECT project_id, span, part.name, start_ms, CASE part.name WHEN 'class' THEN class WHEN 'key' THEN key_id ELSE '' END,
       sum(CASE outcome WHEN 'ok' THEN requests ELSE 0 END),
       sum(CASE outcome WHEN 'client_error' THEN requests ELSE 0 END),
       sum(CASE outcome WHEN 'limited' THEN requests ELSE 0 END),
       sum(CASE outcome WHEN 'server_error' THEN requests ELSE 0 END),
       sum(over_class), sum(over_total), sum(total_us),
       sum(up_to_5), sum(up_to_10), sum(up_to_25), sum(up_to_50), sum(up_to_100), sum(up_to_250),
       sum(up_to_500), sum(up_to_1000), sum(up_to_2500), sum(up_to_5000), sum(up_to_10000), sum(longer)
  FROM usage, (SELECT 'all' AS name UNION ALL SELECT 'class' UNION ALL SELECT 'key') AS part
 GROUP BY 1, 2, 3, 4, 5;
