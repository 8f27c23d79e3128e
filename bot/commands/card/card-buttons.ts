import type { Invocation } from '../core/invocation.ts'
import { CARD_ID, type CardAction } from './card-id.ts'
import { component } from '../core/component.ts'
import type { Loop } from '../../player/inputs.ts'
import { NOTHING, whisper, type Reply } from '../core/reply.ts'
import { assertAllowed, getPlayer } from '../permissions/rules.ts'
import type { CommandContext } from '../core/command-context.ts'
import { showLyrics } from '../lyrics/lyrics.ts'
import { showQueue } from '../queue/queue.ts'
import { perform } from '../playback/player-command.ts'
import { skipOrVote } from '../playback/skip.ts'

const VOLUME_STEP = 10
const LOUDEST = 200
const NEXT_LOOP: Readonly<Record<Loop, Loop>> = { off: 'track', track: 'queue', queue: 'off' }

/** The buttons of the now-playing card. What they did is seen on the card; only votes and the queue need words. */
export const cardButtons = component({
  id: CARD_ID,
  rule: 'anyone',
  async run(invocation, context): Promise<Reply> {
    const [action] = invocation.options
    switch (action) {
      case 'queue':
        return whisper(await showQueue(invocation, context, 1))
      case 'lyrics':
        return whisper(await showLyrics(invocation, context, 1))
      case 'skip':
        await assertAllowed('listener', invocation, context)
        return (await skipOrVote(invocation, context)) ?? NOTHING
      case 'previous':
      case 'pause':
      case 'loop':
      case 'shuffle':
      case 'quieter':
      case 'louder':
      case 'mute':
        await assertAllowed('dj', invocation, context)
        await control(action, invocation, context)
        return NOTHING
    }
  },
})

async function control(
  action: Exclude<CardAction, 'queue' | 'lyrics' | 'skip'>,
  invocation: Invocation,
  context: CommandContext,
): Promise<unknown> {
  const { paused, loop, volume, muted } = await getPlayer(invocation, context)
  switch (action) {
    case 'previous':
    case 'shuffle':
      return perform(invocation, context, action, {})
    case 'pause':
      return perform(invocation, context, 'patch', { paused: !paused })
    case 'loop':
      return perform(invocation, context, 'patch', { loop: NEXT_LOOP[loop] })
    case 'quieter':
    case 'louder': {
      const step = action === 'louder' ? VOLUME_STEP : -VOLUME_STEP
      return perform(invocation, context, 'patch', { volume: Math.min(Math.max(volume + step, 0), LOUDEST) })
    }
    case 'mute':
      return muted ? perform(invocation, context, 'unmute', {}) : perform(invocation, context, 'mute', { muted: true })
  }
}
