import type { PlayerInfo } from '../../../../bot/player/player-info.ts'

/** Returns the index of the current chapter; -1 before the first, and if there are none. */
export function chapterIndex({ chapters, positionMs }: Pick<PlayerInfo, 'chapters' | 'positionMs'>): number {
  return chapters.findLastIndex(({ startMs }) => startMs <= positionMs)
}

/** `3:07`, `1:02:45`. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
