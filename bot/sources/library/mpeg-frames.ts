interface MpegFrame {
  readonly bytes: number
  readonly kbps: number
  readonly samples: number
  readonly sampleRate: number
  /** Bytes between its header and a `Xing` mark, if it has one. */
  readonly sideBytes: number
}

/** Kilobits per second by index. */
const RATES = {
  first: {
    1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  },
  /** Rates of MPEG 2 and 2.5. */
  later: {
    1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    3: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  },
}
const SAMPLE_RATES = [44_100, 48_000, 32_000]
const HEADER_BYTES = 4

/** The frame that begins there; null when none does. */
function mpegFrameAt(bytes: Buffer, at: number): MpegFrame | null {
  if (at + HEADER_BYTES > bytes.length) return null
  const header = bytes.readUInt32BE(at)
  const version = (header >>> 19) & 3
  const layer = 4 - ((header >>> 17) & 3)
  const baseRate = SAMPLE_RATES[(header >>> 10) & 3]
  if (header >>> 21 !== 0x7ff || version === 1 || !isLayer(layer) || !baseRate) return null
  const isFirst = version === 3
  const kbps = RATES[isFirst ? 'first' : 'later'][layer][(header >>> 12) & 15]
  if (!kbps) return null
  // MPEG 2 halves the sample rate and MPEG 2.5 quarters it.
  const sampleRate = baseRate / (isFirst ? 1 : version === 2 ? 2 : 4)
  const samples = layer === 1 ? 384 : layer === 3 && !isFirst ? 576 : 1152
  const slotBytes = layer === 1 ? 4 : 1
  const slots = Math.floor((samples * kbps * 1000) / (8 * slotBytes * sampleRate)) + ((header >>> 9) & 1)
  const isMono = ((header >>> 6) & 3) === 3
  const sideBytes = isFirst ? (isMono ? 17 : 32) : isMono ? 9 : 17
  return { bytes: slots * slotBytes, kbps, samples, sampleRate, sideBytes }
}

function isLayer(layer: number): layer is 1 | 2 | 3 {
  return layer <= 3
}

/** Returns where the frames begin, or -1: three in a row are no chance. */
export function findMpegFrames(bytes: Buffer): number {
  for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    let next = at
    let frames = 0
    for (let frame = mpegFrameAt(bytes, next); frame && frames < 3; frame = mpegFrameAt(bytes, next)) {
      next += frame.bytes
      frames++
    }
    // Data too short for three frames must end with one.
    if (frames === 3 || (frames > 0 && next === bytes.length)) return at
  }
  return -1
}

/** Null where the frames have different rates and nothing counts them. */
export function mpegLength(head: Buffer) {
  const at = findMpegFrames(head)
  const first = at < 0 ? null : mpegFrameAt(head, at)
  if (!first) return null
  const frames = countedFrames(head, at, first)
  if (frames !== null) return { seconds: (frames * first.samples) / first.sampleRate }
  const kbps = constantRate(head, at)
  return kbps === null ? null : { kbps }
}

/** Number of frames, as Xing and Fraunhofer count them in a first frame that is silent. */
function countedFrames(head: Buffer, at: number, { sideBytes }: MpegFrame): number | null {
  const xingAt = at + HEADER_BYTES + sideBytes
  const mark = head.toString('latin1', xingAt, xingAt + 4)
  if ((mark === 'Xing' || mark === 'Info') && xingAt + 12 <= head.length) {
    const hasFrames = (head.readUInt32BE(xingAt + 4) & 1) === 1
    return hasFrames ? head.readUInt32BE(xingAt + 8) : null
  }
  const vbriAt = at + HEADER_BYTES + 32
  const isVbri = head.toString('latin1', vbriAt, vbriAt + 4) === 'VBRI' && vbriAt + 18 <= head.length
  return isVbri ? head.readUInt32BE(vbriAt + 14) : null
}

/** The rate of the frames from there on; null if they differ. */
export function constantRate(bytes: Buffer, at: number): number | null {
  let kbps: number | null = null
  let next = at
  for (let frame = mpegFrameAt(bytes, next); frame; frame = mpegFrameAt(bytes, next)) {
    if (kbps !== null && frame.kbps !== kbps) return null
    kbps = frame.kbps
    next += frame.bytes
  }
  return kbps
}
