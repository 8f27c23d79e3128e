import { createRandom } from '../../../lib/random/seeded-random.ts'
import { openPlaces } from '../../stage/places.ts'
import type { Ear } from './listener.ts'
import type { Inspector } from './inspector.ts'
import { TRACKS } from './music.ts'
import { sleep, type Service, type Tools } from './tools.ts'

/** A guild of the walk. Someone listens in each of its channels. */
interface WalkGuild {
  readonly guildId: string
  /** Two; those that are deleted get a successor at the same index. */
  readonly rooms: { channelId: string; ear: Ear }[]
}

export interface Walk {
  readonly tools: Tools
  readonly service: Service
  readonly inspector: Inspector
  readonly guilds: readonly WalkGuild[]
  /** Answers that no caller should get. */
  readonly wrongAnswers: string[]
}

/** One operation of the walk, fixed by the seed before the walk begins. */
export interface Step {
  readonly name: string
  readonly guild: number
  /** 0 to 1: which of the operation's variants. */
  readonly dice: number
  /** The pause before the operation. */
  readonly pauseMs: number
}

interface Operation {
  readonly name: string
  /** The probability, relative to the others. */
  readonly weight: number
  /** Whether it concerns the bot in all guilds: once in a burst, since Discord makes a bot wait between two logins. */
  readonly isGlobal?: boolean
  run(walk: Walk, guild: WalkGuild, dice: number): Promise<unknown>
}

const LONGEST_PAUSE_MS = 400
/** A request may meet a player that is gone, that closes, or a service that asks for patience. */
const EXPECTED_ANSWERS: ReadonlySet<number> = new Set([200, 404, 409, 422, 503])
const VOICE_CODES = [4006, 4006, 4009, 4014, 4015, 4022, 4021, 1006] as const
const QUERIES = [TRACKS.noise, TRACKS.noise, TRACKS.tone]
const AUDIO_THREAD = 'bot/audio/node/worker.ts'

async function call({ service, wrongAnswers }: Walk, method: string, path: string, body?: unknown): Promise<void> {
  const { status } = await service.call(method, `/v1/music/guilds/${path}`, { body })
  if (!EXPECTED_ANSWERS.has(status)) wrongAnswers.push(`${method} ${path} answered ${status}`)
}

/** Causes an event in Discord. The stand-in refuses events of an absent bot, which changes nothing. */
function happen({ service }: Walk, { guildId }: WalkGuild, path: string, body: unknown): Promise<unknown> {
  return service.sandbox('POST', `/sandbox/guilds/${guildId}/members/${service.botId}${path}`, body).catch(() => null)
}

function gateway(name: string, weight: number, body: object): Operation {
  return {
    name: `gateway ${name}`,
    weight,
    isGlobal: true,
    run: ({ service }) => service.sandbox('POST', `/sandbox/applications/${service.botId}/gateway`, body),
  }
}

function pick<T>(list: readonly T[], dice: number): T {
  return list[Math.floor(dice * list.length)] as T
}

const OPERATIONS: readonly Operation[] = [
  {
    name: 'play',
    weight: 14,
    run: (walk, { guildId, rooms }, dice) => {
      const { channelId } = pick(rooms, dice)
      return call(walk, 'POST', `${guildId}/play`, { query: pick(QUERIES, (dice * 7) % 1), channelId })
    },
  },
  { name: 'skip', weight: 4, run: (walk, { guildId }) => call(walk, 'POST', `${guildId}/skip`) },
  { name: 'stop', weight: 2, run: (walk, { guildId }) => call(walk, 'DELETE', `${guildId}/queue`) },
  { name: 'close', weight: 6, run: (walk, { guildId }) => call(walk, 'DELETE', `${guildId}/player`) },
  { name: 'move', weight: 4, run: move },
  { name: 'disconnect', weight: 3, run: (walk, guild) => happen(walk, guild, '/disconnect', { code: 4014 }) },
  {
    name: 'voice socket',
    weight: 8,
    run(walk, guild, dice) {
      const code = pick(VOICE_CODES, dice)
      return happen(walk, guild, '/voice-socket', code === 1006 ? { drop: true } : { code })
    },
  },
  {
    name: 'packet loss',
    weight: 3,
    run: ({ service }, { guildId }, dice) => {
      const faults = { direction: 'in', lossPercent: Math.round(dice * 100) }
      return service.sandbox('PUT', `/sandbox/guilds/${guildId}/faults`, faults)
    },
  },
  { name: 'channel deleted', weight: 2, run: replaceChannel },
  gateway('reconnect', 2, { action: 'reconnect' }),
  gateway('cut', 2, { action: 'drop' }),
  gateway('half open', 4, { action: 'frozen' }),
  gateway('deaf', 1, { action: 'deaf' }),
  gateway('session resumable', 1, { action: 'invalidate', resumable: true }),
  gateway('session invalid', 1, { action: 'invalidate', resumable: false }),
  gateway('closed with 4009', 1, { action: 'close', code: 4009 }),
  {
    name: 'audio thread ends',
    weight: 0.6,
    isGlobal: true,
    // A thread that is being started again cannot be ended.
    run: ({ inspector }) => inspector.runInThread(AUDIO_THREAD, 'process.exit(1)').catch(() => undefined),
  },
]

