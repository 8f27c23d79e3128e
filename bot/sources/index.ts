import { setTimeout as sleep } from 'node:timers/promises'
import { unprocessable } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { failingAs } from '../../upstream/http/failure.ts'
import type { SourceName } from './settings.ts'
import type { TrackInfo } from '../tracks/track.ts'
import { searchInOrder, foundBy } from './fallback-search.ts'
import { createHttpSource } from './http/http.ts'
import { knownSource } from './known-hosts.ts'
import { createLibrary, type LibraryOptions } from './library/library.ts'
import { createOutsideSource, type Outside, type OutsideMeans } from './remote-sources.ts'
import { createMirror } from './links/mirror.ts'
import type { Reader } from './library/reader.ts'
import type { Found, Playable, Source, Sources } from './source.ts'

export interface SourcesOptions {
  /** In the order in which they are asked. */
  readonly names: readonly SourceName[]
  readonly library: Pick<LibraryOptions, 'folders' | 'records'>
  /** Hosts that URLs may lead to whatever their address. */
  readonly allowHosts: readonly string[]
  /** Not closed with the sources. */
  readonly reader: Reader
  /** Every source but `library` and `http` needs it. */
  readonly outside?: Outside
  readonly log: Logger
}

/** How long the start waits for the library. What takes longer goes on while the service already plays. */
const FIRST_REFRESH_MS = 3000

/** Those that play songs which they find by name. */
const PLAYING: ReadonlySet<string> = new Set<SourceName>(['library', 'youtube', 'soundcloud', 'bandcamp'])

/** The configured places that music comes from. Their reading is done in a thread of their own. */
export async function createSources(options: SourcesOptions): Promise<Sources> {
  const { log, reader } = options
  let sources: readonly Source[] = []
  const mirror = createMirror({ sources: () => sources.filter(({ name }) => PLAYING.has(name)), log })
  const sourceOf = (track: TrackInfo) => sources.find(({ sourceName }) => sourceName === track.sourceName)

  async function open(track: TrackInfo, signal: AbortSignal, isFresh?: boolean): Promise<Playable> {
    const source = sourceOf(track)
    if (!source) throw unprocessable('body.track.encoded', 'No source of this service plays this kind of track.')
    return source.open(track, signal, isFresh)
  }

  const { allowHosts } = options
  const means = { web: createHttpSource({ reader }), mirror, open, allowHosts }
  const built = await Promise.all(options.names.map((name) => createSource(name, { options, means })))
  sources = built.map(inFaults)
  const names = sources.map(({ name }) => name)

  return {
    names,
    mirror,
    find: async (query, signal) => {
      const text = query.trim()
      if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return resolveUrl(sources, text, signal)
      const [track] = await searchInOrder(sources, text, { limit: 1, signal, log })
      if (!track) throw unprocessable('body.query', 'Nothing was found for this query.')
      const { source: _source, ...info } = track
      return { tracks: [info], playlist: null }
    },
    search: async (text, { limit, source, signal }) => {
      const asked = source === undefined ? sources : sources.filter(({ name }) => name === source)
      if (asked.length === 0) throw unprocessable('query.source', `The sources are ${names.join(', ')}.`)
      return searchInOrder(asked, text.trim(), { limit, signal, log })
    },
    related: async (track, limit, signal) => {
      const source = sourceOf(track)
      const tracks = (await source?.related?.(track, limit, signal)) ?? []
      return source ? tracks.map((found) => foundBy(source, found)) : []
    },
    open,
    health: () => sources.flatMap((source) => source.health?.() ?? []),
    close: async () => {
      await Promise.all(sources.map(async (source) => source.close()))
    },
  }
}

interface Parts {
  readonly options: SourcesOptions
  readonly means: OutsideMeans
}

async function createSource(name: SourceName, { options, means }: Parts): Promise<Source> {
  if (name === 'http') return means.web
  if (name !== 'library') {
    if (!options.outside) throw new Error(`The source ${name} was given no way to reach the outside.`)
    return createOutsideSource(name, options.outside, means)
  }
  const library = createLibrary({ ...options.library, reader: options.reader, log: options.log })
  const stopWaiting = new AbortController()
  const late = sleep(FIRST_REFRESH_MS, undefined, { signal: stopWaiting.signal }).catch(() => {})
  await Promise.race([library.refresh(), late])
  stopWaiting.abort()
  return library
}

const fault = <T>(work: () => Promise<T>): Promise<T> => failingAs('service_unavailable', work)

/** The same source, whose outside service's failures are faults that callers may read. */
function inFaults(source: Source): Source {
  return {
    ...source,
    resolve: (...of) => fault(() => source.resolve(...of)),
    search: (...of) => fault(() => source.search(...of)),
    open: (...of) => fault(() => source.open(...of)),
    ...(source.related && { related: (...of) => fault(async () => (await source.related?.(...of)) ?? []) }),
  }
}

async function resolveUrl(sources: readonly Source[], text: string, signal: AbortSignal): Promise<Found> {
  const url = URL.parse(text)
  if (!url)
    throw unprocessable('body.query', 'This is not a complete URL; one looks like https://example.com/song.mp3.')
  const known = knownSource(url)
  if (known && !sources.some(({ name }) => name === known.name)) {
    throw unprocessable('body.query', `Links to ${known.site} are not played here: that source is switched off.`)
  }
  // Any address is one of the web: who knows the place better comes first.
  const source = sources.find((it) => it.name !== 'http' && it.claims(url)) ?? sources.find((it) => it.claims(url))
  if (!source) throw unprocessable('body.query', 'URLs of this kind are not played here.')
  return source.resolve(url, signal)
}
