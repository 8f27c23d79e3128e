import { startStandIn, type Received, type Reply, type StandIn } from './stand-in.ts'

export interface SoundCloudStandIn extends StandIn {
  /** The key that it accepts, as the last but one of its scripts shows it. */
  clientId: string
  /** URL of the sound. */
  mediaUrl: string
}

const FIRST_ID = 'a'.repeat(32)
export const SECOND_ID = 'b'.repeat(32)

/**
 * 1 plays, 2 is a preview, 3 is blocked, 4 comes in HLS only, 5 to 9 play, 6 in AAC too, 10 is for licensed players only.
 */
function track(id: number, base: string) {
  const policy = new Map([
    [2, 'SNIP'],
    [3, 'BLOCK'],
  ]).get(id)
  const transcoding = (protocol: string, path: string, preset = 'mp3_1_0', mime_type = 'audio/mpeg') => ({
    url: `https://elsewhere.example/media/${id}/${path}`,
    preset,
    snipped: false,
    format: { protocol, mime_type },
  })
  return {
    id,
    kind: 'track',
    title: `Ebb &  Flow ${id}`,
    permalink_url: `${base}/quay/ebb-${id}`,
    user: { id: 50, kind: 'user', username: 'Quay', avatar_url: 'https://img.example/avatar-large.jpg' },
    duration: policy === 'SNIP' ? 30_000 : 200_000 + id,
    full_duration: 200_000 + id,
    artwork_url: id === 5 ? null : 'https://img.example/art-large.jpg',
    policy: policy ?? 'ALLOW',
    track_authorization: `pass-${id}`,
    media: {
      transcodings: [
        transcoding('ctr-encrypted-hls', 'drm'),
        ...(id === 10 ? [] : [transcoding('hls', 'abr', 'abr_sq'), transcoding('hls', 'stream/hls')]),
        ...(id === 4 || id === 10 ? [] : [transcoding('progressive', 'stream/progressive')]),
        ...(id === 6 ? [transcoding('hls', 'stream/hls', 'aac_160k', 'audio/mp4; codecs="mp4a.40.2"')] : []),
      ],
    },
    publisher_metadata: id === 1 ? { isrc: 'ZZABC2600001' } : null,
  }
}

/** A stand-in for SoundCloud's website and API, which are one host here. */
export async function startSoundCloud(): Promise<SoundCloudStandIn> {
  const stand = { clientId: FIRST_ID, mediaUrl: 'https://cf-media.example' }
  const service: StandIn = await startStandIn((request) => answer(request, stand, service.url))
  return Object.assign(stand, service)
}

type Stand = Pick<SoundCloudStandIn, 'clientId' | 'mediaUrl'>

function answer({ path, query }: Received, { clientId, mediaUrl }: Stand, base: string): Reply | undefined {
  if (path === '/')
    return { text: ['a.js', 'b.js', 'c.js'].map((it) => `<script src="/assets/${it}"></script>`).join('') }
  if (path === '/assets/b.js') return { text: `e.exports={env:"production",client_id:"${clientId}",x:1}` }
  if (path.startsWith('/assets/')) return { text: 'void 0' }
  if (query.get('client_id') !== clientId) return { status: 401, json: {} }
  if (path === '/search/tracks') {
    const found = query.get('q') === 'nothing' ? [] : [1, 2, 3, 5].map((id) => track(id, base))
    return { json: { collection: [...found, { id: 'broken' }], total_results: found.length } }
  }
  if (path === '/resolve') return resolve(new URL(query.get('url') ?? '').pathname, base)
  if (path === '/tracks') {
    // Answers in another order than requested, and without those that are gone.
    const ids = (query.get('ids') ?? '').split(',').map(Number)
    return {
      json: ids
        .filter((id) => id !== 8)
        .toReversed()
        .map((id) => track(id, base)),
    }
  }
  const [, id, what] = /^\/tracks\/(\d+)(\/related)?$/.exec(path) ?? []
  if (what) return { json: { collection: [6, 7].map((it) => track(it, base)) } }
  if (id && Number(id) <= 10) return { json: track(Number(id), base) }
  const [, media, form] = /^\/media\/(\d+)\/stream\/(progressive|hls)$/.exec(path) ?? []
  if (media && query.get('track_authorization') === `pass-${media}`) {
    const name = form === 'hls' ? `${media}/playlist.m3u8` : `${media}.mp3`
    return { json: { url: `${mediaUrl}/${name}?Policy=a&Signature=b` } }
  }
}

function resolve(path: string, base: string): Reply | undefined {
  if (path === '/quay') return { json: { id: 50, kind: 'user', username: 'Quay' } }
  if (path === '/quay/sets/tides') {
    const stubs = [9, 8, 7, 3].map((id) => ({ id, kind: 'track', policy: 'ALLOW' }))
    return { json: { kind: 'playlist', id: 77, title: 'Tides', tracks: [track(1, base), ...stubs] } }
  }
  const id = /^\/quay\/ebb-(\d+)$/.exec(path)?.[1]
  return id ? { json: track(Number(id), base) } : undefined
}
