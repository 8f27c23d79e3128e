-- What is between two pages of one browser: half a sign-in, a secret that is shown once, a form that is processed once. In the
-- database, so that any service continues what another one began. `digest` is of what only the browser has; `value` is sealed.
CREATE TABLE one_time_token (
  digest   BLOB PRIMARY KEY CHECK (length(digest) = 32),
  value    BLOB NOT NULL,
  -- Someone processes it.
  taken    INTEGER NOT NULL DEFAULT 0 CHECK (taken IN (0, 1)),
  until_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX one_time_token_by_end ON one_time_token (until_ms);

-- Tries to sign in, by account and address, all services together: how many, and until when the next one has to wait.
CREATE TABLE sign_in_try (
  digest   BLOB PRIMARY KEY CHECK (length(digest) = 32),
  count    INTEGER NOT NULL,
  until_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX sign_in_try_by_end ON sign_in_try (until_ms);
