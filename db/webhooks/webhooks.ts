import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { Fault } from '../../lib/errors.ts'
import { EVENT_TYPES } from '../../lib/event-types.ts'
import { createId } from '../engine/id.ts'
import { brokenRule } from '../engine/open.ts'
import type { Store } from '../engine/store.ts'
import type { Vault } from '../engine/vault.ts'

/** Events that a webhook can subscribe to. */
export const WEBHOOK_EVENTS = [...EVENT_TYPES, 'jobEnded'] as const

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** `paused`: by a person. `disabled`: by the service, whose `reason` says why. */
type WebhookState = 'active' | 'paused' | 'disabled'
/** `gone`: it answered 410. `failing`: nothing was delivered for days. */
export type DisabledReason = 'gone' | 'failing'

/** Settings that a person chooses. */
export interface WebhookChoice {
  /** Form that egress allows; its target is checked again each time. */
  readonly url: string
  readonly description: string
  readonly events: readonly WebhookEvent[]
  /** Ids of bots; null means all. Job events belong to no bot and are always sent. */
  readonly botIds: readonly string[] | null
}

export interface Webhook extends WebhookChoice {
  readonly id: string
  readonly projectId: string
  readonly state: WebhookState
  readonly reason: DisabledReason | null
  /** The first attempt that failed since the last one that did not. */
  readonly failingSinceMs: number | null
  /** Until then the former secret signs too. */
  readonly formerUntilMs: number | null
  /** Events for which there was no room. */
  readonly leftOut: number
  readonly createdAtMs: number
}

/** The only time at which the signing secret is seen. */
export interface NewWebhook extends Webhook {
  /** `whsec_` and the key in Base64. */
  readonly secret: string
}

export type Webhooks = ReturnType<typeof createWebhooks>

export const MAX_WEBHOOKS = 10

/** Thrown for a secret that was sealed with a key that this service does not have. */
export class UnreadableSecret extends Fault {}

/** Ahead of a signing secret, so that people and scanners know one by sight. */
const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

type Row = Omit<Webhook, 'events' | 'botIds'> & { readonly events: string; readonly botIds: string | null }

interface SealedSecrets {
  readonly sealed: Buffer
  readonly former: Buffer | null
  readonly formerUntilMs: number | null
}

const SELECT = sql`
  SELECT id, project_id AS "projectId", url, description, events, bot_ids AS "botIds", state, reason,
         left_out AS "leftOut", failing_since_ms AS "failingSinceMs", former_until_ms AS "formerUntilMs",
         created_at_ms AS "createdAtMs"
    FROM webhook`

const one = (projectId: string, id: string) => sql`project_id = ${projectId} AND id = ${id}`

export function createWebhooks(store: Store, vault: Pick<Vault, 'seal' | 'open'>, now: () => number = Date.now) {
  return {
    ...recordsIn(store, vault, now),
    ...statesIn(store),
    ...secretsIn(store, vault, now),
  }
}

async function getIn(store: Store, projectId: string, id: string): Promise<Webhook> {
  const row = await store.find<Row>(sql`${SELECT} WHERE ${one(projectId, id)}`)
  if (!row) throw missing(id)
  return toWebhook(row)
}

async function assertProject(store: Store, projectId: string): Promise<void> {
  const found = await store.find(sql`SELECT 1 AS found FROM project WHERE id = ${projectId}`)
  if (!found) throw new Fault('not_found', `There is no project ${projectId}.`)
}

async function assertBots(store: Store, projectId: string, botIds: readonly string[] | null): Promise<void> {
  if (!botIds || botIds.length === 0) return
  const bots = await store.all<{ readonly id: string }>(sql`SELECT id FROM bot WHERE project_id = ${projectId}`)
  const foreign = botIds.find((id) => !bots.some((bot) => bot.id === id))
  if (foreign !== undefined) throw new Fault('not_found', `The project ${projectId} has no bot ${foreign}.`)
}

