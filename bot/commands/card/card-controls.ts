import { ButtonStyle, ComponentType, type APIButtonComponentWithCustomId } from 'discord.js'
import type { PlayerInfo } from '../../player/player-info.ts'
import type { Row } from '../core/reply.ts'
import { ADD_ID } from '../queue/add-id.ts'
import type { Words } from '../common-text.ts'
import { AGAIN_ID, CARD_ID, MORE_ID, type CardAction, type MoreAction } from './card-id.ts'

export const LOOPS = { off: '➡️', track: '🔂', queue: '🔁' } as const

type Style = APIButtonComponentWithCustomId['style']
const { Primary, Secondary, Success, Danger } = ButtonStyle

interface Look {
  readonly emoji: string
  readonly label: string
  readonly style?: Style
  readonly isDisabled?: boolean
}

/** The buttons of the card: what is used often. @param player null if nothing plays, so that only adding makes sense. */
export function drawControls(player: Pick<PlayerInfo, 'paused'> | null, { controls }: Words): readonly Row[] {
  const isDisabled = player === null
  const isPaused = player?.paused ?? false
  const at = (action: CardAction, emoji: string, label: string, style?: Style): APIButtonComponentWithCustomId =>
    button(CARD_ID.of(action), { emoji, label, isDisabled, ...(style === undefined ? {} : { style }) })
  return [
    row([
      at('previous', '⏮️', controls.previous),
      at('pause', isPaused ? '▶️' : '⏸️', isPaused ? controls.resume : controls.pause, Primary),
      at('skip', '⏭️', controls.skip),
      at('stop', '⏹️', controls.stop, Danger),
    ]),
    row([
      button(ADD_ID.of(), { emoji: '➕', label: controls.add, style: Success }),
      at('queue', '📜', controls.queue),
      at('lyrics', '🎤', controls.lyrics),
      at('more', '⚙️', controls.more),
    ]),
  ]
}

/** The buttons of a card whose music is over. */
export function drawEndedControls({ controls }: Words): readonly Row[] {
  const again = button(AGAIN_ID.of(), { emoji: '🔁', label: controls.again, style: Primary })
  return [row([again, button(ADD_ID.of(), { emoji: '➕', label: controls.add, style: Success })])]
}

/** The buttons behind “More”. */
export function drawMoreControls(player: PlayerInfo, { controls }: Words): readonly Row[] {
  const { muted, loop, autoplay, privacyCode } = player
  return [
    row([
      rare('quieter', '🔉', controls.quieter),
      rare('louder', '🔊', controls.louder),
      rare('mute', muted ? '🔈' : '🔇', muted ? controls.unmute : controls.mute, muted),
    ]),
    row([
      rare('loop', LOOPS[loop], controls.loop[loop], loop !== 'off'),
      rare('shuffle', '🔀', controls.shuffle),
      rare('autoplay', '✨', autoplay ? controls.autoplayOn : controls.autoplayOff, autoplay),
    ]),
    row([
      rare('favourite', '⭐', controls.keep),
      ...(privacyCode === null ? [] : [rare('privacyCode', '🔒', controls.code)]),
    ]),
  ]
}

function rare(action: MoreAction, emoji: string, label: string, isOn = false): APIButtonComponentWithCustomId {
  return button(MORE_ID.of(action), { emoji, label, style: isOn ? Success : Secondary })
}

function row(components: APIButtonComponentWithCustomId[]): Row {
  return { type: ComponentType.ActionRow, components }
}

function button(
  id: string,
  { emoji, label, style = Secondary, isDisabled = false }: Look,
): APIButtonComponentWithCustomId {
  return {
    type: ComponentType.Button,
    style,
    emoji: { name: emoji },
    label,
    custom_id: id,
    ...(isDisabled ? { disabled: true } : {}),
  }
}
