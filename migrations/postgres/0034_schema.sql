-- The schema as the SQLite migrations up to this number make it, for what several services share. What belongs to the disk of
-- one machine, the index of the library and scripture, is not here. Each table's comment is where SQLite makes it. Names are the
-- same; INTEGER is bigint, REAL double precision, BLOB bytea, and a text without regard to case citext. Text compares by bytes, as
-- on SQLite. Rules raise identifiers, which db/ turns into sentences.
CREATE EXTENSION IF NOT EXISTS citext;

CREATE TABLE project (
  id            text COLLATE "C" PRIMARY KEY,
  name          text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  plan          text COLLATE "C" NOT NULL CHECK (plan IN ('free', 'standard', 'advanced', 'scale')),
  created_at_ms bigint NOT NULL,
  changed_at_ms bigint NOT NULL DEFAULT 0,
  version bigint NOT NULL DEFAULT 0
);

CREATE TABLE bot (
  id            text COLLATE "C" PRIMARY KEY CHECK (length(id) BETWEEN 17 AND 20 AND id ~ '^[0-9]+$'),
  project_id    text COLLATE "C" NOT NULL REFERENCES project (id),
  name          text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  sealed_token  bytea NOT NULL,
  sandbox       bigint NOT NULL DEFAULT 0 CHECK (sandbox IN (0, 1)),
  created_at_ms bigint NOT NULL,
  stopped bigint NOT NULL DEFAULT 0 CHECK (stopped IN (0, 1)),
  may_listen bigint NOT NULL DEFAULT 0 CHECK (may_listen IN (0, 1))
);
CREATE INDEX bot_by_project ON bot (project_id);

CREATE TABLE api_key (
  id              text COLLATE "C" PRIMARY KEY,
  project_id      text COLLATE "C" NOT NULL REFERENCES project (id),
  prefix          text COLLATE "C" NOT NULL CHECK (length(prefix) = 8 AND prefix ~ '^[0-9a-f]+$'),
  digest          bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
  name            text COLLATE "C" CHECK (length(name) BETWEEN 1 AND 100),
  bot_id          text COLLATE "C",
  allow           text COLLATE "C" CHECK (json_typeof(allow::json) = 'array'),
  classes         text COLLATE "C" CHECK (json_typeof(classes::json) = 'array'),
  created_at_ms   bigint NOT NULL,
  expires_at_ms   bigint,
  revoked_at_ms   bigint,
  last_used_at_ms bigint,
  made_elsewhere bigint NOT NULL DEFAULT 0 CHECK (made_elsewhere IN (0, 1)),
  pool_id text COLLATE "C" CHECK (pool_id IS NULL OR bot_id IS NULL)
);
CREATE INDEX api_key_by_project ON api_key (project_id);

CREATE TABLE player (
  bot_id             text COLLATE "C" NOT NULL REFERENCES bot (id) ON DELETE CASCADE,
  guild_id           text COLLATE "C" NOT NULL,
  project_id         text COLLATE "C" NOT NULL REFERENCES project (id),
  channel_id         text COLLATE "C" NOT NULL,
  current            text COLLATE "C",
  queue              text COLLATE "C" NOT NULL CHECK (json_typeof(queue::json) = 'array'),
  position_ms        bigint NOT NULL CHECK (position_ms >= 0),
  volume             double precision NOT NULL CHECK (volume BETWEEN 0 AND 200),
  muted              bigint NOT NULL CHECK (muted IN (0, 1)),
  volume_before_mute double precision CHECK (volume_before_mute BETWEEN 0 AND 200),
  paused             bigint NOT NULL CHECK (paused IN (0, 1)),
  loop               text COLLATE "C" NOT NULL CHECK (loop IN ('off', 'track', 'queue')),
  updated_at_ms      bigint NOT NULL,
  past text COLLATE "C" NOT NULL DEFAULT '[]' CHECK (json_typeof(past::json) = 'array'),
  requester_ids text COLLATE "C" NOT NULL DEFAULT '[]' CHECK (json_typeof(requester_ids::json) = 'array'),
  filters text COLLATE "C" NOT NULL DEFAULT '{}' CHECK (json_typeof(filters::json) = 'object'),
  next_track text COLLATE "C",
  sleep text COLLATE "C",
  recommendation text COLLATE "C",
  PRIMARY KEY (bot_id, guild_id)
);
CREATE INDEX player_by_project ON player (project_id);

