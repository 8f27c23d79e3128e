import { isIPv6 } from 'node:net'
import { assertDecoderSandbox } from '../bot/audio/ffmpeg/decoder-sandbox.ts'
import { createAudioNode } from '../bot/audio/node/audio-node.ts'
import type { Audible, AudioNode } from '../bot/audio/node/protocol.ts'
import { createBotManager, type BotManager } from '../bot/discord/bot-manager.ts'
import type { ShardDirectory } from '../bot/discord/shards/shard-directory.ts'
import { systemClock } from '../bot/player/timers.ts'
import type { CoverUrlOf } from '../bot/covers/cover-addresses.ts'
import { openCovers } from '../bot/covers/covers.ts'
import type { PeerReads } from '../bot/peer-reads.ts'
import type { EventBus } from '../bot/events.ts'
import { openTrackMetadata } from '../bot/tracks/track-metadata.ts'
import type { HlsRequest } from '../bot/sources/hls/hls-windows.ts'
import { startCanary } from '../bot/sources/canary.ts'
import { createSources } from '../bot/sources/index.ts'
import type { Reader } from '../bot/sources/library/reader.ts'
import { openUploads } from '../bot/sources/uploads/uploads.ts'
import type { Outside } from '../bot/sources/remote-sources.ts'
import { createSourceHealth, type SourceChange, type SourceHealth } from '../bot/sources/source-health.ts'
import { startYtDlpUpdates } from './yt-dlp-updates.ts'
import type { Sources } from '../bot/sources/source.ts'
import type { Config } from '../config.ts'
import { createCoverShrinker } from '../jobs/images/covers.ts'
import type { Images, Shrinker } from '../jobs/images/images.ts'
import { createRenders } from '../jobs/queue/member-jobs.ts'
import type { Jobs } from '../jobs/queue/job-service.ts'
import { createPictures } from '../jobs/images/pictures.ts'
import { createTurns } from '../lib/sharing/turns.ts'
import { createQuarantine } from '../lib/workers/quarantine.ts'
import type { Logger } from '../lib/log.ts'
import type { TelemetryHooks } from '../lib/telemetry-hooks.ts'
import { PLANS } from '../lib/plans.ts'
import type { SandboxChild } from 'bandstand-sandbox'
import { createWebLinks } from './pages/web-player.ts'
import { awaitStep, type StepOptions } from '../lib/workers/startup.ts'
import { follow } from '../db/engine/notices/followed.ts'
import { BOTS_TOPIC } from '../db/projects/bots.ts'
import { KEYS_TOPIC } from '../db/projects/key-cache.ts'
import { SOURCES_TOPIC } from '../db/music/source-switches.ts'
import type { Repositories } from '../db/repositories.ts'
import type { Lookups } from '../upstream/lookups.ts'
import { createSponsorBlock } from '../upstream/music/sponsorblock.ts'
import { apiUrlOf } from './sandbox.ts'
import { createAudioFiles, type AudioFiles } from './audio-files.ts'

/** A thread without players takes 35 MiB, with what starts its children. */
const IDLE_MS = 60_000

/** Opens the nodes that make the sound. `AUDIO_THREADS=0` still makes one node: on the main thread. */
async function openNodes(
  config: Config,
  sandbox: SandboxChild | null,
  { log, signal, reader }: StepOptions & { readonly reader: Reader },
): Promise<readonly AudioNode[]> {
  const { threads, sound, childSandbox } = config.audio
  const folders = [config.music.libraryDir, config.music.demoDir, config.music.uploads.folder, sound.cache.folder]
  const shared = {
    log,
    inThread: threads > 0,
    idleMs: IDLE_MS,
    certificates: sandbox ? [sandbox.certificate] : [],
    egress: config.egress,
    voiceHosts: [...config.egress.allowHosts, ...(sandbox ? ['localhost'] : [])],
    sound,
    quarantine: createQuarantine(),
    readHlsWindow: (request: HlsRequest, aborted: AbortSignal) => reader.run('hlsWindow', request, aborted),
    decoders: { sandbox: childSandbox, folders },
  }
  if (childSandbox === 'required') await assertDecoderSandbox(folders)
  const ids = Array.from({ length: Math.max(1, threads) }, (_, i) => `audio-${i + 1}`)
  const open = () => Promise.all(ids.map((id) => createAudioNode({ id, ...shared })))
  return awaitStep('The audio thread', open, { log, signal })
}

