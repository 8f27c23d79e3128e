-- How many requests a key made in a span of time, by route class and outcome. Every request is counted in the row of its
-- minute, of its hour and of its day (UTC), so a longer span is never summed up from shorter ones: minutes are kept for
-- two days, hours and days for ninety. `total_us` is the time that the answers took in all (microseconds), and `up_to_…` how many of
-- them took so many milliseconds at most (and more than the bound before). No foreign keys: a count outlives its key.
CREATE TABLE usage (
  span        TEXT NOT NULL CHECK (span IN ('minute', 'hour', 'day')),
  start_ms    INTEGER NOT NULL,
  project_id  TEXT NOT NULL,
  key_id      TEXT NOT NULL,
  class       TEXT NOT NULL,
  outcome     TEXT NOT NULL CHECK (outcome IN ('ok', 'client_error', 'limited', 'server_error')),
  requests    INTEGER NOT NULL,
  total_us    INTEGER NOT NULL,
  up_to_5     INTEGER NOT NULL,
  up_to_10    INTEGER NOT NULL,
  up_to_25    INTEGER NOT NULL,
  up_to_50    INTEGER NOT NULL,
  up_to_100   INTEGER NOT NULL,
  up_to_250   INTEGER NOT NULL,
  up_to_500   INTEGER NOT NULL,
  up_to_1000  INTEGER NOT NULL,
  up_to_2500  INTEGER NOT NULL,
  up_to_5000  INTEGER NOT NULL,
  up_to_10000 INTEGER NOT NULL,
  longer      INTEGER NOT NULL,
  PRIMARY KEY (span, start_ms, project_id, key_id, class, outcome)
) STRICT, WITHOUT ROWID;

CREATE INDEX usage_by_project ON usage (project_id, span, start_ms);
