import sql from 'sql-template-tag'
import type { Store } from '../engine/store.ts'
import type { Waiting } from './delivery.ts'

/** A webhook that a sender has. */
export interface LeasedWebhook extends Waiting {
  /** Number of times a person has woken the webhook. */
  readonly wakes: number
  /** When the next delivery wants to be sent; null: nothing waits. */
  readonly nextAtMs: number | null
}

/**
 * Leases of webhooks: one service at a time sends to a webhook, so no delivery is sent twice and all services together
 * spare a webhook that fails. Times are of the database's clock, which all services share.
 */
export type SenderLeases = ReturnType<typeof createSenderLeases>

const one = ({ projectId, webhookId }: Waiting) => sql`project_id = ${projectId} AND id = ${webhookId}`

const hasDue = (dueMs: number) => sql`
  EXISTS (SELECT 1 FROM webhook_delivery
           WHERE webhook_id = webhook.id AND next_at_ms IS NOT NULL AND next_at_ms <= ${dueMs})`

export function createSenderLeases(store: Store) {
  const nowMs =
    store.engine === 'postgres'
      ? sql`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`
      : sql`CAST(unixepoch('subsec') * 1000 AS INTEGER)`
  const isFree = sql`(sender IS NULL OR sender_until_ms <= ${nowMs})`

  return {
    /** Whether other services may send too. */
    isShared: store.engine === 'postgres',
    /** @returns how often a person has woken it; null while another sender has it. */
    async take(of: Waiting, sender: string, lifeMs: number): Promise<number | null> {
      const taken = await store.find<Pick<LeasedWebhook, 'wakes'>>(sql`
        UPDATE webhook SET sender = ${sender}, sender_until_ms = ${nowMs} + ${lifeMs}
         WHERE ${one(of)} AND state = 'active' AND (sender = ${sender} OR ${isFree})
        RETURNING wakes`)
      return taken?.wakes ?? null
    },
    /** Prolongs all leases of a sender. @returns those that it still has. */
    renew: (sender: string, lifeMs: number) =>
      store.all<LeasedWebhook>(sql`
        UPDATE webhook SET sender_until_ms = ${nowMs} + ${lifeMs} WHERE sender = ${sender}
        RETURNING id AS "webhookId", project_id AS "projectId", wakes,
          (SELECT min(next_at_ms) FROM webhook_delivery
            WHERE webhook_id = webhook.id AND next_at_ms IS NOT NULL) AS "nextAtMs"`),
    /** Ends a lease, unless something is due by then. @returns false if something is. */
    async release(of: Waiting, sender: string, dueMs: number): Promise<boolean> {
      const released = await store.run(sql`
        UPDATE webhook SET sender = NULL, sender_until_ms = NULL
         WHERE ${one(of)} AND sender = ${sender} AND NOT (state = 'active' AND ${hasDue(dueMs)})`)
      if (released > 0) return true
      // Something is due; or it was removed, or is another sender's by now.
      return (
        (await store.find(sql`SELECT 1 AS found FROM webhook WHERE ${one(of)} AND sender = ${sender}`)) === undefined
      )
    },
    async releaseAll(sender: string) {
      await store.run(sql`UPDATE webhook SET sender = NULL, sender_until_ms = NULL WHERE sender = ${sender}`)
    },
    /** A person changed something: who has the webhook is to look at it at once. */
    async wake(of: Waiting) {
      await store.run(sql`UPDATE webhook SET wakes = wakes + 1 WHERE ${one(of)}`)
    },
    /** Webhooks with something due that no sender has. */
    orphans: (dueMs: number) =>
      store.all<Waiting>(sql`
        SELECT id AS "webhookId", project_id AS "projectId" FROM webhook
         WHERE state = 'active' AND ${isFree} AND ${hasDue(dueMs)}`),
  }
}
