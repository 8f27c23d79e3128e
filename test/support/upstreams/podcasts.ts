import { startStandIn, type Received, type Reply, type StandIn } from './stand-in.ts'

export interface PodcastsStandIn extends StandIn {
  /** The files of shows, by path. */
  readonly files: Map<string, Reply>
}

const SHOW_ID = 1_200_361_736

/** Apple's directory by the iTunes Search API, and beside it the host of the shows that it lists. */
export async function startPodcasts(): Promise<PodcastsStandIn> {
  const files = new Map<string, Reply>()
  const service = await startStandIn((request) => {
    const file = files.get(request.path)
    if (file) return file.bytes ? rangeOf(file.bytes, request) : file
    if (request.path === '/search') return directory(request, search(request.query, service.url))
    if (request.path === '/lookup') return directory(request, lookup(request.query, service.url))
    return undefined
  })
  return Object.assign(service, { files })
}

function search(query: URLSearchParams, url: string): readonly object[] {
  const words = (query.get('term') ?? '').toLowerCase()
  const all =
    query.get('entity') === 'podcastEpisode' ? [episode(url)] : [show(url), { ...show(url), feedUrl: undefined }]
  return all.filter((it) =>
    `${it.collectionName} ${'trackName' in it ? it.trackName : ''}`.toLowerCase().includes(words),
  )
}

function lookup(query: URLSearchParams, url: string): readonly object[] {
  if (query.get('id') !== String(SHOW_ID)) return []
  return query.get('entity') === 'podcastEpisode' ? [show(url), episode(url)] : [show(url)]
}

function show(url: string) {
  const names = { artistName: 'The Harbour Radio', collectionName: 'Tide Tables', trackName: 'Tide Tables' }
  const common = { wrapperType: 'track', kind: 'podcast', collectionId: SHOW_ID, trackId: SHOW_ID, trackCount: 3 }
  return {
    ...common,
    ...names,
    artworkUrl600: `${url}/600x600bb.jpg`,
    feedUrl: `${url}/feed.xml` as string | undefined,
  }
}

function episode(url: string) {
  const times = { trackTimeMillis: 61_000, releaseDate: '2026-11-02T05:00:00Z' }
  const ids = { collectionId: SHOW_ID, trackId: 1_000_600_000_001, episodeGuid: 'ep-2' }
  const names = { trackName: 'Neap Tides', collectionName: 'Tide Tables' }
  const links = { episodeUrl: `${url}/neap.mp3`, artworkUrl600: `${url}/600x600bb.jpg`, feedUrl: `${url}/feed.xml` }
  return { wrapperType: 'podcastEpisode', kind: 'podcast-episode', ...times, ...ids, ...names, ...links }
}

/** Answers JSON with the content type of a script. */
function directory(_: Received, results: readonly object[]): Reply {
  const text = `\n\n\n${JSON.stringify({ resultCount: results.length, results })}\n\n\n`
  return { text, headers: { 'content-type': 'text/javascript; charset=utf-8' } }
}

function rangeOf(bytes: Buffer, { headers }: Received): Reply {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
  const type = { 'content-type': 'audio/mpeg', 'accept-ranges': 'bytes' }
  if (from === undefined) return { bytes, headers: { ...type, 'content-length': String(bytes.length) } }
  const end = Math.min(bytes.length - 1, to ? Number(to) : bytes.length - 1)
  const part = bytes.subarray(Number(from), end + 1)
  const range = { 'content-range': `bytes ${from}-${end}/${bytes.length}`, 'content-length': String(part.length) }
  return { status: 206, bytes: part, headers: { ...type, ...range } }
}
