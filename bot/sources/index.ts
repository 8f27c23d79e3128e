import { Fault, type FaultReason, unplayable, unprocessable } from '../../lib/errors.ts'
import { UpstreamFailure, type FailureKind } from '../../upstream/http/failure.ts'
import type { Logger } from '../../lib/log.ts'
import { OWN_SOURCES, SOURCE_FACTS, type SourceName } from './settings.ts'
import { systemClock } from '../player/timers.ts'
import type { CoverUrlOf } from '../covers/cover-addresses.ts'
import type { TrackInfo } from '../tracks/track.ts'
import { searchInOrder, foundBy } from './fallback-search.ts'
import { createHttpSource } from './http/http.ts'
import { knownSource } from './known-hosts.ts'
import { createLibrary, type LibraryOptions } from './library/library.ts'
import { createSourceHealth, type SourceHealth } from './source-health.ts'
import { listSourceStates, type SourceStatus } from './source-state.ts'
import { createOutsideSource, type Outside, type OutsideMeans } from './remote-sources.ts'
import { searchLists } from './lists.ts'
import { createMirror } from './links/mirror.ts'
import type { Reader } from './library/reader.ts'
import type { Found, Playable, Source, Sources } from './source.ts'
import type { Uploads } from './uploads/uploads.ts'
import { withTimeout } from '../../lib/deadline.ts'
import { plainQuery } from '../../lib/music/plain-query.ts'

export interface SourcesOptions {
  /** Enabled sources in search order. */
  readonly names: readonly SourceName[]
  readonly library: Pick<LibraryOptions, 'folders' | 'records' | 'retryMs'>
  /** Hosts that URLs can reach even at private addresses. */
  readonly allowHosts: readonly string[]
  /** Not closed with the sources. */
  readonly reader: Reader
  /** Files that members sent along. Closed with the sources. */
  readonly uploads?: Uploads
  /** Every source but `library` and `http` needs it. */
  readonly outside?: Outside
  /** Whether those may be asked now; they may where nothing is given. */
  readonly canAskOutside?: () => boolean
  /** Whether operators turned a source off; none if left out. */
  readonly isOff?: (name: string) => boolean
  /** Defaults to one that no others read. */
  readonly health?: SourceHealth
  /** Public addresses of covers that only we can fetch; without it, tracks have none of those. */
  readonly coverUrlOf?: CoverUrlOf
  readonly log: Logger
}

/** Time that the start waits for the library. A longer scan continues while the service already plays. */
const FIRST_REFRESH_MS = 3000

/** The configured places that music comes from. Their reading is done in a thread of their own. */
export async function createSources(options: SourcesOptions): Promise<Sources> {
  const { log, reader, health = createSourceHealth({ clock: systemClock, log }) } = options
  let all: readonly Source[] = []
  const mayAsk = (name: string) => options.canAskOutside?.() !== false || OWN_SOURCES.has(name)
  const sources = () => all.filter(({ name }) => mayAsk(name) && !options.isOff?.(name))
  const mirror = createMirror({ sources: () => sources().filter(hasSongs), health, log })
  const sourceOf = (track: TrackInfo) => sources().find(({ sourceName }) => sourceName === track.sourceName)

  async function open(track: TrackInfo, signal: AbortSignal, isFresh?: boolean): Promise<Playable> {
    const source = sourceOf(track)
    if (!source) throw unplayable('No source that is turned on plays this track.', 'source_off')
    return source.open(track, signal, isFresh)
  }

  const { allowHosts, coverUrlOf = () => null } = options
  const web = createHttpSource({ reader, findInFeed: podcastsIn(sources), uploads: options.uploads ?? null })
  const means = { web, reader, mirror, open, allowHosts, coverUrlOf }
  const built = await Promise.all(options.names.map((name) => createSource(name, options, means)))
  all = built.map((source) => inFaults(health.watch(source)))
  const names = () => sources().map(({ name }) => name)

  return {
    get names() {
      return names()
    },
    mirror,
    find: async (query, signal) => {
      const text = plainQuery(query)
      if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return resolveUrl(sources(), text, signal)
      const [track] = await searchInOrder(sources().filter(isPlaying), text, { limit: 1, signal, log, health })
      if (!track) throw unplayable('No results for this query.', 'nothing_found')
      const { source: _source, ...info } = track
      return { tracks: [info], playlist: null }
    },
    search: async (text, { limit, source, songsOnly = false, signal }) => {
      const asked = sources().filter((it) => (source === undefined ? isPlaying(it) : it.name === source))
      if (asked.length === 0) throw unprocessable('unknown_source', `Unknown source. Use ${names().join(', ')}.`)
      return searchInOrder(songsOnly ? asked.map(withSongs) : asked, plainQuery(text), { limit, signal, log, health })
    },
    ...createLookups(sources, sourceOf, log),
    open,
    keep: (url, projectId) => options.uploads?.keep(url, projectId),
    cover: async ({ source, id }, signal) =>
      (await all.find(({ name }) => name === source)?.cover?.(id, signal)) ?? null,
    states: () => statesOf(options, names(), { mayAsk, health, factsOf: (name) => factsOf(all, name) }),
    outcomes: () => health.counts(),
    health: () => all.flatMap((source) => source.health?.() ?? []),
    close: () => closeAll(all, options.uploads),
  }
}