function move(walk: Walk, guild: WalkGuild, dice: number): Promise<unknown> {
  return happen(walk, guild, '/move', { channelId: pick(guild.rooms, dice).channelId })
}

/** Deletes a channel with all who are in it, and opens another with a listener in its place. */
async function replaceChannel(walk: Walk, guild: WalkGuild, dice: number): Promise<void> {
  const index = Math.floor(dice * guild.rooms.length)
  const { channelId, ear } = guild.rooms[index]!
  const channels = `/sandbox/guilds/${guild.guildId}/channels`
  await walk.service.sandbox('DELETE', `${channels}/${channelId}`).catch(() => null)
  ear.close()
  guild.rooms[index] = await openRoom(walk, guild.guildId)
}

async function openRoom({ tools, service }: Pick<Walk, 'tools' | 'service'>, guildId: string) {
  const room = { name: 'Walk', type: 'voice' }
  const { body } = await service.sandbox('POST', `/sandbox/guilds/${guildId}/channels`, room)
  const channelId: string = body.id
  return { channelId, ear: await (await tools.discord()).listen({ guildId, channelId }) }
}

export async function openWalkGuilds(tools: Tools, service: Service, count: number): Promise<WalkGuild[]> {
  const places = await openPlaces(service, service.botId, count)
  const room = (guildId: string) => openRoom({ tools, service }, guildId)
  return Promise.all(
    places.map(async ({ guildId }) => ({ guildId, rooms: [await room(guildId), await room(guildId)] })),
  )
}

/** The bursts of a walk: the same for the same seed, no matter what happens in it. */
export function planWalk(seed: number, operations: number, { guilds, perBurst }: { guilds: number; perBurst: number }) {
  const random = createRandom(seed)
  const bursts: Step[][] = []
  for (let left = operations; left > 0; left -= perBurst) {
    const burst: Step[] = []
    while (burst.length < Math.min(perBurst, left)) {
      const { name, isGlobal } = chooseOperation(random())
      const step = { name, guild: Math.floor(random() * guilds), dice: random(), pauseMs: random() * LONGEST_PAUSE_MS }
      const hasGlobal = burst.some((one) => OPERATIONS.some((it) => it.name === one.name && it.isGlobal))
      if (!isGlobal || !hasGlobal) burst.push(step)
    }
    bursts.push(burst)
  }
  return bursts
}

function chooseOperation(dice: number): Operation {
  let at = dice * OPERATIONS.reduce((sum, { weight }) => sum + weight, 0)
  return OPERATIONS.find(({ weight }) => (at -= weight) < 0) ?? OPERATIONS[0]!
}

/** Starts the steps one after the other without waiting for their ends; then packets pass again everywhere. */
export async function runBurst(walk: Walk, burst: readonly Step[]): Promise<void> {
  const running: Promise<unknown>[] = []
  for (const { name, guild, dice, pauseMs } of burst) {
    await sleep(pauseMs)
    const operation = OPERATIONS.find((one) => one.name === name)
    running.push(operation!.run(walk, walk.guilds[guild]!, dice))
  }
  await Promise.all(running)
  const heal = ({ guildId }: WalkGuild) => walk.service.sandbox('PUT', `/sandbox/guilds/${guildId}/faults`, {})
  await Promise.all(walk.guilds.map(heal))
}

const HEARD_FRAMES = 10
const HEARD_WITHIN_MS = 400

export interface WalkState {
  /** Differences between Discord and the API, or playing tracks that are not heard. */
  readonly faults: readonly string[]
  /** Guilds with a track that plays and is heard. */
  readonly heard: number
}

/** Compares the present state of the guilds in Discord, in the API and as heard. */
export async function inspectGuilds({ service, guilds }: Walk): Promise<WalkState> {
  const before = guilds.map(({ rooms }) => rooms.map(({ ear }) => ear.count))
  await sleep(HEARD_WITHIN_MS)
  const { status, body } = await service.call('GET', '/v1/music/players')
  if (status !== 200) return { faults: [`the players are answered with ${status}`], heard: 0 }
  const found = guilds.map(async ({ guildId, rooms }, index) => {
    const player = body.data.find((one: any) => one.guildId === guildId)
    const path = `/sandbox/guilds/${guildId}/members/${service.botId}/voice`
    const shown: string | null = (await service.sandbox('GET', path)).body?.channelId ?? null
    const name = `guild ${index}`
    if (shown !== (player?.channelId ?? null)) {
      return `${name}: Discord shows ${shown ?? 'nothing'}, the API ${player?.channelId ?? 'no player'}`
    }
    if (!player?.current || player.paused) return 'quiet'
    const room = rooms.findIndex(({ channelId }) => channelId === shown)
    const frames = (rooms[room]?.ear.count ?? 0) - (before[index]?.[room] ?? 0)
    return frames >= HEARD_FRAMES
      ? 'heard'
      : `${name}: plays ${player.current.title} at ${player.positionMs} ms unheard`
  })
  const all = await Promise.all(found)
  const faults = all.filter((one) => one !== 'quiet' && one !== 'heard')
  return { faults, heard: all.filter((one) => one === 'heard').length }
}
