import type { Database } from '../engine/open.ts'
import type {
  Attempt,
  Delivery,
  DeliveryQuestion,
  DeliveryState,
  DueDelivery,
  DeliveryAttempt,
  Waiting,
} from './delivery.ts'

/** What is read of a delivery and of its last attempt, where there was one. */
export type ListedRow = Delivery & { readonly [K in keyof Attempt]: Attempt[K] | null }

/** The first attempt and six more. */
export const MAX_TRIES = 7
export const MOST_WAITING = 1000
/** Beside those that wait. */
const MOST_KEPT = 200
const MOST_TRIES_KEPT = 20

const COLUMNS = `
  d.id, d.number, d.webhook_id AS webhookId, d.type, d.state, d.attempts, d.next_at_ms AS nextAtMs,
  d.created_at_ms AS createdAtMs`
const ATTEMPT = `a.at_ms AS atMs, a.duration_ms AS durationMs, a.status, a.error, a.excerpt`
const LAST = `
  LEFT JOIN webhook_attempt a ON a.number = (SELECT max(number) FROM webhook_attempt WHERE delivery_id = d.id)`

const LISTENERS = `
  SELECT id FROM webhook
   WHERE project_id = :projectId AND state = 'active'
     AND EXISTS (SELECT 1 FROM json_each(events) WHERE value = :type)
     AND (bot_ids IS NULL OR :botId IS NULL OR EXISTS (SELECT 1 FROM json_each(bot_ids) WHERE value = :botId))`

const LIST = `
  SELECT ${COLUMNS}, ${ATTEMPT} FROM webhook_delivery d ${LAST}
   WHERE d.project_id = :projectId AND d.webhook_id = :webhookId AND d.number < :before
     AND (:state IS NULL OR d.state = :state)
   ORDER BY d.number DESC LIMIT :limit`

const LATEST = `
  SELECT ${COLUMNS}, ${ATTEMPT}
    FROM webhook w JOIN webhook_delivery d
      ON d.number = (SELECT max(number) FROM webhook_delivery WHERE webhook_id = w.id) ${LAST}
   WHERE w.project_id = ?`

const UPCOMING = `
  SELECT d.id, d.type, d.body, d.tries_left AS triesLeft, d.next_at_ms AS nextAtMs, w.url,
         w.failing_since_ms AS failingSinceMs
    FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id
   WHERE w.project_id = ? AND d.webhook_id = ? AND w.state = 'active' AND d.next_at_ms IS NOT NULL
   ORDER BY d.next_at_ms LIMIT ?`

const WAITING = `
  SELECT id AS webhookId, project_id AS projectId FROM webhook
   WHERE state = 'active'
     AND EXISTS (SELECT 1 FROM webhook_delivery WHERE webhook_id = webhook.id AND next_at_ms IS NOT NULL)`

const INSERT = `
  INSERT INTO webhook_delivery (id, project_id, webhook_id, type, body, state, tries_left, next_at_ms, created_at_ms)
  VALUES (:id, :projectId, :webhookId, :type, :body, 'pending', ${MAX_TRIES}, :nextAtMs, :nowMs)
  ON CONFLICT (id) DO NOTHING`

const REDELIVER = `
  UPDATE webhook_delivery SET state = 'pending', tries_left = ${MAX_TRIES}, next_at_ms = :nextAtMs
   WHERE project_id = :projectId AND webhook_id = :webhookId`

const ATTEMPTED = `
  UPDATE webhook_delivery
     SET state = :state, next_at_ms = :nextAtMs, attempts = attempts + 1, tries_left = max(tries_left - 1, 0)
   WHERE project_id = :projectId AND webhook_id = :webhookId AND id = :id`

const FAILING = `
  UPDATE webhook SET failing_since_ms = CASE WHEN :hasFailed THEN coalesce(failing_since_ms, :atMs) END
   WHERE project_id = :projectId AND id = :webhookId`

const PRUNE_TRIES = `
  DELETE FROM webhook_attempt WHERE number IN
    (SELECT number FROM webhook_attempt WHERE delivery_id = ? ORDER BY number DESC LIMIT 10 OFFSET ${MOST_TRIES_KEPT})`

const PRUNE_ENDED = `
  DELETE FROM webhook_delivery WHERE number IN
    (SELECT number FROM webhook_delivery
      WHERE webhook_id = ? AND next_at_ms IS NULL ORDER BY number DESC LIMIT 10 OFFSET ${MOST_KEPT})`

const PRUNE_OLD = `
  DELETE FROM webhook_delivery WHERE number IN
    (SELECT number FROM (SELECT number, created_at_ms FROM webhook_delivery ORDER BY number LIMIT ?)
      WHERE created_at_ms < ?)`

export function prepareDeliveries(db: Database) {
  return {
    listeners: db.prepare<[Pick<DeliveryAttempt, 'projectId' | 'type' | 'botId'>], string>(LISTENERS).pluck(),
    list: db.prepare<[DeliveryQuestion], ListedRow>(LIST),
    latest: db.prepare<[string], ListedRow>(LATEST),
    byId: db.prepare<[string, string, string], Delivery & { readonly body: string }>(
      `SELECT ${COLUMNS}, d.body FROM webhook_delivery d WHERE d.project_id = ? AND d.webhook_id = ? AND d.id = ?`,
    ),
    tries: db.prepare<[string], Attempt>(
      `SELECT ${ATTEMPT} FROM webhook_attempt a WHERE a.delivery_id = ? ORDER BY a.number`,
    ),
    counts: db
      .prepare<[string, string], [DeliveryState, number]>(
        'SELECT state, count(*) FROM webhook_delivery WHERE project_id = ? AND webhook_id = ? GROUP BY state',
      )
      .raw(),
    waits: db
      .prepare<[string], number>(
        'SELECT count(*) FROM webhook_delivery WHERE webhook_id = ? AND next_at_ms IS NOT NULL',
      )
      .pluck(),
    insert: db.prepare(INSERT),
    leaveOut: db.prepare('UPDATE webhook SET left_out = left_out + 1 WHERE project_id = ? AND id = ?'),
    redeliver: db.prepare(`${REDELIVER} AND id = :id`),
    redeliverFailed: db.prepare(`${REDELIVER} AND state = 'failed'`),
    waiting: db.prepare<[], Waiting>(WAITING),
    upcoming: db.prepare<[string, string, number], DueDelivery>(UPCOMING),
    attempted: db.prepare(ATTEMPTED),
    addTry: db.prepare(
      `INSERT INTO webhook_attempt (delivery_id, at_ms, duration_ms, status, error, excerpt)
       VALUES (:id, :atMs, :durationMs, :status, :error, :excerpt)`,
    ),
    failing: db.prepare(FAILING),
    pruneTries: db.prepare(PRUNE_TRIES),
    pruneEnded: db.prepare(PRUNE_ENDED),
    pruneOld: db.prepare(PRUNE_OLD),
    countWaiting: db.prepare<[], number>('SELECT count(*) FROM webhook_delivery WHERE next_at_ms IS NOT NULL').pluck(),
  }
}
