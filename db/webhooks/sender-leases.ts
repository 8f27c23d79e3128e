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
export interface SenderLeases {
  /** Whether other services may send too. */
  readonly isShared: boolean
  /** @returns how often a person has woken it; null while another sender has it. */
  take(of: Waiting, sender: string, lifeMs: number): Promise<number | null>
  /** Prolongs all leases of a sender. @returns those that it still has. */
  renew(sender: string, lifeMs: number): Promise<readonly LeasedWebhook[]>
  /** Ends a lease, unless something is due by then. @returns false if something is. */
  release(of: Waiting, sender: string, dueMs: number): Promise<boolean>
  releaseAll(sender: string): Promise<void>
  /** A person changed something: who has the webhook is to look at it at once. */
  wake(of: Waiting): Promise<void>
  /** Webhooks with something due that no sender has. */
  orphans(dueMs: number): Promise<readonly Waiting[]>
}

const one = ({ projectId, webhookId }: Waiting) => sql`project_id = ${projectId} AND id = ${webhookId}`

const hasDue = (dueMs: number) => sql`
  EXISTS (SELECT 1 FROM webhook_delivery
           WHERE webhook_id = webhook.id AND next_at_ms IS NOT NULL AND next_at_ms <= ${dueMs})`

export function createSenderLeases(store: Store): SenderLeases {
  const nowMs =
    store.engine === 'postgres'
      ? sql`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`
      : sql`CAST(unixepoch('subsec') * 1000 AS INTEGER)`
  const isFree = sql`(sender IS NULL OR sender_until_ms <= ${nowMs})`

  return {
    isShared: store.engine === 'postgres',
    async take(of, sender, lifeMs) {
      const taken = await store.find<Pick<LeasedWebhook, 'wakes'>>(sql`
        UPDATE webhook SET sender = ${sender}, sender_until_ms = ${nowMs} + ${lifeMs}
         WHERE ${one(of)} AND state = 'active' AND (sender = ${sender} OR ${isFree})
        RETURNING wakes`)
      return taken?.wakes ?? null
    },
    renew: (sender, lifeMs) =>
      store.all<LeasedWebhook>(sql`
        UPDATE webhook SET sender_until_ms = ${nowMs} + ${lifeMs} WHERE sender = ${sender}
        RETURNING id AS "webhookId", project_id AS "projectId", wakes,
          (SELECT min(next_at_ms) FROM webhook_delivery
            WHERE webhook_id = webhook.id AND next_at_ms IS NOT NULL) AS "nextAtMs"`),
    async release(of, sender, dueMs) {
      const released = await store.run(sql`
        UPDATE webhook SET sender = NULL, sender_until_ms = NULL
         WHERE ${one(of)} AND sender = ${sender} AND NOT (state = 'active' AND ${hasDue(dueMs)})`)
      if (released > 0) return true
      // Something is due; or it was removed, or is another sender's by now.
      return (
        (await store.find(sql`SELECT 1 AS found FROM webhook WHERE ${one(of)} AND sender = ${sender}`)) === undefined
      )
    },
    async releaseAll(sender) {
      await store.run(sql`UPDATE webhook SET sender = NULL, sender_until_ms = NULL WHERE sender = ${sender}`)
    },
    async wake(of) {
      await store.run(sql`UPDATE webhook SET wakes = wakes + 1 WHERE ${one(of)}`)
    },
    orphans: (dueMs) =>
      store.all<Waiting>(sql`
        SELECT id AS "webhookId", project_id AS "projectId" FROM webhook
         WHERE state = 'active' AND ${isFree} AND ${hasDue(dueMs)}`),
  }
}