CREATE TABLE usage (
  span        text COLLATE "C" NOT NULL CHECK (span IN ('minute', 'hour', 'day')),
  start_ms    bigint NOT NULL,
  project_id  text COLLATE "C" NOT NULL,
  key_id      text COLLATE "C" NOT NULL,
  class       text COLLATE "C" NOT NULL,
  outcome     text COLLATE "C" NOT NULL CHECK (outcome IN ('ok', 'client_error', 'limited', 'server_error')),
  requests    bigint NOT NULL,
  total_us    bigint NOT NULL,
  up_to_5     bigint NOT NULL,
  up_to_10    bigint NOT NULL,
  up_to_25    bigint NOT NULL,
  up_to_50    bigint NOT NULL,
  up_to_100   bigint NOT NULL,
  up_to_250   bigint NOT NULL,
  up_to_500   bigint NOT NULL,
  up_to_1000  bigint NOT NULL,
  up_to_2500  bigint NOT NULL,
  up_to_5000  bigint NOT NULL,
  up_to_10000 bigint NOT NULL,
  longer      bigint NOT NULL,
  over_class bigint NOT NULL DEFAULT 0,
  over_total bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (span, start_ms, project_id, key_id, class, outcome)
);
CREATE INDEX usage_by_project ON usage (project_id, span, start_ms);

CREATE TABLE guild_settings (
  bot_id              text COLLATE "C" NOT NULL REFERENCES bot (id) ON DELETE CASCADE,
  guild_id            text COLLATE "C" NOT NULL,
  dj_role_id          text COLLATE "C",
  vote_ratio          double precision NOT NULL CHECK (vote_ratio BETWEEN 0 AND 1),
  stays               bigint NOT NULL CHECK (stays IN (0, 1)),
  volume              double precision NOT NULL CHECK (volume BETWEEN 0 AND 200),
  announce_channel_id text COLLATE "C",
  language            text COLLATE "C",
  duplicates          bigint NOT NULL CHECK (duplicates IN (0, 1)),
  fair                bigint NOT NULL CHECK (fair IN (0, 1)),
  most_per_member     bigint CHECK (most_per_member BETWEEN 1 AND 5000),
  levelled bigint CHECK (levelled IN (0, 1)),
  screenshots bigint NOT NULL DEFAULT 1 CHECK (screenshots IN (0, 1)),
  autoplay bigint NOT NULL DEFAULT 0 CHECK (autoplay IN (0, 1)),
  crossfade_ms bigint NOT NULL DEFAULT 0 CHECK (crossfade_ms BETWEEN 0 AND 12000),
  fade_ms bigint NOT NULL DEFAULT 150 CHECK (fade_ms BETWEEN 0 AND 1000),
  sponsor_block text COLLATE "C" NOT NULL DEFAULT '[]' CHECK (json_typeof(sponsor_block::json) = 'array'),
  permissions text COLLATE "C" NOT NULL DEFAULT '{}' CHECK (permissions::json IS NOT NULL),
  PRIMARY KEY (bot_id, guild_id)
);

CREATE TABLE card (
  bot_id     text COLLATE "C" NOT NULL REFERENCES bot (id) ON DELETE CASCADE,
  guild_id   text COLLATE "C" NOT NULL,
  channel_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C",
  is_standing bigint NOT NULL DEFAULT 0 CHECK (is_standing IN (0, 1)),
  PRIMARY KEY (bot_id, guild_id)
);

CREATE TABLE favourite (
  bot_id      text COLLATE "C" NOT NULL REFERENCES bot (id) ON DELETE CASCADE,
  user_id     text COLLATE "C" NOT NULL,
  track       text COLLATE "C" NOT NULL,
  added_at_ms bigint NOT NULL,
  PRIMARY KEY (bot_id, user_id, track)
);

