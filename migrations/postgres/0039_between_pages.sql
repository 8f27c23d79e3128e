-- As migrations/0039_between_pages.sql.
CREATE TABLE one_time_token (
  digest   bytea PRIMARY KEY CHECK (length(digest) = 32),
  value    bytea NOT NULL,
  taken    bigint NOT NULL DEFAULT 0 CHECK (taken IN (0, 1)),
  until_ms bigint NOT NULL
);
CREATE INDEX one_time_token_by_end ON one_time_token (until_ms);

CREATE TABLE sign_in_try (
  digest   bytea PRIMARY KEY CHECK (length(digest) = 32),
  count    bigint NOT NULL,
  until_ms bigint NOT NULL
);
CREATE INDEX sign_in_try_by_end ON sign_in_try (until_ms);

-- A request has no effect yet when it begins; `NULL::json IS NOT NULL` is false, and refused it.
ALTER TABLE idempotent_request DROP CONSTRAINT idempotent_request_effect_check;
ALTER TABLE idempotent_request ADD CONSTRAINT idempotent_request_effect_check
  CHECK (effect IS NULL OR effect::json IS NOT NULL);
