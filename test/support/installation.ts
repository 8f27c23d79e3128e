import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ChannelType } from 'discord-api-types/v10'
import { pino } from 'pino'
import { startSandbox, type Sandbox } from 'bandstand-sandbox'
import {
  addApplication,
  addChannel,
  addMember,
  createApplication,
  createGuild,
  createUser,
  type Application,
  type Guild,
} from 'bandstand-sandbox/world'
import type { MemberVoice } from 'bandstand-sandbox/voice'
import { adminJson } from './admin.ts'
import { temporaryFolder } from './database.ts'
import { framesOf, listenFrom, sitIn, type Listener } from './hearing.ts'
import { nodeMachine, redisMachine, type Machine } from './machine.ts'
import { pinkNoise } from './made-once.ts'
import { startPostgres, type PostgresServer } from './postgres.ts'
import { eventually, fetchJson, type Answer } from './service.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'
import { freePort } from './web.ts'

/** A guild of the bot with one voice channel and one member who listens. */
interface Venue {
  readonly guild: Guild
  readonly channelId: string
  readonly listenerId: string
}

export interface InstalledService extends Machine {
  readonly name: string
  readonly dataDir: string
  readonly baseUrl: string
  /** Proxies between the service and the stores that all services share. */
  readonly redisLink: TcpProxy
  readonly databaseLink: TcpProxy
  call(method: string, path: string, body?: unknown): Promise<Answer>
}

/**
 * Several whole services that run one bot, as on machines of their own: processes, with one PostgreSQL, one Redis, and a
 * Discord in this process that outlives them.
 */
export interface Installation {
  readonly sandbox: Sandbox
  readonly postgres: PostgresServer
  readonly redis: Machine
  /** Address of Redis itself, past all proxies. */
  readonly redisUrl: string
  readonly databaseUrl: string
  readonly services: readonly InstalledService[]
  /** Audio nodes that make the sound, if any. */
  readonly nodes: readonly Machine[]
  readonly bot: Application
  readonly projectId: string
  readonly key: string
  /** One a shard and round again, as many as asked for. */
  readonly venues: readonly Venue[]
  /** Lets the member of a venue sit down with a voice client. */
  listen(venue: Venue): Promise<Listener>
  /** The same, but nothing is written down. */
  sit(venue: Venue): Promise<MemberVoice>
  /** Asks one service after the other until one plays. */
  play(venue: Venue): Promise<void>
  /** Folder and settings of the admin program. */
  readonly adminOptions: { readonly dataDir: string; readonly env: Readonly<Record<string, string>> }
  /** Runs a command line of the admin program. @throws {Error} with what it wrote to standard error. */
  admin(...args: string[]): Promise<any>
  close(): Promise<void>
}

export interface InstallationOptions {
  /** Defaults to 2. */
  readonly services?: number
  /** Defaults to 4. */
  readonly shards?: number
  /** Defaults to one a shard. */
  readonly venues?: number
  /** Environment of all services. */
  readonly env?: Readonly<Record<string, string>>
  /** Program that runs them, such as tools/node.sh. Defaults to the Node.js of this process. */
  readonly execPath?: string
  /** Audio nodes that make the sound. Defaults to none: services make it in their own threads. */
  readonly nodes?: number
  /** Number of shards that may log in at once. Defaults to 16. */
  readonly maxConcurrency?: number
  /** An Opus file that all venues play as `noise`, no two frames of which are the same. Defaults to a minute of noise. */
  readonly noise?: string
  /** Before anything starts. */
  readonly populate?: (world: {
    readonly sandbox: Sandbox
    readonly bot: Application
    readonly library: string
  }) => void
  /** All services run, and the bot is added next. */
  readonly beforeBot?: (services: readonly Machine[]) => Promise<void> | void
}

const SERVICES_KEY = '5e'.repeat(32)
export const TOKEN_KEY = '7c'.repeat(32)
const MAX_CONCURRENCY = 16
/** First ID, of the year 2024: the database keeps IDs in 63 bits. */
const VENUES_FROM = 300_000_000_000n
const NODE_PASSWORD = '3a'.repeat(16)

