import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { assertDecoderSandbox } from '../../bot/audio/ffmpeg/decoder-sandbox.ts'
import { createAudioNode } from '../../bot/audio/node/audio-node.ts'
import type { AudioNode } from '../../bot/audio/node/protocol.ts'
import { systemClock } from '../../bot/player/timers.ts'
import { startCanary } from '../../bot/sources/canary.ts'
import type { HlsRequest } from '../../bot/sources/hls/hls-windows.ts'
import { createSources } from '../../bot/sources/index.ts'
import { createReader, type Reader } from '../../bot/sources/library/reader.ts'
import type { Outside } from '../../bot/sources/remote-sources.ts'
import { createSourceHealth } from '../../bot/sources/source-health.ts'
import type { Sources } from '../../bot/sources/source.ts'
import type { Config } from '../../config.ts'
import { createSqliteReader } from '../../db/engine/reader/sqlite-reader.ts'
import { createSqliteStore } from '../../db/engine/sqlite-store.ts'
import { openDatabase } from '../../db/engine/open.ts'
import { createLibraryRecords } from '../../db/music/library.ts'
import { monotonicNow } from '../../lib/clock.ts'
import type { UpstreamHooks } from '../../lib/telemetry-hooks.ts'
import { createQuarantine } from '../../lib/workers/quarantine.ts'
import { awaitStep, type StepOptions } from '../../lib/workers/startup.ts'
import { createEgress } from '../../upstream/egress/egress-guard.ts'
import { openUpstreamContext } from '../../upstream/http/context.ts'

interface MusicParts extends StepOptions {
  readonly config: Config
  /** Folder of the node's own data: its index of the library, and the track cache. */
  readonly folder: string
  readonly observer: UpstreamHooks
  /** Whether anyone plays, so that sources are asked how they fare. */
  readonly isNeeded: () => boolean
}

interface OpenMusic {
  readonly reader: Reader
  readonly nodes: readonly AudioNode[]
  readonly sources: Sources
  readonly outside: Outside
}

/** The audio threads and the sources, as a service has them. */
export async function openMusic(parts: MusicParts, opening: AsyncDisposableStack): Promise<OpenMusic> {
  const { config, log } = parts
  const libraryDir = libraryFolder(parts)
  const reader = opening.adopt(createReader({ log, ...config.egress }), (it) => it.close())
  // Each takes half a second, and neither needs the other.
  const outside = openOutside(parts, opening)
  const [nodes, sources] = await Promise.all([
    openNodes({ ...parts, reader, libraryDir }, opening),
    openSources({ ...parts, reader, outside, libraryDir }, opening),
  ])
  return { reader, nodes, sources, outside }
}

/** That of the settings; one of the node's own where there is none, and none can be made beside the data of a service. */
function libraryFolder({ config, folder }: MusicParts): string {
  const { libraryDir } = config.music
  try {
    mkdirSync(libraryDir, { recursive: true })
    return libraryDir
  } catch {
    return join(folder, 'library')
  }
}

interface Library {
  readonly libraryDir: string
}

async function openNodes(
  { config, folder, log, signal, reader, libraryDir }: MusicParts & Pick<OpenMusic, 'reader'> & Library,
  opening: AsyncDisposableStack,
): Promise<readonly AudioNode[]> {
  const { threads, sound, childSandbox } = config.audio
  const cache = { ...sound.cache, folder: join(folder, 'tracks') }
  const folders = [libraryDir, cache.folder]
  if (childSandbox === 'required') await assertDecoderSandbox(folders)
  const shared = {
    log,
    inThread: threads > 0,
    certificates: [],
    egress: config.egress,
    voiceHosts: config.lavalink.voiceHosts,
    sound: { ...sound, cache },
    quarantine: createQuarantine(),
    readHlsWindow: (request: HlsRequest, aborted: AbortSignal) => reader.run('hlsWindow', request, aborted),
    decoders: { sandbox: childSandbox, folders },
  }
  const ids = Array.from({ length: Math.max(1, threads) }, (_, i) => `audio-${i + 1}`)
  const open = () => Promise.all(ids.map((id) => createAudioNode({ id, ...shared })))
  return opening.adopt(await awaitStep('The audio thread', open, { log, signal }), async (nodes) => {
    await Promise.all(nodes.map((node) => node.close()))
  })
}

async function openSources(
  parts: MusicParts & Pick<OpenMusic, 'reader' | 'outside'> & Library,
  opening: AsyncDisposableStack,
): Promise<Sources> {
  const { config, folder, log, isNeeded, reader, outside, libraryDir } = parts
  const index = opening.adopt(openDatabase({ dataDir: folder }), (it) => void it.close())
  const store = createSqliteStore(index)
  const searching = opening.adopt(createSqliteReader(folder, log, store), (it) => it.close())
  const health = createSourceHealth({ clock: systemClock, log })
  const sources = await createSources({
    names: config.music.sources,
    library: { folders: [libraryDir], records: createLibraryRecords(store, searching) },
    allowHosts: config.egress.allowHosts,
    reader,
    outside,
    health,
    log,
  })
  opening.adopt(sources, (it) => it.close())
  if (config.music.hasCanary) {
    opening.adopt(startCanary({ sources, health, clock: systemClock, isNeeded }), (it) => it.close())
  }
  return sources
}

function openOutside({ config, log, observer }: MusicParts, opening: AsyncDisposableStack): Outside {
  const settings = config.utilities
  const { allowHosts } = config.egress
  const egress = opening.adopt(createEgress({ allowHosts, userAgent: settings.userAgent }), (it) => it.close())
  const calls = { settings, log, metrics: observer, now: monotonicNow, date: Date.now }
  const { context } = opening.adopt(openUpstreamContext(calls), (it) => it.close())
  const { timeoutMs, cacheMaxEntries: cacheMax } = settings
  return { context, egress, places: config.music.places, timeoutMs, cacheMax }
}