CREATE TABLE playlist (
  bot_id      text COLLATE "C" NOT NULL REFERENCES bot (id) ON DELETE CASCADE,
  user_id     text COLLATE "C" NOT NULL,
  name        citext NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
  tracks      text COLLATE "C" NOT NULL CHECK (json_typeof(tracks::json) = 'array'),
  saved_at_ms bigint NOT NULL,
  PRIMARY KEY (bot_id, user_id, name)
);

CREATE TABLE account (
  id            text COLLATE "C" PRIMARY KEY,
  name          citext NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 100),
  password      text COLLATE "C",
  discord_id    text COLLATE "C" UNIQUE,
  sealed_totp   bytea,
  totp_step     bigint NOT NULL DEFAULT 0,
  is_operator   bigint NOT NULL DEFAULT 0 CHECK (is_operator IN (0, 1)),
  language      text COLLATE "C",
  theme         text COLLATE "C",
  created_at_ms bigint NOT NULL
);

CREATE TABLE membership (
  project_id    text COLLATE "C" NOT NULL REFERENCES project (id),
  account_id    text COLLATE "C" NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  role          text COLLATE "C" NOT NULL CHECK (role IN ('owner', 'manager', 'viewer')),
  created_at_ms bigint NOT NULL, steps_hidden_at_ms bigint,
  PRIMARY KEY (project_id, account_id)
);
CREATE INDEX membership_by_account ON membership (account_id);

CREATE TABLE session (
  digest        bytea PRIMARY KEY CHECK (length(digest) = 32),
  id            text COLLATE "C" NOT NULL UNIQUE,
  account_id    text COLLATE "C" NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  created_at_ms bigint NOT NULL,
  seen_at_ms    bigint NOT NULL,
  address       text COLLATE "C" NOT NULL,
  user_agent    text COLLATE "C" NOT NULL
);
CREATE INDEX session_by_account ON session (account_id);

CREATE TABLE entry_link (
  digest        bytea PRIMARY KEY CHECK (length(digest) = 32),
  id            text COLLATE "C" NOT NULL UNIQUE,
  kind          text COLLATE "C" NOT NULL CHECK (kind IN ('first', 'invitation', 'reset', 'sandbox')),
  project_id    text COLLATE "C" REFERENCES project (id),
  role          text COLLATE "C" CHECK (role IN ('owner', 'manager', 'viewer')),
  account_id    text COLLATE "C" REFERENCES account (id) ON DELETE CASCADE,
  made_by       text COLLATE "C" NOT NULL,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL
);
CREATE INDEX entry_link_by_project ON entry_link (project_id);

CREATE TABLE audit (
  id         bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  at_ms      bigint NOT NULL,
  project_id text COLLATE "C",
  account_id text COLLATE "C",
  who        text COLLATE "C" NOT NULL,
  address    text COLLATE "C" NOT NULL,
  action     text COLLATE "C" NOT NULL,
  target     text COLLATE "C" NOT NULL,
  detail     text COLLATE "C" NOT NULL CHECK (json_typeof(detail::json) = 'object'),
  is_control bigint GENERATED ALWAYS AS (CASE WHEN starts_with(action, 'player.') THEN 1 ELSE 0 END) STORED
);
CREATE INDEX audit_by_project ON audit (project_id, id);
CREATE INDEX audit_by_account ON audit (account_id, id);

CREATE TABLE webhook (
  id               text COLLATE "C" PRIMARY KEY,
  project_id       text COLLATE "C" NOT NULL REFERENCES project (id),
  url              text COLLATE "C" NOT NULL CHECK (length(url) BETWEEN 1 AND 6144),
  description      text COLLATE "C" NOT NULL CHECK (length(description) <= 200),
  events           text COLLATE "C" NOT NULL CHECK (json_typeof(events::json) = 'array' AND json_array_length(events::json) > 0),
  bot_ids          text COLLATE "C" CHECK (json_typeof(bot_ids::json) = 'array' AND json_array_length(bot_ids::json) > 0),
  sealed_secret    bytea NOT NULL,
  sealed_former    bytea,
  former_until_ms  bigint,
  state            text COLLATE "C" NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'disabled')),
  reason           text COLLATE "C" CHECK (reason IN ('gone', 'failing')),
  failing_since_ms bigint,
  left_out         bigint NOT NULL DEFAULT 0,
  created_at_ms    bigint NOT NULL,
  CHECK ((state = 'disabled') = (reason IS NOT NULL)),
  CHECK ((sealed_former IS NULL) = (former_until_ms IS NULL))
);
CREATE INDEX webhook_by_project ON webhook (project_id, created_at_ms);

