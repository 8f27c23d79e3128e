import { TimestampStyles, time } from 'discord.js'
import type { SleepInfo } from '../../player/audio-settings/sleep.ts'
import type { Words } from '../common-text.ts'

/** Describes the sleep timer, with its time as Discord shows it to each reader. */
export function describeSleepTimer(sleep: SleepInfo | null, words: Words['sleep']): string {
  if (sleep === null) return words.off
  if (sleep.endsAt === null) return words.endsWithTrack
  return words.endsIn({ relative: time(new Date(sleep.endsAt), TimestampStyles.RelativeTime) })
}
