import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../lib/random/seeded-random.ts'
import { chooseAction, PLAY, type Guild, type Party } from './actions.ts'

export interface PartyOptions {
  readonly baseUrl: string
  readonly sandboxUrl: string
  readonly key: string
  readonly botId: string
  readonly players: number
  readonly seed: number
  readonly queries: readonly string[]
}

const CLIENTS = 6
const NO_PLAYER = 404
/** No one waits longer for anything. */
const ANSWER_WITHIN_MS = 60_000
const NO_ANSWER = 0
const SHORTEST_PAUSE_MS = 300
const LONGEST_PAUSE_MS = 4000
const RECONNECT_EVERY_MS = 47_000

export async function inviteParty(options: PartyOptions): Promise<Party> {
  const { baseUrl, sandboxUrl, key, botId, seed, queries } = options
  const authorization = { authorization: `Bearer ${key}` }
  const answers: Record<string, Record<number, number>> = {}
  const faults: string[] = []

  async function call(url: string, method: string, body: unknown): Promise<{ status: number; body: any }> {
    const response = await request(url, {
      method,
      headers: { ...(url.startsWith(baseUrl) ? authorization : {}), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }
  const get = async (path: string) => (await call(baseUrl + path, 'GET', undefined)).body
  const guilds: Guild[] = []
  for (let index = 0; index < options.players; index += 1) {
    const facts = { name: `Soak ${index + 1}`, voiceChannels: 2, members: 1, applications: [botId] }
    const { body } = await call(`${sandboxUrl}/sandbox/guilds`, 'POST', facts)
    guilds.push(toGuild(body, { botId, random: createRandom(seed * 1000 + index), hasClient: index < CLIENTS }))
  }
  const found = await Promise.all(queries.map((q) => get(`/v1/music/search?limit=1&q=${encodeURIComponent(q)}`)))
  const tokens: string[] = found.flatMap(({ data }) => (data ?? []).map(({ encoded }: any) => encoded))

  const party: Party = {
    botId,
    queries,
    tokens,
    guilds,
    answers,
    faults,
    async ask(method, path, body) {
      const answer = await call(baseUrl + path, method, body).catch(unanswered)
      const isOurs = [NO_ANSWER, 400, 500].includes(answer.status)
      if (isOurs) faults.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.status
    },
    happen: async (method, path, body) => (await call(sandboxUrl + path, method, body).catch(unanswered)).status,
    get,
    pick: (random, from) => from[Math.floor(random() * from.length)]!,
    async celebrate(untilMs) {
      const trouble = troubleGateway(party, untilMs)
      await Promise.all(guilds.map((guild) => celebrateIn(party, guild, untilMs)))
      await trouble
    },
    async goHome() {
      await Promise.all(guilds.map(({ guildId }) => party.ask('DELETE', `/v1/music/guilds/${guildId}/player`)))
    },
  }

  async function celebrateIn(it: Party, guild: Guild, untilMs: number): Promise<void> {
    await it.happen('POST', `/sandbox/guilds/${guild.guildId}/members/${guild.memberIds[0]}/join`, {
      channelId: guild.homeId(),
      client: guild.hasClient,
    })
    let status = NO_PLAYER
    while (performance.now() < untilMs) {
      const deed = status === NO_PLAYER ? PLAY : chooseAction(guild.random)
      guild.touchedAtMs = performance.now()
      status = await deed.run(it, guild)
      const counts = (answers[deed.name] ??= {})
      counts[status] = (counts[status] ?? 0) + 1
      guild.touchedAtMs = performance.now()
      await sleep(SHORTEST_PAUSE_MS + guild.random() * (LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS))
    }
    // No one stays muted for good.
    await it.happen('POST', `/sandbox/guilds/${guild.guildId}/members/${botId}/server-mute`, { muted: false })
  }
  return party
}

/** A server may close a connection that rested for a while in the moment in which it is used again. */
export async function request(url: string, options: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await fetch(url, { ...options, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    } catch (err) {
      const isClosed =
        err instanceof TypeError && (err.cause as { code?: string } | undefined)?.code === 'UND_ERR_SOCKET'
      if (!isClosed || tries === 3) throw err
    }
  }
}

function unanswered(err: unknown): { readonly status: number; readonly body: unknown } {
  if (err instanceof DOMException && err.name === 'TimeoutError') return { status: NO_ANSWER, body: 'no answer' }
  throw err
}

function toGuild(
  body: any,
  { botId, random, hasClient }: Pick<Guild, 'random' | 'hasClient'> & { readonly botId: string },
): Guild {
  const channelIds: string[] = body.channels.filter(({ type }: any) => type === 'voice').map(({ id }: any) => id)
  const memberIds: string[] = body.members.filter(({ id }: any) => id !== botId).map(({ id }: any) => id)
  return {
    guildId: body.id,
    channelIds,
    memberIds,
    hasClient,
    random,
    touchedAtMs: 0,
    homeId: () => channelIds[0] ?? '',
  }
}

/** Now and then Discord asks the bot to reconnect, as it does every few hours. */
async function troubleGateway(party: Party, untilMs: number): Promise<void> {
  for (;;) {
    const leftMs = untilMs - performance.now()
    await sleep(Math.max(Math.min(leftMs, RECONNECT_EVERY_MS), 0))
    if (performance.now() >= untilMs) return
    await party.happen('POST', `/sandbox/applications/${party.botId}/gateway`, { action: 'reconnect' })
  }
}