function recordsIn(store: Store, vault: Pick<Vault, 'seal'>, now: () => number) {
  return {
    /** @throws {Fault} `conflict` when the project has ten, `not_found` for a project or bot it lacks. */
    create: (projectId: string, choice: WebhookChoice): Promise<NewWebhook> =>
      withRules(() =>
        store.durably(async () => {
          await assertProject(store, projectId)
          await assertBots(store, projectId, choice.botIds)
          const id = createId('whk')
          const secret = newSecret()
          const { url, description, events, botIds } = toRow(choice)
          await store.run(sql`
            INSERT INTO webhook (id, project_id, url, description, events, bot_ids, sealed_secret, created_at_ms)
            VALUES (${id}, ${projectId}, ${url}, ${description}, ${events}, ${botIds}, ${vault.seal(id, secret)},
                    ${now()})`)
          return { ...(await getIn(store, projectId, id)), secret }
        }),
      ),
    /** The oldest first. */
    async list(projectId: string): Promise<readonly Webhook[]> {
      const rows = await store.all<Row>(sql`${SELECT} WHERE project_id = ${projectId} ORDER BY created_at_ms, id`)
      return rows.map(toWebhook)
    },
    /** @throws {Fault} `not_found` */
    get: (projectId: string, id: string) => getIn(store, projectId, id),
    /** @throws {Fault} `not_found`, also for a bot that the project lacks. */
    change: (projectId: string, id: string, choice: WebhookChoice): Promise<Webhook> =>
      store.durably(async () => {
        // A bot that has gone since may stay in the list.
        const { botIds: before } = await getIn(store, projectId, id)
        await assertBots(store, projectId, choice.botIds?.filter((botId) => before?.includes(botId) !== true) ?? null)
        const { url, description, events, botIds } = toRow(choice)
        await store.run(sql`
          UPDATE webhook SET url = ${url}, description = ${description}, events = ${events}, bot_ids = ${botIds}
           WHERE ${one(projectId, id)}`)
        return getIn(store, projectId, id)
      }),
    /** Removes the webhook and its waiting deliveries. @returns whether there was one. */
    remove: (projectId: string, id: string): Promise<boolean> =>
      store.durably(async () => (await store.run(sql`DELETE FROM webhook WHERE ${one(projectId, id)}`)) > 0),
    /** Returns the number of webhooks, of all projects. */
    async count(): Promise<number> {
      const found = await store.find<{ readonly count: number }>(sql`SELECT count(*) AS count FROM webhook`)
      return found?.count ?? 0
    },
  }
}

function statesIn(store: Store) {
  return {
    /** Sets the state from any other; `active` clears the failures. @throws {Fault} `not_found` */
    setState: (projectId: string, id: string, state: 'active' | 'paused'): Promise<Webhook> =>
      store.durably(async () => {
        await store.run(sql`
          UPDATE webhook SET state = ${state}, reason = NULL, failing_since_ms = NULL WHERE ${one(projectId, id)}`)
        return getIn(store, projectId, id)
      }),
    /** @returns whether it was active. */
    disable: (projectId: string, id: string, reason: DisabledReason): Promise<boolean> =>
      store.durably(async () => {
        const disabled = await store.run(sql`
          UPDATE webhook SET state = 'disabled', reason = ${reason} WHERE ${one(projectId, id)} AND state = 'active'`)
        return disabled > 0
      }),
  }
}

function secretsIn(store: Store, vault: Pick<Vault, 'seal' | 'open'>, now: () => number) {
  return {
    /** A new secret; the old one signs too until the grace is over. @throws {Fault} `not_found` */
    rotate: (projectId: string, id: string, graceMs: number): Promise<NewWebhook> =>
      store.durably(async () => {
        const secret = newSecret()
        const untilMs = graceMs > 0 ? now() + graceMs : null
        const former = untilMs === null ? sql`NULL` : sql`sealed_secret`
        await store.run(sql`
          UPDATE webhook SET sealed_former = ${former}, former_until_ms = ${untilMs},
                             sealed_secret = ${vault.seal(id, secret)}
           WHERE ${one(projectId, id)}`)
        return { ...(await getIn(store, projectId, id)), secret }
      }),
    /** Returns the secrets that sign now, the newest first. @throws {UnreadableSecret} */
    async secrets(projectId: string, id: string): Promise<readonly [string, ...string[]]> {
      const found = await store.find<SealedSecrets>(sql`
        SELECT sealed_secret AS sealed, sealed_former AS former, former_until_ms AS "formerUntilMs"
          FROM webhook WHERE ${one(projectId, id)}`)
      return secretsOf(found, { vault, id, nowMs: now() })
    },
  }
}

function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

function secretsOf(
  found: SealedSecrets | undefined,
  { vault, id, nowMs }: { readonly vault: Pick<Vault, 'open'>; readonly id: string; readonly nowMs: number },
): readonly [string, ...string[]] {
  if (!found) throw missing(id)
  const { sealed, former, formerUntilMs } = found
  const isInGrace = former !== null && formerUntilMs !== null && formerUntilMs > nowMs
  return [opened(vault, id, sealed), ...(isInGrace ? [opened(vault, id, former)] : [])]
}

function opened(vault: Pick<Vault, 'open'>, id: string, sealed: Buffer): string {
  try {
    return vault.open(id, sealed)
  } catch (cause) {
    const advice = 'Restore the previous TOKEN_KEY or token.key, or rotate its secret.'
    const why = `The service can't decrypt the secret of the webhook ${id}.`
    throw new UnreadableSecret('service_unavailable', `${why} ${advice}`, { cause })
  }
}

function toRow({ url, description, events, botIds }: WebhookChoice) {
  return { url, description, events: JSON.stringify(events), botIds: botIds && JSON.stringify(botIds) }
}

function toWebhook(row: Row): Webhook {
  const events = JSON.parse(row.events) as Webhook['events']
  return { ...row, events, botIds: row.botIds === null ? null : (JSON.parse(row.botIds) as string[]) }
}

function missing(id: string): Fault {
  return new Fault('not_found', `There is no webhook ${id}.`)
}

async function withRules<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (brokenRule(error) !== 'too_many_webhooks') throw error
    throw new Fault('conflict', `Webhook limit reached (${MAX_WEBHOOKS}). Delete one first.`, { cause: error })
  }
}
