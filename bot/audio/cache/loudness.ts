/** How loud a track is as a whole (EBU R128). */
export interface Loudness {
  /** Integrated, in LUFS. */
  readonly lufs: number
  /** The highest true peak, in dB of full scale. */
  readonly peakDb: number
}

/** What true peaks are kept below: the encoder and the listeners' decoders add a little of their own. */
const CEILING_DB = -1
/** Nobody hears less, so that the sound is left as it is. */
const LEAST_DB = 0.5
const MOST_DB = 12
/** Below this nothing was measured but silence. */
const SILENT_LUFS = -60

/**
 * How much louder a track is made, in tenths of a decibel, so that it is as loud as all others; never so much that it
 * clips: what has loud moments and is quiet as a whole stays below the target.
 */
export function gainTo(targetLufs: number, { lufs, peakDb }: Loudness): number {
  if (!(lufs > SILENT_LUFS)) return 0
  const wanted = targetLufs - lufs
  const gain = wanted > 0 ? Math.min(wanted, MOST_DB, Math.max(0, CEILING_DB - peakDb)) : wanted
  return Math.abs(gain) < LEAST_DB ? 0 : Math.round(gain * 10) / 10
}

/** The summary that ffmpeg's `ebur128` writes at the end; null when it did not come to that. */
export function readSummary(said: string): Loudness | null {
  const summary = said.slice(said.lastIndexOf('Integrated loudness:'))
  const lufs = /\bI:\s*(-?[\d.]+|-inf) LUFS/.exec(summary)?.[1]
  const peak = /\bPeak:\s*(-?[\d.]+|-inf) dBFS/.exec(summary)?.[1]
  return lufs === undefined || peak === undefined ? null : { lufs: number(lufs), peakDb: number(peak) }
}

/** Silence is minus infinity, which JSON does not have. */
function number(text: string): number {
  return text === '-inf' ? -200 : Number(text)
}
