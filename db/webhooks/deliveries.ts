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
import sql, { type Sql } from 'sql-template-tag'
import { createId } from '../engine/id.ts'
import type { Store } from '../engine/store.ts'
import {
  addTryQuery,
  attemptedQuery,
  COLUMNS,
  failingQuery,
  insertQuery,
  latestQuery,
  leaveOutQuery,
  listenersQuery,
  listQuery,
  MOST_WAITING,
  pruneEndedQuery,
  pruneOldQuery,
  pruneTriesQuery,
  redeliverQuery,
  triesQuery,
  upcomingQuery,
  WAITING,
  type ListedRow,
  type QueueTimes,
} from './delivery-sql.ts'

type Queued = 'queued' | 'full' | 'known'

interface Published {
  readonly webhookId: string
  readonly outcome: Queued
}

/** Deliveries as the pages read and request them. */
export type DeliveryLog = ReturnType<typeof logIn>

/** The log with the methods that the sender needs besides. */
export type DeliveryQueue = ReturnType<typeof createDeliveries>

/** A time before that of everything else that waits: a person is waiting for it. */
const FIRST = 0
export const KEPT_MS = 30 * 86_400_000

/** The bounds of the queue need not be exact: several services may write to it at once. */
const BATCH = { isBatch: true }

/** @param reader counts what waits for all webhooks; defaults to the store. */
export function createDeliveries(store: Store, now: () => number = Date.now, reader: Pick<Store, 'all'> = store) {
  return {
    ...logIn(store, now),
    /** Queues it for every active webhook that wants to hear of it, in one write. */
    publish: (happening: DeliveryAttempt) => publish(store, happening, now()),
    /** Active webhooks for which something waits. */
    waiting: () => store.all<Waiting>(WAITING),
    /** The deliveries due first for an active webhook, in the order of their times. */
    upcoming: (projectId: string, webhookId: string, limit: number) =>
      store.all<DueDelivery>(upcomingQuery({ projectId, webhookId }, limit)),
    /** Writes down an attempt. `nextAtMs` null: there will be no other. @returns whether it still waited for one. */
    attempted: (of: Waiting, id: string, made: Attempt, nextAtMs: number | null) =>
      store.atomically(() => writeAttempt(store, of, { id, made, nextAtMs }), BATCH),
    /** Returns the number of waiting deliveries, of all projects. */
    countWaiting: () => countWaiting(reader, sql`1 = 1`),
    /** Removes up to `limit` that are too old to keep. */
    async prune(limit: number) {
      await store.run(pruneOldQuery(limit, now() - KEPT_MS))
    },
  }
}

function logIn(store: Store, now: () => number) {
  return {
    /** The latest first. */
    list: async (question: DeliveryQuestion) => (await store.all<ListedRow>(listQuery(question))).map(toListed),
    /** The last attempted or made one of each webhook of a project. */
    async latest(projectId: string) {
      const rows = await store.all<ListedRow>(latestQuery(projectId))
      return new Map(rows.map((row) => [row.webhookId, toListed(row)] as const))
    },
    async counts(projectId: string, webhookId: string) {
      const rows = await store.all<{ readonly state: DeliveryState; readonly count: number }>(sql`
        SELECT state, count(*) AS count FROM webhook_delivery
         WHERE project_id = ${projectId} AND webhook_id = ${webhookId} GROUP BY state`)
      const found = Object.fromEntries(rows.map(({ state, count }) => [state, count]))
      return { pending: 0, delivered: 0, failed: 0, ...found }
    },
    async find(projectId: string, webhookId: string, id: string) {
      const delivery = await store.find<Omit<WholeDelivery, 'tries'>>(sql`
        SELECT ${COLUMNS}, d.body FROM webhook_delivery d
         WHERE d.project_id = ${projectId} AND d.webhook_id = ${webhookId} AND d.id = ${id}`)
      return delivery ? { ...delivery, tries: await store.all<Attempt>(triesQuery(id)) } : null
    },
    /** Puts one before all others. `full`: too many wait. `known`: it was there before. */
    queue: (delivery: NewDelivery) =>
      store.atomically(() => put(store, delivery, { nextAtMs: FIRST, nowMs: now() }), BATCH),
    /** To be sent again before all others, with all its tries. @returns whether there is such a one. */
    redeliver: async (projectId: string, webhookId: string, id: string) =>
      (await store.run(redeliverQuery({ projectId, webhookId }, sql`id = ${id}`, FIRST))) > 0,
    /** The same for all that failed. @returns how many. */
    redeliverFailed: (projectId: string, webhookId: string) =>
      store.run(redeliverQuery({ projectId, webhookId }, sql`state = 'failed'`, now())),
  }
}

async function countWaiting(store: Pick<Store, 'all'>, where: Sql): Promise<number> {
  const query = sql`SELECT count(*) AS count FROM webhook_delivery WHERE ${where} AND next_at_ms IS NOT NULL`
  const [counted] = await store.all<{ readonly count: number }>(query)
  return counted?.count ?? 0
}

async function put(store: Store, delivery: NewDelivery, times: QueueTimes): Promise<Queued> {
  if ((await countWaiting(store, sql`webhook_id = ${delivery.webhookId}`)) >= MOST_WAITING) {
    await store.run(leaveOutQuery(delivery))
    return 'full'
  }
  return (await store.run(insertQuery(delivery, times))) > 0 ? 'queued' : 'known'
}

async function publish(store: Store, happening: DeliveryAttempt, nowMs: number): Promise<readonly Published[]> {
  const { projectId, type, body, idFor } = happening
  const listeners = await store.all<{ readonly id: string }>(listenersQuery(happening))
  if (listeners.length === 0) return []
  return store.atomically(async () => {
    const published: Published[] = []
    for (const { id: webhookId } of listeners) {
      const delivery = { projectId, webhookId, id: idFor(webhookId), type, body }
      published.push({ webhookId, outcome: await put(store, delivery, { nextAtMs: nowMs, nowMs }) })
    }
    return published
  }, BATCH)
}

interface MadeAttempt {
  readonly id: string
  readonly made: Attempt
  readonly nextAtMs: number | null
}

async function writeAttempt(store: Store, of: Waiting, { id, made, nextAtMs }: MadeAttempt): Promise<boolean> {
  const hasFailed = !isDelivered(made)
  const state = nextAtMs === null ? (hasFailed ? 'failed' : 'delivered') : 'pending'
  if ((await store.run(attemptedQuery(of, id, state, nextAtMs))) === 0) return false
  await store.run(addTryQuery(id, made))
  await store.run(failingQuery(of, hasFailed ? made.atMs : null))
  await store.run(pruneTriesQuery(id))
  if (state !== 'pending') await store.run(pruneEndedQuery(of.webhookId))
  return true
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
