import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { monotonicNow } from '../../lib/clock.ts'
import { createLru } from '../../lib/sharing/lru.ts'

/**
 * Caller of Discord: a bot, a person who is signed in here or administers the service, a stranger, or a project whose
 * webhook leads to Discord.
 */
export type DiscordCaller = 'bot' | 'person' | 'stranger' | 'webhook'

/**
 * Discord bans an address for an hour after 10,000 answers of 401, 403 or 429 in ten minutes
 * (https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans). Each kind of caller
 * stops earlier than the next one, so that strangers never cost the bots their calls.
 */
const MAX_INVALID: Readonly<Record<DiscordCaller, number>> = {
  webhook: 500,
  stranger: 1000,
  person: 4000,
  bot: 9000,
}
const WINDOW_MS = 600_000
const SLOT_MS = 10_000
const INVALID: ReadonlySet<number> = new Set([401, 403, 429])

/** Extra wait of strangers and webhooks when a limit is over: the others come first. */
const LATER_MS = 1000
/** Hosts that share one limit, that of the calling address. */
const DISCORD = /(?:^|\.)discord(?:app)?\.com$/
const UNNAMED_WAIT_MS = 5000
const MAX_WAIT_MS = 3_600_000
const MAX_HOLDS = 1000

/** One Discord: the real one, or a stand-in. */
interface Api {
  /** Until when calls of everybody, of one bot, or of one route are held. */
  readonly holds: ReturnType<typeof createLru<string, number>>
  /** Invalid answers by the slot of time in which they came. */
  readonly invalid: Map<number, number>
}

type Fetch = typeof globalThis.fetch

/** Holds back calls to Discord, by earlier answers. */
type DiscordGate = ReturnType<typeof createDiscordGate>

export function createDiscordGate(now: () => number) {
  const apis = createLru<string, Api>(MAX_HOLDS)
  const apiOf = ({ url: { origin, hostname } }: Call): Api => {
    const name = DISCORD.test(hostname) ? 'discord' : origin
    const known = apis.get(name) ?? { holds: createLru(MAX_HOLDS), invalid: new Map() }
    apis.set(name, known)
    return known
  }
  return {
    /** Time that the call has to wait; 0 or less means that it can be sent. */
    waitMs(caller: DiscordCaller, call: Call): number {
      const api = apiOf(call)
      return Math.max(heldMs(api, caller, call, now()), exhaustedMs(api, caller, now()))
    },
    note: (call: Call, answer: Answer): void => note(apiOf(call), call, answer, now()),
  }
}

/**
 * Makes the `fetch` that all calls of this process to Discord share. While Discord asks for patience, or too many of its
 * answers were invalid, a call is not sent: it gets the 429 that Discord would have sent, with `Retry-After`.
 */
export function createDiscordFetch(send: Fetch, gate: DiscordGate): (caller: DiscordCaller) => Fetch {
  return (caller) => async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const call = { url, authorization: new Headers(init?.headers).get('authorization') ?? '' }
    const waitMs = gate.waitMs(caller, call)
    if (waitMs > 0) return new Response(null, { status: 429, headers: refusal(waitMs) })
    const answer = await send(input, init)
    gate.note(call, answer)
    return answer
  }
}

type Requests = Pick<Dispatcher, 'request'>

/** The same for webhooks of projects: requests to Discord share its limits, all others pass. */
export function guardDiscord(dispatcher: Requests, gate: DiscordGate = sharedGate): Requests {
  return {
    async request(options: Dispatcher.RequestOptions) {
      const url = new URL(options.path, options.origin)
      if (!DISCORD.test(url.hostname)) return dispatcher.request(options)
      const call = { url, authorization: '' }
      const waitMs = gate.waitMs('webhook', call)
      if (waitMs > 0) return emptyAnswer(429, refusal(waitMs))
      const answer = await dispatcher.request(options)
      gate.note(call, { status: answer.statusCode, headers: new Headers(flat(answer.headers)) })
      return answer
    },
  }
}

/** Shared by all calls of this process. */
const sharedGate = createDiscordGate(monotonicNow)
export const discordFetch = createDiscordFetch((...call) => fetch(...call), sharedGate)

type Answer = Pick<Response, 'status' | 'headers'>

interface Call {
  readonly url: URL
  readonly authorization: string
}

const EVERYBODY = 'everybody'
const botKey = ({ authorization }: Call) => digest(authorization)
const routeKey = ({ authorization, url }: Call) => digest(`${authorization} ${url.pathname}`)

/** Tokens are not kept in memory for this. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

function heldMs({ holds }: Api, caller: DiscordCaller, call: Call, nowMs: number): number {
  if (holds.size === 0) return 0
  const keys = [EVERYBODY, botKey(call), routeKey(call)]
  const untilMs = Math.max(...keys.map((key) => holds.get(key) ?? 0))
  const isLater = caller === 'stranger' || caller === 'webhook'
  return untilMs + (isLater ? LATER_MS : 0) - nowMs
}

/** Time until enough invalid answers are older than Discord remembers. */
function exhaustedMs({ invalid }: Api, caller: DiscordCaller, nowMs: number): number {
  let count = 0
  for (const [slot, answers] of invalid) {
    if (endOf(slot) <= nowMs) invalid.delete(slot)
    else count += answers
  }
  for (const [slot, answers] of invalid) {
    if (count < MAX_INVALID[caller]) return 0
    count -= answers
    if (count < MAX_INVALID[caller]) return endOf(slot) - nowMs
  }
  return 0
}

function endOf(slot: number): number {
  return (slot + 1) * SLOT_MS + WINDOW_MS
}

function note({ holds, invalid }: Api, call: Call, { status, headers }: Answer, nowMs: number): void {
  const isShared = headers.get('x-ratelimit-scope') === 'shared'
  if (INVALID.has(status) && !isShared) {
    const slot = Math.floor(nowMs / SLOT_MS)
    invalid.set(slot, (invalid.get(slot) ?? 0) + 1)
  }
  if (status === 429) holds.set(heldBy(call, headers), nowMs + retryAfterMs(headers))
}

/**
 * Discord's global limit is of a bot, and of the address where no bot is named. An answer without any of its headers comes
 * from before it, and is about the address.
 */
function heldBy(call: Call, headers: Headers): string {
  const isGlobal = headers.has('x-ratelimit-global') || headers.get('x-ratelimit-scope') === 'global'
  if (isGlobal) return call.authorization.startsWith('Bot ') ? botKey(call) : EVERYBODY
  return headers.has('x-ratelimit-scope') || headers.has('x-ratelimit-bucket') ? routeKey(call) : EVERYBODY
}

function retryAfterMs(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1000, MAX_WAIT_MS) : UNNAMED_WAIT_MS
}

function refusal(waitMs: number): Record<string, string> {
  return { 'retry-after': String(Math.ceil(waitMs / 1000)), 'x-ratelimit-global': 'true' }
}

function emptyAnswer(statusCode: number, headers: Record<string, string>): Dispatcher.ResponseData {
  const body = Readable.from([]) as Dispatcher.ResponseData['body']
  return { statusCode, statusText: '', headers, body, trailers: {}, opaque: null, context: {} }
}

function flat(headers: Dispatcher.ResponseData['headers']): [string, string][] {
  return Object.entries(headers).map(([name, value]) => [name, String(value)])
}
