import type { PlayerInfo } from '../../player/player-info.ts'
import type { Words } from '../common-text.ts'
import { showTime } from '../i18n/format.ts'

/** Time for which the card names a skipped segment. */
const SAID_MS = 30_000

/** Line of the card about a segment that was skipped a moment ago or is muted now; null if there is none. */
export function drawSegmentLine(
  { segments, positionMs }: Pick<PlayerInfo, 'segments' | 'positionMs'>,
  { segments: { names, words } }: Words,
): string | null {
  const muted = segments.find(
    ({ action, startMs, endMs }) => action === 'mute' && startMs <= positionMs && positionMs < endMs,
  )
  if (muted) return `🔇 ${words.muted({ what: names[muted.category] })}`
  const skipped = segments.findLast(
    ({ action, endMs }) => action === 'skip' && endMs <= positionMs && positionMs < endMs + SAID_MS,
  )
  return skipped
    ? `⏩ ${words.skipped({ what: names[skipped.category], length: showTime(skipped.endMs - skipped.startMs) })}`
    : null
}
