import { startStandIn, type StandIn } from './stand-in.ts'

const TRACK_ID = 'a'.repeat(22)
const OTHER_ID = 'b'.repeat(22)

const entity = (id: string) => ({
  type: 'track',
  id,
  name: 'Ebb & Flow 1',
  artists: [{ name: 'Quay' }, { name: 'Guest' }],
  duration: 200_500,
  visualIdentity: {
    image: [
      { url: 'https://img.example/s', maxWidth: 64 },
      { url: 'https://img.example/l', maxWidth: 640 },
    ],
  },
})
const listed = (id: string, title: string) => ({
  uri: `spotify:track:${id}`,
  title,
  subtitle: 'Quay,\u00a0Guest',
  duration: 200_500,
})
const embed = (pageProps: unknown) =>
  `<html><script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { pageProps } })}</script></html>`

/** The players of Spotify that sites embed. What is not there has status 200. */
export function startSpotify(): Promise<StandIn> {
  return startStandIn(({ path }) => {
    if (path === `/embed/track/${TRACK_ID}`) return { text: embed({ state: { data: { entity: entity(TRACK_ID) } } }) }
    if (path === `/embed/playlist/${TRACK_ID}`) {
      const trackList = [listed(TRACK_ID, 'Ebb & Flow 1'), { uri: 'spotify:episode:x' }, listed(OTHER_ID, 'Nowhere')]
      const coverArt = { sources: [{ height: 300, width: 300, url: 'https://img.example/list' }] }
      return { text: embed({ state: { data: { entity: { name: 'Tides', coverArt, trackList } } } }) }
    }
    return { text: embed({ status: 404, title: 'Page not found' }) }
  })
}

const song = (id: number, name: string) => ({
  wrapperType: 'track',
  kind: 'song',
  trackId: id,
  trackName: name,
  artistName: 'Quay',
  trackTimeMillis: 200_400,
  trackViewUrl: `https://music.apple.com/us/album/tides/2?i=${id}`,
  artworkUrl100: 'https://img.example/100x100bb.jpg',
})

function itunesFound(term: string, entity: string): readonly unknown[] {
  if (!term.includes('Tides')) return []
  if (entity === 'song') return [song(3, 'Ebb & Flow 1'), { kind: 'music-video' }, song(4, 'Reef')]
  const collectionViewUrl = 'https://music.apple.com/us/album/tides/2?uo=4'
  return [{ collectionName: 'Tides', artistName: 'Quay', trackCount: 2, collectionViewUrl }]
}

/** Look-up and search of the iTunes store, which labels its JSON as a script. */
export function startItunes(): Promise<StandIn> {
  const headers = { 'content-type': 'text/javascript; charset=utf-8' }
  return startStandIn(({ path, query }) => {
    if (path === '/search') {
      const results = itunesFound(query.get('term') ?? '', query.get('entity') ?? '')
      return { json: { resultCount: results.length, results }, headers }
    }
    if (path !== '/lookup') return undefined
    const results =
      query.get('id') === '3'
        ? [song(3, 'Ebb & Flow 1')]
        : query.get('id') === '2'
          ? [
              { wrapperType: 'collection', collectionName: 'Tides' },
              song(3, 'Ebb & Flow 1'),
              { kind: 'music-video' },
              song(4, 'Reef'),
            ]
          : []
    return { json: { resultCount: results.length, results }, headers }
  })
}