export async function startInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const opened = new AsyncDisposableStack()
  try {
    return { ...(await open(options, opened)), close: () => opened.disposeAsync() }
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

async function open(options: InstallationOptions, opened: AsyncDisposableStack): Promise<Omit<Installation, 'close'>> {
  const {
    execPath,
    services: count = 2,
    shards = 4,
    venues: guilds = shards,
    env = {},
    noise = await pinkNoise(),
  } = options
  const folder = opened.adopt(temporaryFolder(), (it) => it.remove())
  const log = pino({ level: 'silent' })
  const sandbox = await startSandbox({ port: 0, stateFile: null, limits: false, demoMember: false, log })
  opened.adopt(sandbox, (it) => it.close())
  const postgres = opened.adopt(await startPostgres(), (it) => it.close())
  const databaseUrl = await postgres.database()
  const redisPort = await freePort()
  const redis = opened.adopt(redisMachine(redisPort, folder.path, true), async (it) => void (await it.kill()))
  await redis.start()
  const redisUrl = `redis://127.0.0.1:${redisPort}`

  const { maxConcurrency = MAX_CONCURRENCY } = options
  const bot = createApplication(sandbox.world, { name: 'Large', shards, maxConcurrency })
  const venues = Array.from({ length: guilds }, (_, at) => createVenue(sandbox, { bot, at, shards }))
  const own = settings(sandbox, { folder: folder.path, noise })
  options.populate?.({ sandbox, bot, library: own['LIBRARY_DIR'] ?? '' })
  const nodes = await startNodes(options.nodes ?? 0, { folder: folder.path, env: own, execPath }, opened)
  const common = { ...own, ...nodes.env, ...env }
  const direct = { ...common, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }
  const inThisProcess = { dataDir: join(folder.path, 'admin'), env: direct }
  const start = async (at: number): Promise<ServiceProcess> => {
    const name = String.fromCharCode(97 + at)
    const made = await createService({ name, folder: folder.path, env: direct, execPath }, opened)
    await made.start()
    return made
  }
  // The first one makes the tables.
  const processes = [
    await start(0),
    ...(await Promise.all(Array.from({ length: count - 1 }, (_, at) => start(at + 1)))),
  ]
  const project = await adminJson(['project', 'create', 'Large', '--plan', 'scale'], inThisProcess)
  await options.beforeBot?.(processes)
  await adminJson(['bot', 'add', '--project', project.id], { ...inThisProcess, stdin: bot.token })
  const { key } = await adminJson(['key', 'create', '--project', project.id, '--bot', bot.id], inThisProcess)
  const services = processes.map((one) => withCalls(one, key))
  const frames = framesOf(noise)

  return {
    sandbox,
    postgres,
    redis,
    redisUrl,
    databaseUrl,
    services,
    nodes: nodes.machines,
    bot,
    projectId: project.id,
    key,
    venues,
    listen: (venue) => listenFrom({ ...seatOf(venue), sandbox, frames }),
    sit: (venue) => sitIn({ ...seatOf(venue), sandbox }),
    play: (venue) => playIn(services, venue),
    adminOptions: inThisProcess,
    admin: (...args) => adminJson(args, inThisProcess),
  }
}

const seatOf = ({ guild, channelId, listenerId: userId }: Venue) => ({ guild, channelId, userId })

function settings(
  sandbox: Sandbox,
  { folder, noise }: { readonly folder: string; readonly noise: string },
): Readonly<Record<string, string>> {
  const library = join(folder, 'library')
  mkdirSync(library)
  copyFileSync(noise, join(library, 'noise.opus'))
  const certificateFile = join(folder, 'discord.pem')
  writeFileSync(certificateFile, sandbox.certificate)
  return {
    SERVICES_KEY,
    TOKEN_KEY,
    SANDBOX: 'off',
    MUSIC_SOURCES: 'library,http',
    DISCORD_API_URL: `${sandbox.url}/api`,
    NODE_EXTRA_CA_CERTS: certificateFile,
    LIBRARY_DIR: library,
    LOG_LEVEL: 'info',
    RENDER_CONCURRENCY: '0',
  }
}

interface VenueFacts {
  readonly bot: Application
  readonly at: number
  readonly shards: number
}

/** Creates a venue in the guild whose shard is the next one. */
function createVenue({ world }: Sandbox, { bot, at, shards }: VenueFacts): Venue {
  const first = VENUES_FROM - (VENUES_FROM % BigInt(shards))
  const listenerId = String(3_000_000_000_000_000n + BigInt(at))
  const guild = createGuild(world, {
    id: String((first + BigInt(at)) << 22n),
    name: `Guild ${at}`,
    ownerId: listenerId,
  })
  addMember(world, guild, createUser(listenerId, `listener ${at}`))
  addApplication(world, guild, bot)
  return { guild, channelId: addChannel(world, guild, { name: 'Voice', type: ChannelType.GuildVoice }).id, listenerId }
}

type NodeFacts = Omit<ServiceFacts, 'name'>

/** On other machines, as it were. @returns what services need to know of them. */
async function startNodes(count: number, { folder, env, execPath }: NodeFacts, opened: AsyncDisposableStack) {
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()))
  const machines = ports.map((port, at) => {
    const own = {
      DATA_DIR: join(folder, `node-${at}`),
      LAVALINK_PORT: String(port),
      AUDIO_NODE_PASSWORD: NODE_PASSWORD,
    }
    return nodeMachine('service/lavalink-node/main.ts', 'node started', { env: { ...env, ...own }, execPath })
  })
  for (const machine of machines) {
    opened.defer(async () => void (await machine.kill()))
    await machine.start()
  }
  const names = ports.map((port, at) => `node${at}=http://:${NODE_PASSWORD}@127.0.0.1:${port}`)
  return { machines, env: count === 0 ? {} : { AUDIO_NODES: names.join(',') } }
}

