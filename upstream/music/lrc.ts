import { squeezeSpaces, truncate } from '../../lib/text.ts'

/** A line of a song. */
export interface LyricLine {
  readonly text: string
  /** Offset from the start of the track; null for untimed lines. */
  readonly timeMs: number | null
  /** Until the next line; null for untimed lines, and for the last one of a track of unknown length. */
  readonly durationMs: number | null
}

const STAMP = /^\s*\[(\d{1,3}):(\d{1,2})(?:[.:](\d{1,3}))?\]/
const LINES_MAX = 5000
/** No line that is sung is as long; one may carry many stamps. */
const LINE_MAX_CHARS = 1000

/**
 * The timed lines of a text in LRC: several stamps before one line, hundredths, thousandths or none, an offset, tags,
 * stamps of single words. A line without text is a pause. Empty when nothing in it is timed.
 */
export function readLrc(text: string, lengthMs: number): readonly LyricLine[] {
  const shiftMs = Number(/^[ \t]*\[offset:[ \t]*([+-]?\d{1,7})[ \t]*\]/im.exec(text)?.[1] ?? 0)
  const timed: { timeMs: number; text: string }[] = []
  for (const line of linesOf(text)) {
    let rest = line
    const times: number[] = []
    for (let stamp = STAMP.exec(rest); stamp; stamp = STAMP.exec(rest)) {
      times.push(timeOf(stamp))
      rest = rest.slice(stamp[0].length)
    }
    const words = rest.replaceAll(/<\d{1,3}:\d{1,2}(?:[.:]\d{1,3})?>/g, '')
    const sung = squeezeSpaces(words)
    // A positive offset makes everything come sooner.
    for (const timeMs of times) timed.push({ timeMs: Math.max(0, timeMs - shiftMs), text: sung })
  }
  const sorted = timed.slice(0, LINES_MAX).toSorted((one, other) => one.timeMs - other.timeMs)
  return sorted.map((line, i) => {
    const endMs = sorted[i + 1]?.timeMs ?? (lengthMs > line.timeMs ? lengthMs : null)
    const { text: words, timeMs } = line
    return { text: words, timeMs, durationMs: endMs === null ? null : endMs - timeMs }
  })
}

/** Untimed lines; empty ones stand between verses. */
export function readPlain(text: string): readonly LyricLine[] {
  const lines = linesOf(text.trim())
  return text.trim() === '' ? [] : lines.map((line) => ({ text: squeezeSpaces(line), timeMs: null, durationMs: null }))
}

function timeOf([, minutes, seconds, fraction = '0']: RegExpExecArray): number {
  return Number(minutes) * 60_000 + Number(seconds) * 1000 + Math.round(Number(`0.${fraction}`) * 1000)
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/, LINES_MAX).map((line) => truncate(line, LINE_MAX_CHARS))
}
