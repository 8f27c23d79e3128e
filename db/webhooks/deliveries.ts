import type {
  DeliveryState,
  Attempt,
  ListedDelivery,
  WholeDelivery,
  DueDelivery,
  NewDelivery,
  DeliveryAttempt,
  Waiting,
  DeliveryQuestion,
} from './delivery.ts'
import { createId } from '../engine/id.ts'
import { atomically, type Database } from '../engine/open.ts'
import { MOST_WAITING, prepareDeliveries, type ListedRow } from './delivery-sql.ts'

export type Queued = 'queued' | 'full' | 'known'

export interface Published {
  readonly webhookId: string
  readonly outcome: Queued
}

/** What the pages read and ask for. */
export interface DeliveryLog {
  /** The latest first. */
  list(question: DeliveryQuestion): readonly ListedDelivery[]
  /** The last attempted or made one of each webhook of a project. */
  latest(projectId: string): ReadonlyMap<string, ListedDelivery>
  counts(projectId: string, webhookId: string): Readonly<Record<DeliveryState, number>>
  find(projectId: string, webhookId: string, id: string): WholeDelivery | null
  /** Puts one before all others. `full`: too many wait. `known`: it was there before. */
  queue(delivery: NewDelivery): Queued
  /** To be sent again before all others, with all its tries. @returns whether there is such a one. */
  redeliver(projectId: string, webhookId: string, id: string): boolean
  /** The same for all that failed. @returns how many. */
  redeliverFailed(projectId: string, webhookId: string): number
}

/** What the sender needs besides. */
export interface DeliveryQueue extends DeliveryLog {
  /** Queues it for every active webhook that wants to hear of it, in one write. */
  publish(happening: DeliveryAttempt): readonly Published[]
  /** Active webhooks for which something waits. */
  waiting(): readonly Waiting[]
  /** What waits longest for an active webhook, in the order of its time. */
  upcoming(projectId: string, webhookId: string, limit: number): readonly DueDelivery[]
  /** Writes down an attempt. `nextAtMs` null: there will be no other. @returns whether it was still there. */
  attempted(of: Waiting, id: string, made: Attempt, nextAtMs: number | null): boolean
  /** How many wait, of all projects. */
  countWaiting(): number
  /** Removes up to `limit` that are too old to keep. */
  prune(limit: number): void
}

/** A time before that of everything else that waits: a person is waiting for it. */
const FIRST = 0
export const KEPT_MS = 30 * 86_400_000

export function createDeliveries(db: Database, now: () => number = Date.now): DeliveryQueue {
  const statements = prepareDeliveries(db)

  function put({ projectId, webhookId, id, type, body }: NewDelivery, nextAtMs: number): Queued {
    if ((statements.waits.get(webhookId) ?? 0) >= MOST_WAITING) {
      statements.leaveOut.run(projectId, webhookId)
      return 'full'
    }
    const { changes } = statements.insert.run({ id, projectId, webhookId, type, body, nextAtMs, nowMs: now() })
    return changes > 0 ? 'queued' : 'known'
  }

  return {
    publish: ({ projectId, type, botId, body, idFor }) =>
      atomically(db, () =>
        statements.listeners.all({ projectId, type, botId }).map((webhookId) => {
          return { webhookId, outcome: put({ projectId, webhookId, id: idFor(webhookId), type, body }, now()) }
        }),
      ),
    list: (question) =>
      statements.list.all({ ...question, before: question.before ?? Number.MAX_SAFE_INTEGER }).map(toListed),
    latest: (projectId) =>
      new Map(statements.latest.all(projectId).map((row) => [row.webhookId, toListed(row)] as const)),
    counts(projectId, webhookId) {
      const found = Object.fromEntries(statements.counts.all(projectId, webhookId))
      return { pending: 0, delivered: 0, failed: 0, ...found }
    },
    find(projectId, webhookId, id) {
      const delivery = statements.byId.get(projectId, webhookId, id)
      return delivery ? { ...delivery, tries: statements.tries.all(id) } : null
    },
    queue: (delivery) => atomically(db, () => put(delivery, FIRST)),
    redeliver: (projectId, webhookId, id) =>
      atomically(db, () => statements.redeliver.run({ projectId, webhookId, id, nextAtMs: FIRST }).changes > 0),
    redeliverFailed: (projectId, webhookId) =>
      atomically(db, () => statements.redeliverFailed.run({ projectId, webhookId, nextAtMs: now() }).changes),
    waiting: () => statements.waiting.all(),
    upcoming: (projectId, webhookId, limit) => statements.upcoming.all(projectId, webhookId, limit),
    attempted: ({ projectId, webhookId }, id, made, nextAtMs) =>
      atomically(db, () => {
        const hasFailed = !isDelivered(made)
        const state = nextAtMs === null ? (hasFailed ? 'failed' : 'delivered') : 'pending'
        const { changes } = statements.attempted.run({ projectId, webhookId, id, state, nextAtMs })
        if (changes === 0) return false
        statements.addTry.run({ id, ...made })
        statements.failing.run({ projectId, webhookId, hasFailed: hasFailed ? 1 : 0, atMs: made.atMs })
        statements.pruneTries.run(id)
        if (state !== 'pending') statements.pruneEnded.run(webhookId)
        return true
      }),
    countWaiting: () => statements.countWaiting.get() ?? 0,
    prune: (limit) => atomically(db, () => void statements.pruneOld.run(limit, now() - KEPT_MS)),
  }
}

export function newDeliveryId(): string {
  return createId('msg')
}

/** Any 2xx says that it has arrived. */
export function isDelivered({ status }: Pick<Attempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300
}

function toListed({ atMs, durationMs, status, error, excerpt, ...delivery }: ListedRow): ListedDelivery {
  const last = atMs === null ? null : { atMs, durationMs: durationMs ?? 0, status, error, excerpt: excerpt ?? '' }
  return { ...delivery, last }
}