function factsOf(all: readonly Source[], wanted: SourceName): Pick<SourceStatus, 'ways' | 'budget'> {
  const source = all.find(({ name }) => name === wanted)
  return { ...(source?.ways && { ways: source.ways() }), ...(source?.budget && { budget: source.budget() }) }
}

interface StateMeans {
  readonly mayAsk: (name: string) => boolean
  readonly health: SourceHealth
  readonly factsOf: (name: SourceName) => Pick<SourceStatus, 'ways' | 'budget'>
}

function statesOf(
  { names, outside }: SourcesOptions,
  asked: readonly string[],
  { mayAsk, health, factsOf: facts }: StateMeans,
) {
  const controlOf = (name: SourceName) => {
    if (!names.includes(name)) return 'settings'
    return mayAsk(name) ? 'switch' : 'bot'
  }
  return listSourceStates({
    names: names.filter((name) => asked.includes(name)),
    youTube: outside?.places.youTube ?? { clients: [], command: '', searchPath: '' },
    unset: outside?.places.unset ?? {},
    failureOf: (name) => health.failureOf(name),
    factsOf: facts,
    controlOf,
  })
}

/** Lookups beside searches: lists, related tracks and chapters. */
function createLookups(
  sources: () => readonly Source[],
  sourceOf: (track: TrackInfo) => Source | undefined,
  log: Logger,
): Pick<Sources, 'lists' | 'related' | 'chapters'> {
  return {
    lists: ({ source, ...request }) =>
      searchLists(
        sources().filter((it) => (source === undefined ? isPlaying(it) : it.name === source)),
        { ...request, log },
      ),
    related: async (track, limit, signal) => {
      const source = sourceOf(track)
      const tracks = (await source?.related?.(track, limit, signal)) ?? []
      return source ? tracks.map((found) => foundBy(source, found)) : []
    },
    chapters: async (track, signal) => (await sourceOf(track)?.chapters?.(track, signal)) ?? [],
  }
}

/** Reads feeds that the web source meets, by the source of podcasts where there is one. */
function podcastsIn(sources: () => readonly Source[]) {
  return async (url: string, signal: AbortSignal): Promise<Found> => {
    const podcast = sources().find(({ name }) => name === 'podcast')
    if (!podcast)
      throw unplayable('Podcasts are turned off. The operator can turn them on in MUSIC_SOURCES.', 'source_off')
    return podcast.resolve(new URL(url), signal)
  }
}

async function closeAll(sources: readonly Source[], uploads: Uploads | undefined): Promise<void> {
  await uploads?.close()
  await Promise.all(sources.map(async (source) => source.close()))
}

/** The same source, whose searches find songs alone where it can. */
function withSongs(source: Source): Source {
  if (source.songs === undefined) return source
  return { ...source, search: async (...of) => (await source.songs?.(...of)) ?? [] }
}

