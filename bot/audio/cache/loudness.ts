/** Loudness of a whole track (EBU R128). */
export interface Loudness {
  /** Integrated, in LUFS. */
  readonly lufs: number
  /** The highest peak, in dB of full scale. */
  readonly peakDb: number
  /** Whether it was looked for between the samples too; else the true one is a little higher. */
  readonly isTruePeak: boolean
}

/** Limit for true peaks. It leaves room for what the encoder and the listeners' decoders add. */
const CEILING_DB = -1
/** Smaller differences are inaudible; the sound is left as it is. */
const LEAST_DB = 0.5
const MOST_DB = 12
/** Largest possible excess of a true peak over the highest sample: that of the worst sine. */
const BETWEEN_SAMPLES_DB = 3.01
/** Threshold below which a measurement saw only silence. */
const SILENT_LUFS = -60

/**
 * Returns the gain, in tenths of a decibel, that makes a track as loud as all others. It never clips: quiet tracks with loud
 * moments stay below the target.
 */
export function gainTo(targetLufs: number, { lufs, peakDb }: Loudness): number {
  if (!(lufs > SILENT_LUFS)) return 0
  const wanted = Math.min(targetLufs - lufs, MOST_DB)
  const gain = wanted > 0 ? Math.min(wanted, Math.max(0, CEILING_DB - peakDb)) : wanted
  return Math.abs(gain) < LEAST_DB ? 0 : Math.round(gain * 10) / 10
}

/** Whether the gain depends on the true peak, which has not been measured yet. */
export function needsTruePeak(targetLufs: number, loudness: Loudness): boolean {
  if (loudness.isTruePeak) return false
  const worst = { ...loudness, peakDb: loudness.peakDb + BETWEEN_SAMPLES_DB }
  return gainTo(targetLufs, worst) !== gainTo(targetLufs, loudness)
}

/** The summary that ffmpeg's `ebur128` writes at the end; null when it did not come to that. */
export function readSummary(said: string): Loudness | null {
  const summary = said.slice(said.lastIndexOf('Integrated loudness:'))
  const lufs = /\bI:\s*(-?[\d.]+|-inf) LUFS/.exec(summary)?.[1]
  const peak = /\bPeak:\s*(-?[\d.]+|-inf) dBFS/.exec(summary)?.[1]
  if (lufs === undefined || peak === undefined) return null
  return { lufs: number(lufs), peakDb: number(peak), isTruePeak: summary.includes('True peak:') }
}

/** Silence is minus infinity, which JSON does not have. */
function number(text: string): number {
  return text === '-inf' ? -200 : Number(text)
}