CREATE TABLE webhook_delivery (
  number        bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id            text COLLATE "C" NOT NULL UNIQUE,
  project_id    text COLLATE "C" NOT NULL,
  webhook_id    text COLLATE "C" NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
  type          text COLLATE "C" NOT NULL,
  body          text COLLATE "C" NOT NULL,
  state         text COLLATE "C" NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts      bigint NOT NULL DEFAULT 0,
  tries_left    bigint NOT NULL,
  next_at_ms    bigint,
  created_at_ms bigint NOT NULL,
  CHECK ((state = 'pending') = (next_at_ms IS NOT NULL))
);
CREATE INDEX webhook_delivery_by_webhook ON webhook_delivery (webhook_id, number);
CREATE INDEX webhook_delivery_ended ON webhook_delivery (webhook_id, number) WHERE next_at_ms IS NULL;
CREATE INDEX webhook_delivery_waiting ON webhook_delivery (webhook_id, next_at_ms) WHERE next_at_ms IS NOT NULL;

CREATE TABLE webhook_attempt (
  number      bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  delivery_id text COLLATE "C" NOT NULL REFERENCES webhook_delivery (id) ON DELETE CASCADE,
  at_ms       bigint NOT NULL,
  duration_ms double precision NOT NULL,
  status      bigint,
  error       text COLLATE "C" CHECK (error IN ('timed_out', 'unreachable', 'not_allowed', 'bad_certificate', 'malformed', 'no_secret')),
  excerpt     text COLLATE "C" NOT NULL,
  CHECK ((status IS NULL) <> (error IS NULL))
);
CREATE INDEX webhook_attempt_by_delivery ON webhook_attempt (delivery_id, number);

CREATE TABLE recovery_code (
  account_id text COLLATE "C" NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  digest     bytea NOT NULL CHECK (length(digest) = 32),
  PRIMARY KEY (account_id, digest)
);
CREATE INDEX project_by_version ON project (version);

CREATE TABLE play_history (
  id            bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  bot_id        text COLLATE "C" NOT NULL REFERENCES bot (id) ON DELETE CASCADE,
  guild_id      text COLLATE "C" NOT NULL,
  track         text COLLATE "C" NOT NULL,
  song          text COLLATE "C" NOT NULL,
  artist        text COLLATE "C" NOT NULL,
  requester_id  text COLLATE "C",
  provider      text COLLATE "C",
  started_at_ms bigint NOT NULL,
  heard_ms      bigint NOT NULL,
  length_ms     bigint NOT NULL,
  ended         text COLLATE "C" NOT NULL CHECK (ended IN ('finished', 'skipped', 'failed', 'closed'))
);
CREATE INDEX play_history_of_guild ON play_history (bot_id, guild_id, id);
CREATE INDEX play_history_of_song ON play_history (bot_id, guild_id, song, id);

CREATE TABLE pool (
  id            text COLLATE "C" PRIMARY KEY,
  project_id    text COLLATE "C" NOT NULL REFERENCES project (id),
  name          text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  bot_ids       text COLLATE "C" NOT NULL CHECK (json_typeof(bot_ids::json) = 'array'),
  created_at_ms bigint NOT NULL,
  changed_at_ms bigint NOT NULL,
  removed_at_ms bigint
);
CREATE INDEX pool_by_project ON pool (project_id);
CREATE UNIQUE INDEX card_of_request_channel ON card (channel_id) WHERE is_standing = 1;

