-- Of the requests with the outcome `limited`: how many the budget of their class had no room for, and how many the total of
-- the project. The others met a bound that is no budget, such as that of open sockets; of requests before this it is not known.
ALTER TABLE usage ADD COLUMN over_class INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage ADD COLUMN over_total INTEGER NOT NULL DEFAULT 0;
