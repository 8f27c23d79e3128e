import { createDashboard } from '../../web/dashboard/http/dashboard.ts'
import type { DashboardContext, BotControl } from '../../web/dashboard/http/context.ts'
import { createPasswords } from '../../web/dashboard/auth/passwords.ts'
import { createRecentEvents } from '../../web/dashboard/http/recent-events.ts'
import { createStreams } from '../../web/http/event-streams.ts'
import { createThrottle } from '../../web/dashboard/auth/sign-in-throttle.ts'
import { createOneTimeTokens } from '../../web/http/one-time-tokens.ts'
import { createEventBus } from '../../bot/event-bus.ts'
import { createAccounts, type Account } from '../../db/people/accounts.ts'
import { createAudit } from '../../db/people/audit.ts'
import { createBotRecords } from '../../db/projects/bots.ts'
import { createInviteLinks } from '../../db/people/invite-links.ts'
import { createKeys } from '../../db/projects/keys.ts'
import { createMemberships, type Role } from '../../db/people/memberships.ts'
import { createGuildSettings } from '../../db/music/guild-settings.ts'
import { createPools } from '../../db/projects/pools.ts'
import { createPlayHistory } from '../../db/music/play-history.ts'
import { createProjects, type Project } from '../../db/projects/projects.ts'
import { createOneTimeRecords } from '../../db/people/one-time-records.ts'
import { createSignInTries } from '../../db/people/sign-in-tries.ts'
import { createRecoveryCodes } from '../../db/people/recovery-codes.ts'
import { createSessions } from '../../db/people/sessions.ts'
import { createUsage, type Usage } from '../../db/projects/usage.ts'
import { createVault } from '../../db/engine/vault.ts'
import { createDeliveries } from '../../db/webhooks/deliveries.ts'
import { createSenderLeases } from '../../db/webhooks/sender-leases.ts'
import { createWebhooks } from '../../db/webhooks/webhooks.ts'
import { Fault } from '../../lib/errors.ts'
import { requestLogOff } from '../../db/requests/request-log.ts'
import { createLog } from '../../lib/log.ts'
import type { RequestLog, RequestSearch } from '../../lib/request-log/request-log.ts'
import { createEgress } from '../../upstream/egress/egress-guard.ts'
import { SCHEDULE } from '../../api/webhooks/retry-policy.ts'
import { noopHooks } from '../../lib/telemetry-hooks.ts'
import { openWebhooks } from '../../api/webhooks/webhook-service.ts'
import { startApi } from './api.ts'
import { temporaryDatabase } from './database.ts'
import { channelId, createFakeMusic, guildId } from './fake-music.ts'

/** The password of everybody in these tests. */
export const PASSWORD = 'four quiet brass horns'

/** ID of the member whom the bots know by the name of Mara. */
export const MEMBER_ID = '700000000000000001'

/** The dashboard over a real database, with bots that only stand there. */
export interface TestDashboard {
  readonly baseUrl: string
  readonly context: DashboardContext
  /** Moves when a test moves it; `now` is added to it. */
  readonly clock: { aheadMs: number }
  /** Operations of the bots, replaceable by tests. */
  readonly fleet: { -readonly [K in keyof BotControl]: BotControl[K] }
  /** Counts requests as the API does. */
  count(counts: Parameters<Usage['add']>[0]): Promise<void>
  project(name: string): Promise<Project>
  /** Someone with a password who is a member of these projects. */
  person(name: string, roles?: Readonly<Record<string, Role>>): Promise<Account>
  /** Someone who is signed in, as a browser without script would be. */
  visitor(account?: Account): Visitor
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly location: string | null
}

/** A browser without script: keeps cookies, follows nothing. */
export interface Visitor {
  readonly cookies: Map<string, string>
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Takes the token of the form from `page` (or from the path itself) and sends the form. */
  post(path: string, fields?: Fields, options?: { readonly page?: string; readonly csrf?: string }): Promise<Answer>
}

type Fields = Readonly<Record<string, string | readonly string[]>>