CREATE TABLE web_player_link (
  digest        bytea PRIMARY KEY CHECK (length(digest) = 32),
  project_id    text COLLATE "C" NOT NULL REFERENCES project (id) ON DELETE CASCADE,
  guild_id      text COLLATE "C" NOT NULL,
  user_id       text COLLATE "C" NOT NULL,
  channel_id    text COLLATE "C",
  locale        text COLLATE "C" NOT NULL,
  expires_at_ms bigint NOT NULL
);
CREATE INDEX web_player_link_of_member ON web_player_link (project_id, guild_id, user_id);

CREATE TABLE web_player_session (
  digest        bytea PRIMARY KEY CHECK (length(digest) = 32),
  project_id    text COLLATE "C" NOT NULL REFERENCES project (id) ON DELETE CASCADE,
  guild_id      text COLLATE "C" NOT NULL,
  user_id       text COLLATE "C" NOT NULL,
  channel_id    text COLLATE "C",
  locale        text COLLATE "C" NOT NULL,
  created_at_ms bigint NOT NULL,
  seen_at_ms    bigint NOT NULL
);
CREATE INDEX web_player_session_of_member ON web_player_session (project_id, guild_id, user_id);

CREATE TABLE usage_total (
  project_id    text COLLATE "C" NOT NULL,
  span          text COLLATE "C" NOT NULL CHECK (span IN ('minute', 'hour', 'day')),
  part          text COLLATE "C" NOT NULL CHECK (part IN ('all', 'class', 'key', 'route')),
  start_ms      bigint NOT NULL,
  name          text COLLATE "C" NOT NULL,
  ok            bigint NOT NULL,
  client_errors bigint NOT NULL,
  limited       bigint NOT NULL,
  server_errors bigint NOT NULL,
  over_class    bigint NOT NULL,
  over_total    bigint NOT NULL,
  total_us      bigint NOT NULL,
  up_to_5       bigint NOT NULL,
  up_to_10      bigint NOT NULL,
  up_to_25      bigint NOT NULL,
  up_to_50      bigint NOT NULL,
  up_to_100     bigint NOT NULL,
  up_to_250     bigint NOT NULL,
  up_to_500     bigint NOT NULL,
  up_to_1000    bigint NOT NULL,
  up_to_2500    bigint NOT NULL,
  up_to_5000    bigint NOT NULL,
  up_to_10000   bigint NOT NULL,
  longer        bigint NOT NULL,
  PRIMARY KEY (project_id, span, part, start_ms, name)
);
CREATE INDEX usage_total_by_age ON usage_total (span, start_ms);
CREATE INDEX audit_by_kind ON audit (project_id, is_control, id);
CREATE INDEX audit_by_time ON audit (project_id, at_ms);

CREATE TABLE idempotent_request (
  id            bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  project_id    text COLLATE "C" NOT NULL REFERENCES project (id) ON DELETE CASCADE,
  owner         text COLLATE "C" NOT NULL,
  key           text COLLATE "C" NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  digest        bytea NOT NULL CHECK (length(digest) = 32),
  process       text COLLATE "C" NOT NULL,
  effect        text COLLATE "C" CHECK (effect::json IS NOT NULL),
  status        bigint CHECK (status BETWEEN 200 AND 299),
  answer        text COLLATE "C" CHECK (length(answer) <= 16384),
  etag          text COLLATE "C",
  created_at_ms bigint NOT NULL,
  UNIQUE (project_id, owner, key)
);
CREATE INDEX idempotent_request_by_age ON idempotent_request (created_at_ms);
CREATE INDEX idempotent_request_of_project ON idempotent_request (project_id, id);

CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE
AS $$ SELECT round(extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

-- For rules that need no more than their condition: raises the name that the trigger hands over.
CREATE FUNCTION break_rule() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN RAISE EXCEPTION '%', TG_ARGV[0]; END $$;

-- Two that count at the same time would both find room: the row of the project lets one after the other.
CREATE FUNCTION assert_room_for_key() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN
  PERFORM 1 FROM project WHERE id = NEW.project_id FOR UPDATE;
  IF 25 <= (SELECT count(*) FROM api_key
             WHERE project_id = NEW.project_id AND revoked_at_ms IS NULL
               AND (expires_at_ms IS NULL OR expires_at_ms > now_ms())) THEN
    RAISE EXCEPTION 'too_many_active_keys';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER api_key_room_for_a_new_one BEFORE INSERT ON api_key FOR EACH ROW
WHEN (NEW.revoked_at_ms IS NULL AND NEW.made_elsewhere = 0
  AND (NEW.expires_at_ms IS NULL OR NEW.expires_at_ms > now_ms()))
EXECUTE FUNCTION assert_room_for_key();

-- An expired key that is given more time takes a place again.
CREATE TRIGGER api_key_room_for_a_longer_one BEFORE UPDATE OF expires_at_ms ON api_key FOR EACH ROW
WHEN (NEW.revoked_at_ms IS NULL
  AND (NEW.expires_at_ms IS NULL OR NEW.expires_at_ms > now_ms())
  AND OLD.expires_at_ms <= now_ms())
EXECUTE FUNCTION assert_room_for_key();

CREATE TRIGGER api_key_stays_what_it_is BEFORE UPDATE OF id, project_id, prefix, digest, revoked_at_ms ON api_key FOR EACH ROW
WHEN (NEW.id <> OLD.id OR NEW.project_id <> OLD.project_id OR NEW.prefix <> OLD.prefix OR NEW.digest <> OLD.digest
  OR (OLD.revoked_at_ms IS NOT NULL AND NEW.revoked_at_ms IS DISTINCT FROM OLD.revoked_at_ms))
EXECUTE FUNCTION break_rule('key_is_final');

CREATE TRIGGER api_key_keeps_its_bot BEFORE UPDATE OF bot_id ON api_key FOR EACH ROW
WHEN (NEW.bot_id IS DISTINCT FROM OLD.bot_id)
EXECUTE FUNCTION break_rule('key_is_final');

CREATE TRIGGER api_key_keeps_its_pool BEFORE UPDATE OF pool_id ON api_key FOR EACH ROW
WHEN (NEW.pool_id IS DISTINCT FROM OLD.pool_id)
EXECUTE FUNCTION break_rule('key_is_final');

CREATE FUNCTION assert_bot_of_key() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM bot WHERE id = NEW.bot_id AND project_id = NEW.project_id)
     AND (NEW.made_elsewhere = 0 OR EXISTS (SELECT 1 FROM bot WHERE id = NEW.bot_id)) THEN
    RAISE EXCEPTION 'bot_not_of_this_project';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER api_key_links_to_a_bot_of_its_project BEFORE INSERT ON api_key FOR EACH ROW
WHEN (NEW.bot_id IS NOT NULL)
EXECUTE FUNCTION assert_bot_of_key();

CREATE FUNCTION assert_pool_of_key() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pool WHERE id = NEW.pool_id AND project_id = NEW.project_id AND removed_at_ms IS NULL)
     AND (NEW.made_elsewhere = 0 OR EXISTS (SELECT 1 FROM pool WHERE id = NEW.pool_id AND project_id <> NEW.project_id)) THEN
    RAISE EXCEPTION 'pool_not_of_this_project';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER api_key_links_to_a_pool_of_its_project BEFORE INSERT ON api_key FOR EACH ROW
WHEN (NEW.pool_id IS NOT NULL)
EXECUTE FUNCTION assert_pool_of_key();

-- Otherwise the keys of the project that had the bot before would steer it in its new one.
CREATE FUNCTION assert_bot_free_of_keys() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM api_key
              WHERE bot_id = NEW.id AND project_id <> NEW.project_id AND revoked_at_ms IS NULL
                AND (expires_at_ms IS NULL OR expires_at_ms > now_ms())) THEN
    RAISE EXCEPTION 'bot_linked_to_foreign_keys';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER bot_free_of_foreign_keys BEFORE INSERT ON bot FOR EACH ROW
EXECUTE FUNCTION assert_bot_free_of_keys();

CREATE TRIGGER bot_keeps_its_project BEFORE UPDATE OF id, project_id ON bot FOR EACH ROW
WHEN (NEW.id <> OLD.id OR NEW.project_id <> OLD.project_id)
EXECUTE FUNCTION break_rule('bot_keeps_its_project');

