import { randomBytes } from 'node:crypto'
import { Fault } from '../../lib/errors.ts'
import { EVENT_TYPES } from '../../lib/event-types.ts'
import { createId } from '../engine/id.ts'
import { brokenRule, durably, type Database } from '../engine/open.ts'
import type { Vault } from '../engine/vault.ts'

/** Events that a webhook can subscribe to. */
export const WEBHOOK_EVENTS = [...EVENT_TYPES, 'jobEnded'] as const

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** `paused`: by a person. `disabled`: by the service, whose `reason` says why. */
export type WebhookState = 'active' | 'paused' | 'disabled'
/** `gone`: it answered 410. `failing`: nothing was delivered for days. */
export type DisabledReason = 'gone' | 'failing'

/** What a person chooses. */
export interface WebhookChoice {
  /** Of the form that egress allows; where it leads is checked again each time. */
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

export interface Webhooks {
  /** @throws {Fault} `conflict` when the project has ten, `not_found` for a project or bot it lacks. */
  create(projectId: string, choice: WebhookChoice): NewWebhook
  /** The oldest first. */
  list(projectId: string): readonly Webhook[]
  /** @throws {Fault} `not_found` */
  get(projectId: string, id: string): Webhook
  /** @throws {Fault} `not_found`, also for a bot that the project lacks. */
  change(projectId: string, id: string, choice: WebhookChoice): Webhook
  /** Sets the state from any other; `active` clears the failures. @throws {Fault} `not_found` */
  setState(projectId: string, id: string, state: 'active' | 'paused'): Webhook
  /** @returns whether it was active. */
  disable(projectId: string, id: string, reason: DisabledReason): boolean
  /** A new secret; the old one signs too until the grace is over. @throws {Fault} `not_found` */
  rotate(projectId: string, id: string, graceMs: number): NewWebhook
  /** With all that was to be delivered. @returns whether there was one. */
  remove(projectId: string, id: string): boolean
  /** Those that sign now, the newest first. @throws {Fault} when one was sealed with another key. */
  secrets(projectId: string, id: string): readonly [string, ...string[]]
  /** Those that have one which is active. */
  projectIds(): readonly string[]
  /** How many there are, of all projects. */
  count(): number
}

export const MAX_WEBHOOKS = 10

/** Ahead of a signing secret, so that people and scanners know one by sight. */
const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

type Row = Omit<Webhook, 'events' | 'botIds'> & { readonly events: string; readonly botIds: string | null }

interface SealedSecrets {
  readonly sealed: Buffer
  readonly former: Buffer | null
  readonly formerUntilMs: number | null
}

const COLUMNS = `
  id, project_id AS projectId, url, description, events, bot_ids AS botIds, state, reason, left_out AS leftOut,
  failing_since_ms AS failingSinceMs, former_until_ms AS formerUntilMs, created_at_ms AS createdAtMs`

const INSERT = `
  INSERT INTO webhook (id, project_id, url, description, events, bot_ids, sealed_secret, created_at_ms)
  VALUES (:id, :projectId, :url, :description, :events, :botIds, :sealed, :nowMs)`

const CHANGE = `
  UPDATE webhook SET url = :url, description = :description, events = :events, bot_ids = :botIds
   WHERE project_id = :projectId AND id = :id`

const SET_STATE = `
  UPDATE webhook SET state = ?, reason = NULL, failing_since_ms = NULL WHERE project_id = ? AND id = ?`

const ROTATE = `
  UPDATE webhook SET sealed_former = CASE WHEN :untilMs IS NOT NULL THEN sealed_secret END,
                     former_until_ms = :untilMs, sealed_secret = :sealed
   WHERE project_id = :projectId AND id = :id`

function prepare(db: Database) {
  const select = `SELECT ${COLUMNS} FROM webhook`
  return {
    insert: db.prepare(INSERT),
    change: db.prepare(CHANGE),
    setState: db.prepare(SET_STATE),
    rotate: db.prepare(ROTATE),
    byId: db.prepare<[string, string], Row>(`${select} WHERE project_id = ? AND id = ?`),
    byProject: db.prepare<[string], Row>(`${select} WHERE project_id = ? ORDER BY created_at_ms, rowid`),
    disable: db.prepare(
      `UPDATE webhook SET state = 'disabled', reason = ? WHERE project_id = ? AND id = ? AND state = 'active'`,
    ),
    remove: db.prepare('DELETE FROM webhook WHERE project_id = ? AND id = ?'),
    sealed: db.prepare<[string, string], SealedSecrets>(
      `SELECT sealed_secret AS sealed, sealed_former AS former, former_until_ms AS formerUntilMs
         FROM webhook WHERE project_id = ? AND id = ?`,
    ),
    hasProject: db.prepare<[string], number>('SELECT 1 FROM project WHERE id = ?').pluck(),
    hasBot: db.prepare<[string, string], number>('SELECT 1 FROM bot WHERE project_id = ? AND id = ?').pluck(),
    projectIds: db.prepare<[], string>("SELECT DISTINCT project_id FROM webhook WHERE state = 'active'").pluck(),
    count: db.prepare<[], number>('SELECT count(*) FROM webhook').pluck(),
  }
}

export function createWebhooks(
  db: Database,
  vault: Pick<Vault, 'seal' | 'open'>,
  now: () => number = Date.now,
): Webhooks {
  const statements = prepare(db)

  function get(projectId: string, id: string): Webhook {
    const row = statements.byId.get(projectId, id)
    if (!row) throw missing(id)
    return toWebhook(row)
  }

  function assertBots(projectId: string, botIds: readonly string[] | null): void {
    const foreign = botIds?.find((id) => !statements.hasBot.get(projectId, id))
    if (foreign !== undefined) throw new Fault('not_found', `The project ${projectId} has no bot ${foreign}.`)
  }

  return {
    create: (projectId, choice) =>
      durably(db, () => {
        if (!statements.hasProject.get(projectId)) throw new Fault('not_found', `There is no project ${projectId}.`)
        assertBots(projectId, choice.botIds)
        const id = createId('whk')
        const secret = newSecret()
        const row = { ...toRow(choice), id, projectId, sealed: vault.seal(id, secret), nowMs: now() }
        withRules(() => statements.insert.run(row))
        return { ...get(projectId, id), secret }
      }),
    list: (projectId) => statements.byProject.all(projectId).map(toWebhook),
    get,
    change: (projectId, id, choice) =>
      durably(db, () => {
        // A bot that has gone since may stay in the list.
        const { botIds: before } = get(projectId, id)
        assertBots(projectId, choice.botIds?.filter((botId) => before?.includes(botId) !== true) ?? null)
        statements.change.run({ ...toRow(choice), projectId, id })
        return get(projectId, id)
      }),
    setState: (projectId, id, state) =>
      durably(db, () => {
        statements.setState.run(state, projectId, id)
        return get(projectId, id)
      }),
    disable: (projectId, id, reason) => durably(db, () => statements.disable.run(reason, projectId, id).changes > 0),
    rotate: (projectId, id, graceMs) =>
      durably(db, () => {
        const secret = newSecret()
        const untilMs = graceMs > 0 ? now() + graceMs : null
        statements.rotate.run({ projectId, id, untilMs, sealed: vault.seal(id, secret) })
        return { ...get(projectId, id), secret }
      }),
    remove: (projectId, id) => durably(db, () => statements.remove.run(projectId, id).changes > 0),
    secrets: (projectId, id) => secretsOf(statements.sealed.get(projectId, id), { vault, id, nowMs: now() }),
    projectIds: () => statements.projectIds.all(),
    count: () => statements.count.get() ?? 0,
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
    const advice = 'Restore the former TOKEN_KEY or token.key, or rotate its secret.'
    throw new Fault('service_unavailable', `The service cannot decrypt the secret of the webhook ${id}. ${advice}`, {
      cause,
    })
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

function withRules(write: () => void): void {
  try {
    write()
  } catch (error) {
    if (brokenRule(error) !== 'too_many_webhooks') throw error
    const why = `The project has ${MAX_WEBHOOKS} webhooks, the maximum.`
    throw new Fault('conflict', `${why} Delete one first.`, { cause: error })
  }
}
