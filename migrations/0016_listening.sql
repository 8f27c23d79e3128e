-- Whether owners and managers of the project may hear in the dashboard what the bot plays. Off until an owner allows it.
ALTER TABLE bot ADD COLUMN may_listen INTEGER NOT NULL DEFAULT 0 CHECK (may_listen IN (0, 1));
