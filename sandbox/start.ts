import type { Logger } from 'pino'
import { createBridge } from './bridge.ts'
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
import { createWorld, getApplication, getGuild, type Link, type World } from './world/world.ts'

export interface SandboxOptions {
  /** 0 takes any free one. */
  readonly port: number
  /** Where bots and their tokens are kept; null forgets them at the end. */
  readonly stateFile: string | null
  readonly log: Logger
  readonly heartbeatMs?: number
  readonly resumeMs?: number
  /** Whether someone sits in the first voice channel from the start, as in the demo. */
  readonly demoMember?: boolean
  /** Milliseconds since 1970, for messages, limits and deadlines. Defaults to the clock of the machine. */
  readonly now?: () => number
  /** Of the voice server, for clients that trust it already; a fresh one unless given. */
  readonly certificate?: Certificate
}

/** What the demo start and tests need to know to find their way in. */
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
  readonly demo: DemoFacts
  readonly world: World
  readonly gateway: Gateway
  readonly rest: Rest
  readonly voice: VoiceServer
  readonly crowd: Crowd
  readonly clock: Clock
  readonly recorder: Recorder
  readonly faults: Faults
  readonly snapshots: Snapshots
  /** Pages of the bot's own that the sandbox's page leads to: `dashboard`, `docs`, or any other name. */
  setLinks(links: readonly Link[]): void
  close(): Promise<void>
}

/** A whole stand-in Discord on loopback, with the demo guild in it. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { log, stateFile, heartbeatMs = 41_250, resumeMs = 60_000 } = options
  const clock = createClock(options.now)
  const world = createWorld(clock)
  const recorder = createRecorder(clock.now)
  const certificate = options.certificate ?? (await createCertificate())
  const bridge = createBridge(world)
  const { admit, onLeft, isHeard, canHear } = bridge
  const voice = await startVoiceServer({ certificate, log, admit, onLeft, isHeard, canHear })
  bridge.attach(voice)
  populate(world, options)

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
  const server = await listen({ port: options.port, onRequest, onUpgrade: gateway.accept })
  world.url = `http://127.0.0.1:${server.port}`
  if (options.demoMember !== false) await seatDemoMember(world, crowd)
  snapshots.take(START)
  return {
    ...stage,
    url: world.url,
    demo: { ...DEMO, botToken: getApplication(world, DEMO.applicationId).token },
    clock,
    rest,
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

/** The demo guild, and the bots of an earlier run, which come back into it: there they were made. */
function populate(world: World, { stateFile, log }: SandboxOptions): void {
  if (stateFile !== null) loadState(world, stateFile)
  buildDemo(world)
  for (const application of world.applications.values())
    addApplication(world, getGuild(world, DEMO.guildId), application)
  if (stateFile !== null) keepState(world, stateFile, log)
}

async function seatDemoMember(world: World, crowd: Crowd): Promise<void> {
  const [sitter] = DEMO.memberIds
  if (sitter === undefined) return
  await crowd.enter(getGuild(world, DEMO.guildId), { userId: sitter, channelId: DEMO.voiceChannelId, client: true })
}
