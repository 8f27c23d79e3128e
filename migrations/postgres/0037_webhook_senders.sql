-- As migrations/0037_webhook_senders.sql.
ALTER TABLE webhook ADD COLUMN sender text COLLATE "C";
ALTER TABLE webhook ADD COLUMN sender_until_ms bigint;
ALTER TABLE webhook ADD COLUMN wakes bigint NOT NULL DEFAULT 0;
