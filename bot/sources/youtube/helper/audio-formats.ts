import type { Player, YT } from 'youtubei.js/web.bundle'
import type { Egress } from '../../../../upstream/egress/egress-guard.ts'

interface SoundMeans {
  readonly egress: Egress
  /** Opens the player, which works out addresses that are not given as they are. */
  readonly openPlayer: () => Promise<Player>
}

export interface SoundFormat {
  readonly url: string
  readonly ext: string
  readonly acodec: string
  readonly protocol: 'https' | 'm3u8_native'
}

export type Format = NonNullable<YT.VideoInfo['streaming_data']>['adaptive_formats'][number]

/** Formats to try when the best one is refused. */
const FORMATS_TRIED = 2
const CHECK_MS = 4000

/** Chooses the sound of a video, best as it is sent to Discord; null when this client of YouTube's gets none. */
export async function chooseSound(info: YT.VideoInfo, means: SoundMeans): Promise<SoundFormat | null> {
  const { streaming_data: data, basic_info: facts } = info
  if (!data) return null
  if (facts.is_live === true) {
    const url = data.hls_manifest_url
    return url ? { url, ext: 'ts', acodec: 'aac', protocol: 'm3u8_native' } : null
  }
  const best = audioFormats(data.adaptive_formats)
  const mixed = data.formats.filter((it) => it.has_audio && isPlain(it))
  for (const format of [...best, ...mixed].slice(0, FORMATS_TRIED)) {
    const url = await addressOf(format, means)
    if (url && (await answers(url, means.egress))) return { url, protocol: 'https', ...codingOf(format) }
  }
  return null
}

/** The formats without pictures, best as it is sent to Discord. */
export function audioFormats(formats: readonly Format[]): readonly Format[] {
  const alone = formats.filter((it) => it.has_audio && !it.has_video && isPlain(it))
  return alone.toSorted((one, other) => worth(other) - worth(one))
}

/** Whether a format is in one piece, for everybody, as it was published: neither translated nor made equally loud. */
function isPlain(format: Format): boolean {
  const { is_type_otf: isSegmented, drm_families: drm, is_original: isOriginal, is_drc: isLevelled } = format
  return !isSegmented && !drm?.length && isOriginal !== false && isLevelled !== true
}

function worth(format: Format): number {
  return (codingOf(format).acodec === 'opus' ? 1e9 : 0) + format.bitrate
}

export function codingOf({ mime_type: type }: Format): Pick<SoundFormat, 'ext' | 'acodec'> {
  const [, ext = '', codecs = ''] = /^\w+\/(\w+)(?:; codecs="([^"]*)")?/.exec(type) ?? []
  return { ext, acodec: codecs.split(',').at(-1)?.trim() ?? '' }
}

async function addressOf(format: Format, { openPlayer }: SoundMeans): Promise<string | null> {
  if (format.url) return format.url
  if (!format.signature_cipher && !format.cipher) return null
  return format.decipher(await openPlayer())
}

/** YouTube gives some clients URLs that it then answers with 403. */
async function answers(url: string, egress: Egress): Promise<boolean> {
  try {
    const { status, body } = await egress.open(url, { headers: { range: 'bytes=0-1' }, timeoutMs: CHECK_MS })
    body.destroy()
    return status === 200 || status === 206
  } catch {
    return false
  }
}
