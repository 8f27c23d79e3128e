import { pino, type Logger } from 'pino'
import { createBridge } from './bridge.ts'
import { createSandboxClient, type SandboxClient } from './client/client.ts'
import { createClock, type Clock } from './clock/clock.ts'
import { createCertificate, type Certificate } from './certificate.ts'
import { createCrowd, type Crowd } from './crowd.ts'
import { buildDemo, DEMO } from './demo.ts'
import { createFaults, type Faults } from './faults/faults.ts'
import { takeTurn } from './faults/turns.ts'
import { createGateway, type Gateway } from './gateway/gateway.ts'
import { listen } from './http/server.ts'
import { createRecorder, type Recorder } from './record/recorder.ts'
import { createGatewayTap, recordExchange, recordVoice } from './record/taps.ts'
import { createRest, type Rest } from './rest/rest.ts'
import { createSnapshots, START, type Snapshots } from './snapshots/snapshots.ts'
import { startVoiceServer, type VoiceServer } from './voice/server.ts'
import { createSite } from './site.ts'
import { keepState, loadState } from './state.ts'
import { addApplication } from './world/guilds.ts'
import { setActivities } from './world/activities.ts'
import { createWorld, getApplication, getGuild, type Link, type World } from './world/world.ts'
import type { Seat } from './worlds/build-guild.ts'
import { buildWorld } from './worlds/build.ts'
import { parseWorld, readWorld } from './worlds/read.ts'
import type { WorldDraft } from './worlds/schema.ts'
import { takeSeats } from './worlds/seats.ts'

export interface SandboxOptions {
  /** 0, the default, takes any free one. */
  readonly port?: number
  /** World to start with: a file (JSON or YAML), or the same as an object. Defaults to the demo guild with a bot. */
  readonly world?: string | WorldDraft
  /** File of bots and their tokens; null, the default, forgets them at the end. */
  readonly stateFile?: string | null
  /** Defaults to silence. */
  readonly log?: Logger
  /** Whether rate limits of REST and of identifies are enforced, as Discord does. Defaults to true. */
  readonly limits?: boolean
  readonly heartbeatMs?: number
  readonly resumeMs?: number
  /** Whether someone sits in the first voice channel from the start, as in the demo. */
  readonly demoMember?: boolean
  /** Whether the bot of the demo has Activities. Defaults to what it had in an earlier run. */
  readonly activities?: boolean
  /** Milliseconds since 1970, for messages, limits and deadlines. Defaults to the clock of the machine. */
  readonly now?: () => number
  /** Certificate of the voice server, for clients that trust it already. Defaults to a fresh one. */
  readonly certificate?: Certificate
}

/** IDs and tokens that the demo start and tests need. */
export interface DemoFacts {
  readonly guildId: string
  readonly voiceChannelId: string
  readonly secondVoiceChannelId: string
  readonly textChannelId: string
  readonly stageChannelId: string
  readonly memberIds: readonly string[]
  readonly applicationId: string
  readonly botToken: string
}

export interface Sandbox {
  /** `http://127.0.0.1:PORT`: Discord's REST interface under `/api`, the controls under `/sandbox`. */
  readonly url: string
  /** PEM; voice clients have to trust it. */
  readonly certificate: string
  /** @throws {Error} in a sandbox with a world of its own. */
  readonly demo: DemoFacts
  readonly world: World
  readonly gateway: Gateway
  readonly rest: Rest
  readonly voice: VoiceServer
  readonly crowd: Crowd
  readonly clock: Clock
  /** The controls by HTTP, as another process would have them. */
  readonly client: SandboxClient
  readonly recorder: Recorder
  readonly faults: Faults
  readonly snapshots: Snapshots
  /** Pages of the bot's own that the sandbox's page leads to: `dashboard`, `docs`, or any other name. */
  setLinks(links: readonly Link[]): void
  close(): Promise<void>
}

/**
 * A whole stand-in Discord on loopback.
 * @throws {StartFailure} {WorldError} with words for the person who started it.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { heartbeatMs = 41_250, resumeMs = 60_000, log = pino({ level: 'silent' }) } = options
  const isDemo = options.world === undefined
  const clock = createClock(options.now)
  const world = createWorld(clock)
  const { limits = true } = options
  Object.assign(world.rules, { rateLimits: limits, identifyLimits: limits })
  const seats = populate(world, { ...options, log })
  const recorder = createRecorder(clock.now)
  const certificate = options.certificate ?? (await createCertificate())
  const bridge = createBridge(world)
  const { admit, onLeft, isHeard, canHear } = bridge
  const voice = await startVoiceServer({ certificate, log, admit, onLeft, isHeard, canHear })
  bridge.attach(voice)

  const faults: Faults = createFaults({ clock, onTurn: (turn) => takeTurn({ world, voice, gateway }, turn) })
  const tap = createGatewayTap({ recorder, faults })
  const url = () => world.url.replace('http', 'ws')
  const gateway = createGateway({ world, log, tap, url, heartbeatMs, resumeMs })
  const crowd = createCrowd({ world, certificate: certificate.cert, log })
  const rest = createRest({ world, log, faults, startLimit: gateway.startLimit })
  rest.onExchange((exchange) => recordExchange(recorder, exchange))
  const stopRecording = recordVoice(recorder, world)
  const snapshots = createSnapshots({ world, gateway, voice, crowd, clock, faults, recorder })
  const stage = { world, gateway, voice, crowd, recorder, faults, snapshots, certificate: certificate.cert }
  const onRequest = createSite(stage, rest, log)
  const server = await listen({ port: options.port ?? 0, onRequest, onUpgrade: gateway.accept })
  world.url = `http://127.0.0.1:${server.port}`
  await takeSeats(crowd, seats)
  snapshots.take(START)
  const demo = { ...DEMO, botToken: world.applications.get(DEMO.applicationId)?.token ?? '' }
  return {
    ...stage,
    url: world.url,
    get demo() {
      if (!isDemo) throw new Error('This sandbox has its own world, without a demo guild.')
      return demo
    },
    clock,
    rest,
    client: createSandboxClient(world.url),
    setLinks(links) {
      world.links = links
      world.notices.emit('rules')
    },
    async close() {
      crowd.close()
      bridge.close()
      stopRecording()
      faults.close()
      await gateway.close()
      clock.close()
      await server.close()
      await voice.close()
    },
  }
}

/** The world that was asked for, or the demo guild with all bots of an earlier run. @returns who sits in voice. */
function populate(world: World, options: SandboxOptions & { log: Logger }): readonly Seat[] {
  const { stateFile = null, world: asked, log } = options
  if (stateFile !== null) loadState(world, stateFile)
  const seats = asked === undefined ? populateDemo(world, options) : populateFrom(world, asked)
  if (stateFile !== null) keepState(world, stateFile, log)
  return seats
}

function populateFrom(world: World, asked: string | WorldDraft): readonly Seat[] {
  return typeof asked === 'string' ? buildWorld(world, readWorld(asked), asked) : buildWorld(world, parseWorld(asked))
}

function populateDemo(world: World, { demoMember = true, activities }: SandboxOptions): readonly Seat[] {
  buildDemo(world)
  const bot = getApplication(world, DEMO.applicationId)
  if (activities !== undefined) setActivities(world, bot, activities)
  const guild = getGuild(world, DEMO.guildId)
  for (const application of world.applications.values()) addApplication(world, guild, application)
  const [userId = ''] = DEMO.memberIds
  const seat = { guild, userId, channelId: DEMO.voiceChannelId, client: true, selfMute: false, selfDeaf: false }
  return demoMember ? [seat] : []
}