export async function startDashboard(
  options: Partial<
    Pick<
      DashboardContext,
      'discord' | 'discords' | 'baseUrl' | 'jobs' | 'lavalink' | 'sources' | 'sourceSwitches' | 'traceUrl'
    >
  > & {
    readonly requests?: RequestLog & RequestSearch
  } = {},
): Promise<TestDashboard> {
  const database = temporaryDatabase()
  const { store, dataDir } = database
  const clock = { aheadMs: 0 }
  const now = () => Date.now() + clock.aheadMs
  const vault = createVault({ tokenKey: '07'.repeat(32), dataDir })
  const fleet: TestDashboard['fleet'] = {
    stateOf: () => 'connected',
    guildsOf: () => [{ id: guildId, name: 'Harbour Town', members: 12, channels: [{ id: channelId, name: 'Pier' }] }],
    countGuilds: (botId) => fleet.guildsOf(botId).length,
    countPlayers: () => 0,
    countRestoring: () => 0,
    refresh: async () => undefined,
    memberName: (_, __, userId) => (userId === MEMBER_ID ? 'Mara' : null),
    sync: async () => undefined,
  }
  const address = { baseUrl: '' }
  const usage = createUsage(store, { now })
  const events = createEventBus({ log: createLog('silent') })
  const music = createFakeMusic(events)
  const stopping = new AbortController()
  const egress = createEgress({ allowHosts: ['127.0.0.1'] })
  const deliveries = createDeliveries(store, now)
  const webhooks = openWebhooks({
    webhooks: createWebhooks(store, vault, now),
    deliveries,
    leases: createSenderLeases(store),
    events,
    dispatcher: egress.dispatcher,
    observer: noopHooks,
    // Nothing is tried again on its own while a test looks at it.
    schedule: { ...SCHEDULE, delaysMs: [3_600_000] },
    userAgent: 'Bandstand/test',
    log: createLog('silent'),
    now,
    random: () => 0.5,
    onDisabled: async () => undefined,
  })
  const oneTime = createOneTimeRecords(store, vault, now)
  const signInTries = createSignInTries(store, () => clock.aheadMs)
  const context: DashboardContext = {
    accounts: createAccounts(store, vault, now),
    memberships: createMemberships(store, now),
    sessions: createSessions(store, now),
    links: createInviteLinks(store, now),
    audit: createAudit(store, now),
    recoveryCodes: createRecoveryCodes(store),
    projects: createProjects(store),
    keys: createKeys(store, now),
    bots: createBotRecords(store, vault, now),
    pools: createPools(store, now),
    settings: createGuildSettings(store),
    history: createPlayHistory(store),
    usage,
    requests: NO_REQUESTS,
    traceUrl: null,
    fleet,
    lavalink: NO_SESSIONS,
    music,
    forwarding: null,
    onPlayerChanged: (listener) => music.onPlayerChanged(listener),
    trackMetadata: { lyrics: () => Promise.reject(new Fault('not_found', 'There are no lyrics for this track.')) },
    sources: { states: () => [] },
    sourceSwitches: { set: async () => undefined },
    events,
    recentEvents: createRecentEvents(events, now),
    jobs: NO_JOBS,
    egress: { open: () => Promise.reject(new Error('Nothing is fetched here.')), check: (url) => egress.check(url) },
    webhooks,
    listen: null,
    streams: createStreams(stopping.signal),
    discords: [],
    discord: null,
    // Cheap, since these tests are about who gets in and not about what a guess costs.
    passwords: createPasswords({ memoryKib: 64, passes: 1 }),
    // However slowly a test guesses.
    throttle: createThrottle(signInTries, () => clock.aheadMs),
    tickets: createOneTimeTokens(oneTime, now),
    oneTime,
    signInTries,
    baseUrl: () => address.baseUrl,
    now,
    log: createLog('silent'),
    ...options,
  }
  const api = await startApi({
    // Keys that pages make open the API beside them.
    app: { keys: context.keys, music: context.music, events, now, requests: options.requests ?? requestLogOff },
    pagesOf: (own) => () => createDashboard(Object.setPrototypeOf(own, context), { trustedProxies: ['127.0.0.1/32'] }),
  })
  address.baseUrl = api.baseUrl
  return {
    baseUrl: api.baseUrl,
    context,
    clock,
    fleet,
    count: (counts) => usage.add(counts),
    project: (name) => context.projects.create({ name, plan: 'standard' }),
    async person(name, roles = {}) {
      const account = await context.accounts.create({ name, password: await context.passwords.hash(PASSWORD) })
      for (const [projectId, role] of Object.entries(roles)) await context.memberships.set(projectId, account.id, role)
      return account
    },
    visitor(account) {
      const session = { address: '127.0.0.1', userAgent: 'test' }
      return createVisitor(api.baseUrl, account ? context.sessions.open({ ...session, accountId: account.id }) : null)
    },
    async close() {
      stopping.abort()
      await api.close()
      await webhooks.close()
      await egress.close()
      database.close()
    },
  }
}

export function createVisitor(baseUrl: string, session: Promise<string> | null): Visitor {
  const cookies = new Map<string, string>()
  const opened = session?.then((secret) => cookies.set('bandstand_session', secret))

  async function send(path: string, init: RequestInit): Promise<Answer> {
    await opened
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(baseUrl + path, {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string>), ...(cookie !== '' && { cookie }) },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || line.includes('Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    }
    // A live page never ends on its own.
    const isLive = response.headers.get('content-type') === 'text/event-stream'
    if (isLive) await response.body?.cancel()
    const text = isLive ? '' : await response.text()
    return { status: response.status, headers: response.headers, text, location: response.headers.get('location') }
  }

  return {
    cookies,
    get: (path, headers = {}) => send(path, { headers }),
    async post(path, fields = {}, { page = path, csrf } = {}) {
      const token = csrf ?? csrfOf((await send(page, {})).text)
      const body = new URLSearchParams({ csrf: token })
      for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one)
      return send(path, { method: 'POST', body })
    },
  }
}

/** The token of the forms of a page; nothing where it has none. */
export function csrfOf(html: string): string {
  return /name="csrf" value="([0-9a-f]{64})"/.exec(html)?.[1] ?? ''
}

/** A log that is on, in which nothing is yet. */
const NO_REQUESTS: DashboardContext['requests'] = {
  isOn: true,
  lateMs: 0,
  bodies: null,
  nextId: () => 1,
  list: async () => [],
  groups: async () => [],
  reach: async () => null,
}

/** No Lavalink client is connected. */
const NO_SESSIONS: DashboardContext['lavalink'] = {
  list: () => [],
  end: async () => null,
  stopPlayer: async () => null,
}

/** No job was ever asked for. */
const NO_JOBS: DashboardContext['jobs'] = {
  list: async () => ({ jobs: [], next: null }),
  get: async () => null,
  open: async () => null,
}

/** A session of someone, as their browser would hold it. */
export async function signedInCookie({ context, baseUrl }: TestDashboard, name: string) {
  const accountId = (await context.accounts.findByName(name))?.id ?? ''
  const value = await context.sessions.open({ accountId, address: '127.0.0.1', userAgent: 'test' })
  return { name: 'bandstand_session', value, url: baseUrl }
}
