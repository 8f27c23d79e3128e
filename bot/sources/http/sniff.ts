import { findMpegFrames } from '../library/mpeg-frames.ts'
import { wideEncodingOf } from './text.ts'

/* oxlint-disable no-control-regex -- the marks of file formats hold control characters */
/** Type of some content by its first bytes. Names and types from others are not trusted. */
export type Sniffed =
  | {
      readonly kind: 'audio'
      /** Lavaplayer's name for the container, or null if it has none. */
      readonly probe: string | null
      readonly mimeType: string
      /** Offset of the sound behind tags and padding; 0 if left out. */
      readonly startByte?: number
      /** Whether only ID3v2 tags that the parser reads itself precede the sound. */
      readonly hasPlainTags?: boolean
    }
  | { readonly kind: 'playlist'; readonly format: 'm3u' | 'pls' | 'xspf' | 'asx' | 'hls' }
  /** The feed of a podcast: RSS or Atom. */
  | { readonly kind: 'feed' }
  /** `what` with its article, for a sentence. */
  | { readonly kind: 'other'; readonly what: string }

const audio = (probe: string | null, mimeType: string): Sniffed => ({ kind: 'audio', probe, mimeType })
const other = (what: string): Sniffed => ({ kind: 'other', what })

/** Marks at fixed places, in Latin-1, the longer before the shorter; `.` is any byte. */
const MARKS: readonly (readonly [RegExp, Sniffed])[] = [
  [/^OggS/, audio('ogg', 'audio/ogg')],
  [/^fLaC/, audio('flac', 'audio/flac')],
  [/^ID3/, audio('mp3', 'audio/mpeg')],
  [/^(?:RIFF|RF64)....WAVE/s, audio('wav', 'audio/wav')],
  [/^RIFF....WEBP/s, other('an image')],
  [/^....ftyp(?:avif|avis|hei[cfmsx]|mif1|msf1)/s, other('an image')],
  [/^....ftyp/s, audio('mp4', 'audio/mp4')],
  [/^\x1a\x45\xdf\xa3/, audio('matroska/webm', 'audio/webm')],
  [/^FORM....AIF[FC]/s, audio(null, 'audio/aiff')],
  [/^\x30\x26\xb2\x75\x8e\x66\xcf\x11/, audio(null, 'audio/x-ms-wma')],
  [/^MAC /, audio(null, 'audio/ape')],
  [/^wvpk/, audio(null, 'audio/wavpack')],
  [/^(?:MPCK|MP\+)/, audio(null, 'audio/musepack')],
  [/^(?:DSD |FRM8)/, audio(null, 'audio/dsf')],
  [/^(?:#!AMR|caff|TTA1|\.snd)/, audio(null, 'audio/basic')],
  [/^\x47.{187}\x47.{187}\x47/s, audio('mpegts-adts', 'video/mp2t')],
  [/^(?:\x89PNG|GIF8|\xff\xd8\xff|BM.{4}\0{4}|II\*\0|MM\0\*)/s, other('an image')],
  [/^%PDF/, other('a PDF document')],
  [/^(?:PK\x03\x04|\x1f\x8b|7z\xbc\xaf|Rar!)/, other('an archive')],
  [/^MThd/, other('a MIDI file, which has notes but no audio')],
]

/** Needs the first kibibytes: a radio's stream begins in the middle of a frame. */
export function sniff(bytes: Buffer): Sniffed {
  if (bytes.length === 0) return other('nothing')
  const start = bytes.toString('latin1', 0, 1024)
  const mark = MARKS.find(([pattern]) => pattern.test(start))
  if (mark) return mark[1]
  return sniffText(bytes) ?? sniffFrames(bytes) ?? other('an unknown audio format')
}

function sniffText(bytes: Buffer): Sniffed | null {
  const wide = wideEncodingOf(bytes)
  const start = bytes.subarray(0, 8192)
  const text = withoutComments(wide ? new TextDecoder(wide).decode(start) : start.toString('utf8')).trimStart()
  if (/[\u0000-\u0008\u000e-\u001a]/.test(text)) return null
  if (/^#EXTM3U/i.test(text)) return { kind: 'playlist', format: /^#EXT-X-/m.test(text) ? 'hls' : 'm3u' }
  if (/^(?:\[(?:playlist|reference|internetshortcut)\]|(?:file|ref)1\s*=)/i.test(text)) {
    return { kind: 'playlist', format: 'pls' }
  }
  if (/^<(?:!doctype html|html|head|body|script)/i.test(text)) return other('a web page')
  const [, element] = /^(?:<[?!][^>]*>\s*)*<(?:\w+:)?(playlist|asx|smil|winampxml)[\s>]/i.exec(text) ?? []
  if (element) return { kind: 'playlist', format: /^playlist$/i.test(element) ? 'xspf' : 'asx' }
  if (/^<(?:\?xml|\?xml-stylesheet|rss|feed)/i.test(text) && /<(?:rss|feed)[\s>]/i.test(text)) return { kind: 'feed' }
  if (/^<(?:\?xml|svg)/i.test(text)) return other(/<svg[\s>]/i.test(text) ? 'an image' : 'an XML document')
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'))
  if (lines.length > 0 && lines.slice(0, 3).every((line) => /^https?:\/\/\S+\s*$/i.test(line))) {
    return { kind: 'playlist', format: 'm3u' }
  }
  if (/^[[{]/.test(text)) return other('data (JSON)')
  return /^[\p{L}\p{N}\p{P}\p{Z}\p{S}\s]*$/u.test(text.slice(0, 512)) ? other('a text file') : null
}

/** Without the comments of XML and HTML. One without an end stays. */
function withoutComments(text: string): string {
  let kept = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('<!--', at)
    const end = start < 0 ? -1 : text.indexOf('-->', start + 4)
    if (end < 0) return kept + text.slice(at)
    kept += text.slice(at, start)
    at = end + 3
  }
}

/** Finds MP3 and ADTS, whose only mark is a bit pattern that noise holds too; three frames in a row are no chance. */
function sniffFrames(bytes: Buffer): Sniffed | null {
  if (findMpegFrames(bytes) >= 0) return audio('mp3', 'audio/mpeg')
  for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    if (hasAdtsFrames(bytes, at)) return audio('adts', 'audio/aac')
  }
  return null
}

function hasAdtsFrames(bytes: Buffer, start: number): boolean {
  let at = start
  for (let frames = 0; frames < 3; frames++) {
    // Data too short for three frames must end with one.
    if (frames > 0 && at === bytes.length) return true
    const length = at + 7 <= bytes.length ? adtsFrameLength(bytes, at) : 0
    if (length === 0) return false
    at += length
  }
  return true
}

/** The length of the AAC frame that begins here with an ADTS header; 0 when none does. */
function adtsFrameLength(bytes: Buffer, at: number): number {
  if ((bytes.readUInt16BE(at) & 0xfff6) !== 0xfff0) return 0
  const length = (bytes.readUInt32BE(at + 2) >>> 5) & 0x1fff
  return length > 7 ? length : 0
}