/** Whether it plays what it finds itself. A catalogue of songs that others play is searched where it is named alone. */
function isPlaying({ name }: Source): boolean {
  return SOURCE_FACTS[name].kind !== 'links'
}

/** Whether it plays songs that it finds by name. */
function hasSongs({ name }: Source): boolean {
  const { kind } = SOURCE_FACTS[name]
  return kind === 'files' || kind === 'songs'
}

async function createSource(name: SourceName, options: SourcesOptions, means: OutsideMeans): Promise<Source> {
  if (name === 'http') return means.web
  if (name !== 'library') {
    if (!options.outside) throw new Error(`The source ${name} has no network access.`)
    return createOutsideSource(name, options.outside, means)
  }
  const { reader, log } = options
  const library = createLibrary({ ...options.library, reader, coverUrlOf: means.coverUrlOf, log })
  await withTimeout(FIRST_REFRESH_MS, library.refresh(), () => undefined)
  return library
}

/** The same source, whose outside service's failures are faults that callers may read, with its name in them. */
function inFaults(source: Source): Source {
  const fault = <T>(work: () => Promise<T>) => faultsOf(source.name, work)
  return {
    ...source,
    resolve: (...of) => fault(() => source.resolve(...of)),
    search: (...of) => fault(() => source.search(...of)),
    open: (...of) => fault(() => source.open(...of)),
    ...(source.songs && { songs: (...of) => fault(async () => (await source.songs?.(...of)) ?? []) }),
    ...(source.chapters && { chapters: (...of) => fault(async () => (await source.chapters?.(...of)) ?? []) }),
    ...(source.cover && { cover: (...of) => fault(async () => (await source.cover?.(...of)) ?? null) }),
    ...(source.lists && { lists: (...of) => fault(async () => (await source.lists?.(...of)) ?? []) }),
    ...(source.related && { related: (...of) => fault(async () => (await source.related?.(...of)) ?? []) }),
  }
}

async function resolveUrl(sources: readonly Source[], text: string, signal: AbortSignal): Promise<Found> {
  const url = URL.parse(text)
  if (!url) throw unplayable("This isn't a complete URL, such as https://example.com/song.mp3.")
  const known = knownSource(url)
  if (known && !sources.some(({ name }) => name === known.name)) {
    const message = `${known.site} is turned off. The operator can turn it on in MUSIC_SOURCES.`
    throw new Fault('validation_error', message, { reason: 'source_off', source: known.name })
  }
  // Any address is one of the web: who knows the place better comes first.
  const source = sources.find((it) => it.name !== 'http' && it.claims(url)) ?? sources.find((it) => it.claims(url))
  if (!source)
    throw unplayable('No source that is turned on plays this URL. The operator can turn on more in MUSIC_SOURCES.')
  return source.resolve(url, signal)
}

/** Reasons for failed calls, as a listener needs them. */
const REASONS: Readonly<Record<FailureKind, FaultReason>> = {
  refused: 'source_refused',
  unreachable: 'unreachable',
  timed_out: 'unreachable',
  broken: 'unreachable',
  held_back: 'unreachable',
  crowded: 'no_answer',
  rejected: 'no_answer',
  redirected: 'no_answer',
  too_large: 'no_answer',
  malformed: 'no_answer',
}

/** Runs `work` of a source. What it throws carries the name of the source, unless it names another one already. */
async function faultsOf<T>(source: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toSourceFault(source, error)
  }
}

function toSourceFault(source: string, error: unknown): unknown {
  if (error instanceof UpstreamFailure) {
    const reason = REASONS[error.facts.kind]
    return new Fault('service_unavailable', error.message, { reason, source, cause: error })
  }
  if (!(error instanceof Fault) || error.source !== undefined) return error
  const { code, message, reason, input, retryAfterMs: ms } = error
  const options = { reason, source, input, cause: error }
  return new Fault(code, message, ms === undefined ? options : { ...options, retryAfterMs: ms })
}