interface AudioParts extends StepOptions {
  readonly config: Config
  readonly sandbox: SandboxChild | null
  readonly reader: Reader
  /** Address on which this service listens. */
  readonly bound: { readonly port: number }
}

/** The audio threads of this service, and all nodes with those of other machines before them. */
export async function openAudio(parts: AudioParts, opening: AsyncDisposableStack) {
  const { config, sandbox } = parts
  const files = createAudioFiles()
  const all = Promise.all([openNodes(config, sandbox, parts), openRemoteNodes(parts, files)])
  const [threads, remote] = opening.adopt(await all, async (opened) => {
    await Promise.all(opened.flat().map((node) => node.close()))
  })
  return { threads, nodes: [...remote, ...threads], files }
}

/** Opens the nodes of AUDIO_NODES, whether or not they can be reached now. */
function openRemoteNodes({ config, bound, log }: AudioParts, files: AudioFiles): Promise<readonly AudioNode[]> {
  const { nodes, filesUrl } = config.audio.remote
  const originAt = (address: string) => filesUrl ?? `http://${isIPv6(address) ? `[${address}]` : address}:${bound.port}`
  return Promise.all(
    nodes.map(async (node) => {
      const parts = { ...node, log, toRemote: (track: Audible, from: string) => files.toRemote(track, originAt(from)) }
      return (await import('../bot/audio/remote/remote-node.ts')).createRemoteNode(parts)
    }),
  )
}

/** Opens the address of covers for the sources, and the covers' server once there are sources. */
export function openCoverAddresses(
  { api }: Config,
  { stores, bound, images, log }: CoverParts,
): ReturnType<typeof openCovers> {
  const baseUrl = api.baseUrl ?? bound.url
  return openCovers({ baseUrl, secrets: stores.coverSecrets, shrink: createCoverShrinker(images), log })
}

interface CoverParts {
  readonly stores: Pick<Repositories, 'coverSecrets'>
  readonly bound: { readonly url: string }
  readonly images: Shrinker
  readonly log: Logger
}

interface BotParts {
  readonly config: Config
  readonly log: Logger
  readonly stores: Repositories
  readonly sandbox: SandboxChild | null
  readonly events: EventBus
  readonly observer: TelemetryHooks
  readonly nodes: readonly AudioNode[]
  readonly reader: Reader
  readonly outside: Outside
  readonly images: Images
  readonly jobs: Jobs
  readonly utilities: Lookups
  readonly directory: ShardDirectory
  /** Reads what other services run of the same bots. */
  readonly reads: PeerReads
  /** Waits a moment until the other services have the events so far. */
  readonly flushEvents: () => Promise<void>
  readonly coverUrlOf: CoverUrlOf
  /** Address for browsers, without a slash at the end. */
  readonly baseUrl: string
}

