import type { PlayerInfo } from '../../player/player-info.ts'
import type { Loop } from '../../player/inputs.ts'
import { component } from '../core/component.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import { Refusal, update, replyPrivately, type Content, type Reply } from '../core/reply.ts'
import { keepCurrent } from '../library/favourites.ts'
import { getPlayer } from '../permissions/rules.ts'
import type { Words } from '../common-text.ts'
import { perform } from '../playback/player-command.ts'
import { drawMoreControls, LOOPS } from './card-controls.ts'
import { MORE_ID, type MoreAction } from './card-id.ts'

const VOLUME_STEP = 10
const LOUDEST = 200
const NEXT_LOOP: Readonly<Record<Loop, Loop>> = { off: 'track', track: 'queue', queue: 'off' }

/** The buttons behind “More”, which the member who opened it sees alone. The panel shows what each of them did. */
export const moreButtons = component({
  id: MORE_ID,
  rule: 'anyone',
  async run(invocation, context): Promise<Reply> {
    const [action] = invocation.options
    switch (action) {
      case 'favourite':
        return replyPrivately(await keepCurrent(invocation, context))
      case 'privacyCode':
        return replyPrivately(await showPrivacyCode(invocation, context))
      case 'quieter':
      case 'louder':
      case 'mute':
      case 'loop':
      case 'shuffle':
      case 'autoplay':
        await change(action, invocation, context)
        return update(drawMorePanel(await getPlayer(invocation, context), invocation.words))
    }
  },
})

export function drawMorePanel(player: PlayerInfo, words: Words): Content {
  const state = [
    player.muted ? '🔇' : `🔊 ${words.percent({ value: Math.round(player.volume) })}`,
    LOOPS[player.loop],
  ].join(' · ')
  return {
    embeds: [{ title: `⚙️ ${words.controls.panel}`, description: state }],
    rows: drawMoreControls(player, words),
  }
}

async function change(
  action: Exclude<MoreAction, 'favourite' | 'privacyCode'>,
  invocation: Invocation,
  context: CommandContext,
): Promise<unknown> {
  const { loop, volume, muted, autoplay } = await getPlayer(invocation, context)
  switch (action) {
    case 'shuffle':
      return perform(invocation, context, 'shuffle', {})
    case 'loop':
      return perform(invocation, context, 'patch', { loop: NEXT_LOOP[loop] })
    case 'autoplay':
      return perform(invocation, context, 'patch', { autoplay: !autoplay })
    case 'quieter':
    case 'louder': {
      const step = action === 'louder' ? VOLUME_STEP : -VOLUME_STEP
      return perform(invocation, context, 'patch', { volume: Math.min(Math.max(volume + step, 0), LOUDEST) })
    }
    case 'mute':
      return muted ? perform(invocation, context, 'unmute', {}) : perform(invocation, context, 'mute', { muted: true })
  }
}

async function showPrivacyCode(invocation: Invocation, context: CommandContext): Promise<Content> {
  const { privacyCode } = await getPlayer(invocation, context)
  if (privacyCode === null) throw new Refusal(invocation.words.controls.noCode)
  return drawPrivacyCode(privacyCode, invocation.words)
}

/** Shows the code by which members see that no one listens in. */
export function drawPrivacyCode(code: string, { card, controls }: Words): Content {
  const description = `${inGroups(code)}\n\n${controls.compare}`
  return { embeds: [{ title: `🔒 ${card.privacyCode}`, description }] }
}

/** Groups a code by five, as Discord itself does. */
function inGroups(code: string): string {
  return `\`${code.replaceAll(/(.{5})(?=.)/gu, '$1 ')}\``
}
