-- A request channel, by /setup: the card stands in `channel_id` whether something plays or not. One bot to a channel.
ALTER TABLE card ADD COLUMN is_standing INTEGER NOT NULL DEFAULT 0 CHECK (is_standing IN (0, 1));
CREATE UNIQUE INDEX card_of_request_channel ON card (channel_id) WHERE is_standing = 1;