type ServiceProcess = Omit<InstalledService, 'call'>

interface ServiceFacts {
  readonly name: string
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly execPath: string | undefined
}

async function createService(
  { name, folder, env, execPath }: ServiceFacts,
  opened: AsyncDisposableStack,
): Promise<ServiceProcess> {
  const throughProxy = async (url: string) => {
    const direct = new URL(url)
    const proxy = opened.adopt(await startTcpProxy(Number(direct.port)), (it) => it.close())
    direct.port = String(proxy.port)
    return { proxy, url: direct.href }
  }
  const [redis, database] = [await throughProxy(env['REDIS_URL'] ?? ''), await throughProxy(env['DATABASE_URL'] ?? '')]
  const dataDir = join(folder, name)
  const port = String(await freePort())
  const own = { REDIS_URL: redis.url, DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: port, LAVALINK_PORT: '0' }
  const machine = nodeMachine('main.ts', 'service started', { env: { ...env, ...own }, execPath })
  opened.defer(async () => void (await machine.kill()))
  const links = { redisLink: redis.proxy, databaseLink: database.proxy }
  return { ...machine, ...links, name, dataDir, baseUrl: `http://127.0.0.1:${port}` }
}

function withCalls(service: ServiceProcess, key: string): InstalledService {
  const headers = { authorization: `Bearer ${key}` }
  return { ...service, call: (method, path, body) => fetchJson(service.baseUrl + path, method, body, headers) }
}

async function playIn(services: readonly InstalledService[], { guild, channelId }: Venue): Promise<void> {
  const path = `/v1/music/guilds/${guild.id}/play`
  const attempt = async (): Promise<readonly unknown[]> => {
    const answers: unknown[] = []
    for (const service of services) {
      const answer = await service
        .call('POST', path, { query: 'noise', channelId })
        .catch((err: unknown) => String(err))
      if (typeof answer !== 'string' && answer.status === 200) return []
      answers.push(answer)
    }
    return answers
  }
  await eventually(attempt, (failures) => failures.length === 0)
}