/** The bots, the sources of what they play, and what is known of it. */
export async function openBots(
  parts: BotParts,
  opening: AsyncDisposableStack,
): Promise<{ readonly bots: BotManager; readonly sources: Sources }> {
  const { config, log, stores, sandbox, events, observer, nodes, reader, outside } = parts
  const { images, jobs, utilities, coverUrlOf } = parts
  const { sources: names, libraryDir, demoDir } = config.music
  const library = { folders: sandbox ? [libraryDir, demoDir] : [libraryDir], records: stores.library }
  const { allowHosts } = config.egress
  const { plans, ...gates } = await followProjects(parts, opening)
  const sourceHealth = createSourceHealth({ clock: systemClock, log })
  const uploads = await openUploads({ ...config.music.uploads, egress: outside.egress, log })
  const options = { names, library, allowHosts, reader, outside, health: sourceHealth, coverUrlOf, log, ...gates }
  const sources = opening.adopt(await createSources({ ...options, uploads }), (it) => it.close())
  const manager = createBotManager({
    openTrackMetadata: (music) => openTrackMetadata({ music, sources, outside, log }),
    records: stores.bots,
    changes: stores.store,
    states: stores.players,
    library: stores.library,
    coverUrlOf,
    ...stores.members,
    pictures: createPictures(images),
    webLinks: config.webPlayer.isOn ? createWebLinks(stores.members.webPlayer, parts.baseUrl) : null,
    renders: createRenders(jobs),
    utilities,
    playerCeilingOf: (projectId) => PLANS[plans.value.get(projectId) ?? 'free'].players,
    directory: parts.directory,
    peers: parts.reads,
    flushEvents: parts.flushEvents,
    sources,
    sponsorBlock: createSponsorBlock(outside.context, { ...outside, ...outside.places.sponsorBlock }),
    nodes,
    events,
    observer,
    rules: config.player,
    isLevelled: config.audio.isLevelled,
    clock: systemClock,
    log,
    apiUrlOf: (bot) => apiUrlOf(config, sandbox, bot),
    cdnUrlOf: (bot) => (bot.sandbox && sandbox ? `${sandbox.url}/cdn` : null),
  })
  const bots = opening.adopt(manager, (it) => it.close())
  tellOfSources(sourceHealth, parts, bots)
  if (config.music.hasCanary) {
    const isNeeded = () => bots.counts().connectedBots > 0
    const canary = startCanary({ sources, health: sourceHealth, clock: systemClock, isNeeded })
    opening.adopt(canary, (it) => it.close())
  }
  const { music } = config
  opening.adopt(startYtDlpUpdates({ music, clock: systemClock, log }), (it) => it.close())
  return { bots, sources }
}

/** Follows values for callers that cannot wait for the database. */
async function followProjects({ config, sandbox, stores, log }: BotParts, opening: AsyncDisposableStack) {
  const { store, bots, projects } = stores
  const onError = (err: unknown) => log.warn({ err }, 'reading projects and bots failed')
  const hasRealBot = await follow({ store, topic: BOTS_TOPIC, onError }, async () =>
    (await bots.listAll()).some((bot) => !bot.sandbox),
  )
  opening.defer(() => hasRealBot.close())
  const plans = await follow(
    { store, topic: KEYS_TOPIC, onError },
    async () => new Map((await projects.list()).map(({ id, plan }) => [id, plan])),
  )
  opening.defer(() => plans.close())
  const readOff = async () => new Set(await stores.sourceSwitches.listOff())
  const sourcesOff = await follow({ store, topic: SOURCES_TOPIC, onError }, readOff)
  opening.defer(() => sourcesOff.close())
  return {
    plans,
    canAskOutside: () => !config.music.areSourcesDefault || !sandbox || hasRealBot.value,
    isOff: (name: string) => sourcesOff.value.has(name),
  }
}

/** Emits an event for each connected bot when a source fails or recovers, and saves that for the command line. */
function tellOfSources(health: SourceHealth, { stores, events, log }: BotParts, bots: BotManager): void {
  // A database that is away must not fail the search that found a source failing.
  const attempt = async (work: () => unknown) => {
    try {
      await work()
    } catch (err) {
      log.warn({ err }, 'source state listener failed')
    }
  }
  const tell = async ({ name, failure }: SourceChange) => {
    const state = failure ?? 'ready'
    for (const { id: botId, projectId } of await stores.bots.listAll()) {
      if (!bots.isSpokenForHere(botId)) continue
      events.emit({ projectId, event: { type: 'sourceChanged', botId, source: name, state } })
    }
  }
  // A failure and an immediate recovery are saved in that order.
  const inTurn = createTurns()
  void inTurn(() => attempt(() => stores.sourceFailures.clear()))
  const known = new Map<string, string>()
  health.subscribeWays((source, ways) => {
    for (const { name: way, failure } of ways) {
      const name = `${source} ${way}`
      if (known.get(name) === (failure ?? undefined)) continue
      if (failure === null) known.delete(name)
      else known.set(name, failure)
      const sinceMs = Date.now()
      const note = () =>
        failure === null ? stores.sourceFailures.remove(name) : stores.sourceFailures.save({ name, failure, sinceMs })
      void inTurn(() => attempt(note))
    }
  })
  health.subscribe((change) => {
    const { name, failure, sinceMs } = change
    const note = () =>
      failure === null ? stores.sourceFailures.remove(name) : stores.sourceFailures.save({ name, failure, sinceMs })
    void inTurn(() => attempt(note))
    void attempt(() => tell(change))
  })
}