CREATE FUNCTION assert_room_for_webhook() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN
  PERFORM 1 FROM project WHERE id = NEW.project_id FOR UPDATE;
  IF 10 <= (SELECT count(*) FROM webhook WHERE project_id = NEW.project_id) THEN
    RAISE EXCEPTION 'too_many_webhooks';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER webhook_room_for_a_new_one BEFORE INSERT ON webhook FOR EACH ROW
EXECUTE FUNCTION assert_room_for_webhook();

CREATE TRIGGER webhook_keeps_its_project BEFORE UPDATE OF id, project_id ON webhook FOR EACH ROW
WHEN (NEW.id <> OLD.id OR NEW.project_id <> OLD.project_id)
EXECUTE FUNCTION break_rule('webhook_keeps_its_project');

-- A bot that belongs to another project must not be steered by this one.
CREATE FUNCTION assert_bots_of_pool() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM json_array_elements_text(NEW.bot_ids::json) AS listed (id) JOIN bot USING (id)
              WHERE bot.project_id <> NEW.project_id) THEN
    RAISE EXCEPTION 'bot_not_of_this_project';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER pool_of_bots_of_its_project BEFORE INSERT ON pool FOR EACH ROW
EXECUTE FUNCTION assert_bots_of_pool();

CREATE TRIGGER pool_keeps_to_bots_of_its_project BEFORE UPDATE OF bot_ids ON pool FOR EACH ROW
EXECUTE FUNCTION assert_bots_of_pool();

CREATE TRIGGER pool_keeps_its_project BEFORE UPDATE OF id, project_id ON pool FOR EACH ROW
WHEN (NEW.id <> OLD.id OR NEW.project_id <> OLD.project_id)
EXECUTE FUNCTION break_rule('pool_keeps_its_project');

CREATE FUNCTION take_bot_out_of_pools() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN
  UPDATE pool
     SET bot_ids = (SELECT coalesce(json_agg(listed.id ORDER BY listed.place), '[]')::text
                      FROM json_array_elements_text(pool.bot_ids::json) WITH ORDINALITY AS listed (id, place)
                     WHERE listed.id <> OLD.id),
         changed_at_ms = greatest(changed_at_ms + 1, now_ms())
   WHERE project_id = OLD.project_id
     AND EXISTS (SELECT 1 FROM json_array_elements_text(pool.bot_ids::json) AS listed (id) WHERE listed.id = OLD.id);
  RETURN NULL;
END $$;

CREATE TRIGGER pool_loses_a_removed_bot AFTER DELETE ON bot FOR EACH ROW
EXECUTE FUNCTION take_bot_out_of_pools();

-- Hands over which column of the row names the project.
CREATE FUNCTION raise_project_version() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN
  UPDATE project SET version = 1 + (SELECT max(version) FROM project) WHERE id = to_json(NEW) ->> TG_ARGV[0];
  RETURN NULL;
END $$;

CREATE TRIGGER project_version_of_a_new_one AFTER INSERT ON project FOR EACH ROW
EXECUTE FUNCTION raise_project_version('id');

CREATE TRIGGER project_version AFTER UPDATE OF name, plan, changed_at_ms ON project FOR EACH ROW
EXECUTE FUNCTION raise_project_version('id');

CREATE TRIGGER project_version_by_a_new_key AFTER INSERT ON api_key FOR EACH ROW
EXECUTE FUNCTION raise_project_version('project_id');

CREATE TRIGGER project_version_by_a_key AFTER UPDATE OF expires_at_ms, revoked_at_ms ON api_key FOR EACH ROW
EXECUTE FUNCTION raise_project_version('project_id');

CREATE TRIGGER project_version_by_a_new_pool AFTER INSERT ON pool FOR EACH ROW
EXECUTE FUNCTION raise_project_version('project_id');

CREATE TRIGGER project_version_by_a_pool AFTER UPDATE OF name, bot_ids, removed_at_ms ON pool FOR EACH ROW
EXECUTE FUNCTION raise_project_version('project_id');
