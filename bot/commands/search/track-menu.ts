import type { Invocation, CommandContext } from '../core/invocation.ts'
import { cut, choiceName } from '../core/autocomplete.ts'
import { menuRow, type Reply, type Row } from '../core/reply.ts'
import { showTime } from '../i18n/format.ts'
import { runPlay } from '../playback/play.ts'
import type { PlayRequest } from '../../player-service.ts'
import type { Track } from '../../tracks/track.ts'

/** Maximum options that Discord puts into one menu. */
const MOST_OPTIONS = 25
const LONGEST_LABEL = 100

interface MenuTrack {
  readonly track: Track
  /** At most 100 characters, by which the track is known when it is chosen. */
  readonly value: string
  /** Text behind its length. */
  readonly note: string
}

/** A menu out of which any number of tracks can be chosen; null if there are none. */
export function drawTrackMenu(
  { id, placeholder, live }: { readonly id: string; readonly placeholder: string; readonly live: string },
  tracks: readonly MenuTrack[],
): Row | null {
  const byValue = new Map(tracks.map((one) => [one.value, one]))
  const options = [...byValue.values()].slice(0, MOST_OPTIONS).map(({ track, value, note }) => ({
    label: cut(choiceName(track), LONGEST_LABEL),
    value,
    description: cut(
      [track.isStream ? live : showTime(track.lengthMs), note].filter(Boolean).join(' · '),
      LONGEST_LABEL,
    ),
  }))
  if (options.length === 0) return null
  const many = { min_values: 1, max_values: options.length }
  return menuRow(id, { ...many, options, placeholder: cut(placeholder, LONGEST_LABEL) })
}

export function playChosen(
  invocation: Invocation,
  context: CommandContext,
  tokens: readonly string[],
  when?: PlayRequest['when'],
): Promise<Reply> {
  const [first = '', ...others] = tokens
  const what = others.length === 0 ? { encoded: first } : { playlist: tokens }
  return runPlay(invocation, context, { ...what, ...(when !== undefined && { when }) })
}
