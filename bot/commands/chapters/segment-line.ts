import type { PlayerInfo } from '../../player/player-info.ts'
import type { Words } from '../common-text/index.ts'
import { showTime } from '../i18n/format.ts'

/** So long the card says what was passed over. */
const SAID_MS = 30_000

/** What was passed over a moment ago, or is silent now, as a line of the card; null if nothing is. */
export function drawSegmentLine(
  { segments, positionMs }: Pick<PlayerInfo, 'segments' | 'positionMs'>,
  { segments: { names, words } }: Words,
): string | null {
  const muted = segments.find(
    ({ action, startMs, endMs }) => action === 'mute' && startMs <= positionMs && positionMs < endMs,
  )
  if (muted) return `🔇 ${words.muted(names[muted.category])}`
  const skipped = segments.findLast(
    ({ action, endMs }) => action === 'skip' && endMs <= positionMs && positionMs < endMs + SAID_MS,
  )
  return skipped ? `⏩ ${words.skipped(names[skipped.category], showTime(skipped.endMs - skipped.startMs))}` : null
}
