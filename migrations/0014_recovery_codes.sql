-- A code that passes the second factor once, for who has lost the phone. It is 80 random bits, of which only the SHA-256
-- (together with the account) is kept. Turning the second factor off or on anew ends all of them.
CREATE TABLE recovery_code (
  account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  digest     BLOB NOT NULL CHECK (length(digest) = 32),
  PRIMARY KEY (account_id, digest)
) STRICT, WITHOUT ROWID;
