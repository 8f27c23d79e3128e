import type { Player, YT } from 'youtubei.js/web.bundle'
import { request } from 'undici'
import type { Egress } from '../../../../../upstream/egress/egress-guard.ts'
import { retryAfter } from '../../../../../upstream/http/retry-after.ts'
import { audioFormats, codingOf } from '../audio-formats.ts'
import type { FromHelper, HelperSettings } from '../protocol.ts'
import type { RequestToken } from '../token-requests.ts'
import { SabrTrouble } from './trouble.ts'
import type { SabrServer } from './server.ts'
import type { SabrMeans, SabrOffer } from './session.ts'

export interface SabrSettings {
  readonly egress: Egress
  readonly settings: HelperSettings
  readonly token: RequestToken
  readonly onStreams: (message: FromHelper) => void
}

interface SabrOptions extends SabrSettings {
  /** Requests a video as YouTube's website does. @throws {Refused} */
  readonly infoOf: (id: string, client: 'WEB', token: string | null) => Promise<YT.VideoInfo>
  readonly openPlayer: () => Promise<Player>
  readonly session: () => Promise<{ readonly visitorData?: string; readonly clientVersion: string }>
}

/** YouTube's number of the client, in the protocol. */
const WEB = 1
const HEADERS_MS = 6000
/** A server that sends nothing for this long is asked again. */
const BODY_MS = 6000
const UMP = 'application/vnd.yt-ump'
/** Tokens requested in a row: for the video, for its session, and for the video again. */
const TOKENS_MAX = 3

/** Audio by SABR, the protocol of YouTube's website, which takes tokens from the operator's provider. */
export function createSabr(options: SabrOptions) {
  const { settings, token, onStreams, infoOf } = options
  let starting: Promise<SabrServer> | null = null
  const means: SabrMeans = {
    post: (url, body, signal) => post(options.egress, { url, body, signal }),
    renew: async (offer) => {
      const info = await infoOf(offer.videoId, 'WEB', offer.token)
      const fresh = await offerOf(options, offer.videoId, { info, token: offer.token })
      Object.assign(offer, { url: fresh.url, ustreamerConfig: fresh.ustreamerConfig })
    },
    vouch: async (offer, tries) => {
      if (!settings.hasTokens || tries > TOKENS_MAX) return false
      const binding = tries % 2 === 0 ? ((await options.session()).visitorData ?? '') : offer.videoId
      const next = await token(binding, true)
      if (next !== null) offer.token = next
      return next !== null
    },
  }
  /** Loaded with the first video: most services never need it. */
  const start = () =>
    (starting ??= import('./server.ts').then(async ({ startSabrServer }) => {
      const server: SabrServer = await startSabrServer(means, (streams) => onStreams({ streams, port: server.port }))
      onStreams({ streams: 0, port: server.port })
      return server
    }))

  return {
    /** @throws when YouTube gives no audio: what it answers with was read once. */
    async open(id: string) {
      if (!settings.hasTokens) throw new Error('SABR needs YOUTUBE_TOKEN_PROVIDER_URL')
      const videoToken = await token(id, false)
      if (videoToken === null) throw new Error('the token provider has no token')
      const info = await infoOf(id, 'WEB', videoToken)
      const offer = await offerOf(options, id, { info, token: videoToken })
      const server = await start()
      await assertAudio(offer, means)
      const [audio] = audioFormats(info.streaming_data?.adaptive_formats ?? [])
      const coding = audio ? codingOf(audio) : { ext: '', acodec: '' }
      return { info, sound: { url: server.add(offer), protocol: 'http', isLocal: true, ...coding } }
    },
  }
}

interface Found {
  readonly info: YT.VideoInfo
  readonly token: string | null
}

/** @throws when YouTube offers the video without SABR */
async function offerOf(options: SabrOptions, videoId: string, found: Found): Promise<SabrOffer> {
  const { info, token } = found
  const { streaming_data: data, player_config: config, basic_info: facts } = info
  const { buildSabrFormat } = await import('googlevideo/utils')
  const ustreamerConfig = config?.media_common_config.media_ustreamer_request_config?.video_playback_ustreamer_config
  const [audio] = audioFormats(data?.adaptive_formats ?? [])
  const video = data?.adaptive_formats.find((it) => it.has_video)
  if (!data?.server_abr_streaming_url || !ustreamerConfig || !audio || !video)
    throw new Error('YouTube offers this video without SABR')
  return {
    videoId,
    url: await (await options.openPlayer()).decipher(data.server_abr_streaming_url),
    ustreamerConfig,
    client: { clientName: WEB, clientVersion: (await options.session()).clientVersion },
    audio: buildSabrFormat(audio),
    video: buildSabrFormat(video),
    isLive: facts.is_live === true,
    durationMs: audio.approx_duration_ms || (facts.duration ?? 0) * 1000,
    token,
  }
}

/** Reads the beginning, since some videos are offered and then refused. @throws {SabrTrouble} */
async function assertAudio(offer: SabrOffer, means: SabrMeans): Promise<void> {
  const { readSabr } = await import('./session.ts')
  const over = new AbortController()
  for await (const { isInit } of readSabr(offer, 0, means, over.signal)) if (!isInit) break
  over.abort()
}

interface Post {
  readonly url: string
  readonly body: Uint8Array
  readonly signal: AbortSignal
}

async function post(egress: Egress, { url, body, signal }: Post): Promise<AsyncIterable<Uint8Array>> {
  const answer = await request(url, {
    dispatcher: egress.dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/x-protobuf', accept: UMP, 'accept-encoding': 'identity' },
    body,
    headersTimeout: HEADERS_MS,
    bodyTimeout: BODY_MS,
    signal,
  })
  const { statusCode: status, headers } = answer
  if (status === 200 && String(headers['content-type']).startsWith(UMP)) return answer.body
  answer.body.on('error', () => undefined).destroy()
  if (status === 429 || status >= 500) {
    const waitMs = retryAfter(headers, Date.now()) ?? 0
    throw new SabrTrouble('throttled', `YouTube's server answers with status code ${status}`, waitMs)
  }
  throw new SabrTrouble('gone', `YouTube's server answers with status code ${status}`)
}
