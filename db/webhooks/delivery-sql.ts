import sql, { type Sql } from 'sql-template-tag'
import type { Attempt, Delivery, DeliveryAttempt, DeliveryQuestion, NewDelivery, Waiting } from './delivery.ts'

/** A row of a delivery and its last attempt, if there was one. */
export type ListedRow = Delivery & { readonly [K in keyof Attempt]: Attempt[K] | null }

/** The first attempt and six more. */
export const MAX_TRIES = 7
export const MOST_WAITING = 1000
/** Ended deliveries of a webhook to keep, beside those that wait. */
const MOST_KEPT = 200
const MOST_TRIES_KEPT = 20
const PRUNED_AT_ONCE = 10

export const COLUMNS = sql`
  d.id, d.number, d.webhook_id AS "webhookId", d.type, d.state, d.attempts, d.next_at_ms AS "nextAtMs",
  d.created_at_ms AS "createdAtMs"`
const ATTEMPT = sql`a.at_ms AS "atMs", a.duration_ms AS "durationMs", a.status, a.error, a.excerpt`
const LAST = sql`
  LEFT JOIN webhook_attempt a ON a.number = (SELECT max(number) FROM webhook_attempt WHERE delivery_id = d.id)`

const ofWebhook = ({ projectId, webhookId }: Waiting) => sql`project_id = ${projectId} AND webhook_id = ${webhookId}`

/** A word of a JSON list; neither event types nor bots' ids have a sign that a pattern or JSON knows. */
const lists = (column: Sql, word: string) => sql`${column} LIKE ${`%"${word}"%`}`

export function listenersQuery({ projectId, type, botId }: Pick<DeliveryAttempt, 'projectId' | 'type' | 'botId'>): Sql {
  const wantsBot = botId === null ? sql`` : sql`AND (bot_ids IS NULL OR ${lists(sql`bot_ids`, botId)})`
  return sql`
    SELECT id FROM webhook
     WHERE project_id = ${projectId} AND state = 'active' AND ${lists(sql`events`, type)} ${wantsBot}
     ORDER BY id`
}

export function listQuery({ projectId, webhookId, state, before, limit }: DeliveryQuestion): Sql {
  return sql`
    SELECT ${COLUMNS}, ${ATTEMPT} FROM webhook_delivery d ${LAST}
     WHERE d.project_id = ${projectId} AND d.webhook_id = ${webhookId}
       AND d.number < ${before ?? Number.MAX_SAFE_INTEGER} ${state === null ? sql`` : sql`AND d.state = ${state}`}
     ORDER BY d.number DESC LIMIT ${limit}`
}

export function latestQuery(projectId: string): Sql {
  return sql`
    SELECT ${COLUMNS}, ${ATTEMPT}
      FROM webhook w JOIN webhook_delivery d
        ON d.number = (SELECT max(number) FROM webhook_delivery WHERE webhook_id = w.id) ${LAST}
     WHERE w.project_id = ${projectId}`
}

export function triesQuery(id: string): Sql {
  return sql`SELECT ${ATTEMPT} FROM webhook_attempt a WHERE a.delivery_id = ${id} ORDER BY a.number`
}

export function upcomingQuery({ projectId, webhookId }: Waiting, limit: number): Sql {
  return sql`
    SELECT d.id, d.type, d.body, d.tries_left AS "triesLeft", d.next_at_ms AS "nextAtMs", w.url,
           w.failing_since_ms AS "failingSinceMs"
      FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id
     WHERE w.project_id = ${projectId} AND d.webhook_id = ${webhookId} AND w.state = 'active'
       AND d.next_at_ms IS NOT NULL
     ORDER BY d.next_at_ms, d.number LIMIT ${limit}`
}

export const WAITING = sql`
  SELECT id AS "webhookId", project_id AS "projectId" FROM webhook
   WHERE state = 'active'
     AND EXISTS (SELECT 1 FROM webhook_delivery WHERE webhook_id = webhook.id AND next_at_ms IS NOT NULL)`

export interface QueueTimes {
  readonly nextAtMs: number
  readonly nowMs: number
}

export function insertQuery(delivery: NewDelivery, { nextAtMs, nowMs }: QueueTimes): Sql {
  const { projectId, webhookId, id, type, body } = delivery
  return sql`
    INSERT INTO webhook_delivery (id, project_id, webhook_id, type, body, state, tries_left, next_at_ms, created_at_ms)
    VALUES (${id}, ${projectId}, ${webhookId}, ${type}, ${body}, 'pending', ${MAX_TRIES}, ${nextAtMs}, ${nowMs})
    ON CONFLICT (id) DO NOTHING`
}

export function redeliverQuery(of: Waiting, which: Sql, nextAtMs: number): Sql {
  return sql`
    UPDATE webhook_delivery SET state = 'pending', tries_left = ${MAX_TRIES}, next_at_ms = ${nextAtMs}
     WHERE ${ofWebhook(of)} AND ${which}`
}

export function attemptedQuery(of: Waiting, id: string, state: Delivery['state'], nextAtMs: number | null): Sql {
  return sql`
    UPDATE webhook_delivery
       SET state = ${state}, next_at_ms = ${nextAtMs}, attempts = attempts + 1,
           tries_left = CASE WHEN tries_left > 0 THEN tries_left - 1 ELSE 0 END
     WHERE ${ofWebhook(of)} AND id = ${id} AND next_at_ms IS NOT NULL`
}

export function addTryQuery(id: string, { atMs, durationMs, status, error, excerpt }: Attempt): Sql {
  return sql`
    INSERT INTO webhook_attempt (delivery_id, at_ms, duration_ms, status, error, excerpt)
    VALUES (${id}, ${atMs}, ${durationMs}, ${status}, ${error}, ${excerpt})`
}

/** @param failedAtMs null: it arrived. */
export function failingQuery({ projectId, webhookId }: Waiting, failedAtMs: number | null): Sql {
  const since = failedAtMs === null ? sql`NULL` : sql`coalesce(failing_since_ms, ${failedAtMs})`
  return sql`UPDATE webhook SET failing_since_ms = ${since} WHERE project_id = ${projectId} AND id = ${webhookId}`
}

export function leaveOutQuery({ projectId, webhookId }: Waiting): Sql {
  return sql`UPDATE webhook SET left_out = left_out + 1 WHERE project_id = ${projectId} AND id = ${webhookId}`
}

export function pruneTriesQuery(id: string): Sql {
  return sql`
    DELETE FROM webhook_attempt WHERE number IN
      (SELECT number FROM webhook_attempt WHERE delivery_id = ${id}
        ORDER BY number DESC LIMIT ${PRUNED_AT_ONCE} OFFSET ${MOST_TRIES_KEPT})`
}

export function pruneEndedQuery(webhookId: string): Sql {
  return sql`
    DELETE FROM webhook_delivery WHERE number IN
      (SELECT number FROM webhook_delivery WHERE webhook_id = ${webhookId} AND next_at_ms IS NULL
        ORDER BY number DESC LIMIT ${PRUNED_AT_ONCE} OFFSET ${MOST_KEPT})`
}

/** Deletes deliveries made before `beforeMs`, among the oldest `limit`. */
export function pruneOldQuery(limit: number, beforeMs: number): Sql {
  return sql`
    DELETE FROM webhook_delivery WHERE number IN
      (SELECT number FROM
        (SELECT number, created_at_ms FROM webhook_delivery ORDER BY number LIMIT ${limit}) AS oldest
        WHERE created_at_ms < ${beforeMs})`
}
