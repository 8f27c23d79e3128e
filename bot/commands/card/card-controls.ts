import { ButtonStyle } from 'discord.js'
import type { PlayerInfo } from '../../player/player-info.ts'
import { button, row, type Row } from '../core/reply.ts'
import { ADD_ID } from '../queue/add-id.ts'
import type { Words } from '../common-text.ts'
import { AGAIN_ID, CARD_ID, MORE_ID, type CardAction, type MoreAction } from './card-id.ts'

export const LOOPS = { off: '➡️', track: '🔂', queue: '🔁' } as const

const { Primary, Secondary, Success } = ButtonStyle

/** The buttons of the card: what is used often, as many in a row as a phone has room for. @param player null if nothing plays, so that only adding makes sense. */
export function drawControls(player: Pick<PlayerInfo, 'paused'> | null, { controls }: Words): readonly Row[] {
  const isDisabled = player === null
  const isPaused = player?.paused ?? false
  const at = (action: CardAction, emoji: string, label: string, style?: Parameters<typeof button>[3]) => ({
    ...button(CARD_ID.of(action), emoji, label, style),
    ...(isDisabled && { disabled: true }),
  })
  return [
    row(
      at('previous', '⏮️', controls.previous),
      at('pause', isPaused ? '▶️' : '⏸️', isPaused ? controls.resume : controls.pause, Primary),
      at('skip', '⏭️', controls.skip),
    ),
    row(button(ADD_ID.of(), '➕', controls.add), at('queue', '📜', controls.queue)),
    row(at('lyrics', '🎤', controls.lyrics), at('stop', '⏹️', controls.stop), at('more', '⚙️', controls.more)),
  ]
}

/** The buttons of a card whose music is over. */
export function drawEndedControls({ controls }: Words): readonly Row[] {
  const again = button(AGAIN_ID.of(), '🔁', controls.again, Primary)
  return [row(again, button(ADD_ID.of(), '➕', controls.add))]
}

/** The buttons behind “More”. */
export function drawMoreControls(player: PlayerInfo, { controls }: Words): readonly Row[] {
  const { muted, loop, autoplay, privacyCode } = player
  return [
    row(
      rare('quieter', '🔉', controls.quieter),
      rare('louder', '🔊', controls.louder),
      rare('mute', muted ? '🔈' : '🔇', muted ? controls.unmute : controls.mute, muted),
    ),
    row(
      rare('loop', LOOPS[loop], controls.loop[loop], loop !== 'off'),
      rare('shuffle', '🔀', controls.shuffle),
      rare('autoplay', '✨', autoplay ? controls.autoplayOn : controls.autoplayOff, autoplay),
    ),
    row(
      rare('favourite', '⭐', controls.keep),
      ...(privacyCode === null ? [] : [rare('privacyCode', '🔒', controls.code)]),
    ),
  ]
}

function rare(action: MoreAction, emoji: string, label: string, isOn = false) {
  return button(MORE_ID.of(action), emoji, label, isOn ? Success : Secondary)
}
