-- `sender` is the service that sends to the webhook, until `sender_until_ms` unless it prolongs that; NULL: none does now.
-- `wakes` counts how often a person wanted it to be looked at.
ALTER TABLE webhook ADD COLUMN sender TEXT;
ALTER TABLE webhook ADD COLUMN sender_until_ms INTEGER;
ALTER TABLE webhook ADD COLUMN wakes INTEGER NOT NULL DEFAULT 0;
