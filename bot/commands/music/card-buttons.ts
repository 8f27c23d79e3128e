import type { Call } from '../core/invocation.ts'
import { CARD_ID, type CardAction } from '../card/card-id.ts'
import { component } from '../core/component.ts'
import type { Loop } from '../../music.ts'
import { NOTHING, whisper, type Answer } from '../core/reply.ts'
import { assertAllowed, getPlayer } from '../permissions/rules.ts'
import type { CommandContext } from '../core/command-context.ts'
import { change, setMuted, wordOfLoop } from './control.ts'
import { edit } from './editing.ts'
import { showLyrics } from './lyrics.ts'
import { showQueue } from './queue.ts'
import { goBack, skipOrVote } from './skip.ts'

const VOLUME_STEP = 10
const LOUDEST = 200
const NEXT_LOOP: Readonly<Record<Loop, Loop>> = { off: 'track', track: 'queue', queue: 'off' }

/** The buttons of the now-playing card. What they did is seen on the card; only votes and the queue need words. */
export const cardButtons = component({
  id: CARD_ID,
  rule: 'anyone',
  async run(call, tools): Promise<Answer> {
    const [action] = call.options
    switch (action) {
      case 'queue':
        return whisper(await showQueue(call, tools, 1))
      case 'lyrics':
        return whisper(await showLyrics(call, tools, 1))
      case 'skip':
        await assertAllowed('listener', call, tools)
        return (await skipOrVote(call, tools)) ?? NOTHING
      case 'previous':
      case 'pause':
      case 'loop':
      case 'shuffle':
      case 'quieter':
      case 'louder':
      case 'mute':
        await assertAllowed('dj', call, tools)
        await control(action, call, tools)
        return NOTHING
    }
  },
})

async function control(
  action: Exclude<CardAction, 'queue' | 'lyrics' | 'skip'>,
  call: Call,
  tools: CommandContext,
): Promise<Answer> {
  const { words } = call
  const { paused, loop, volume, muted } = await getPlayer(call, tools)
  switch (action) {
    case 'previous':
      return goBack(call, tools)
    case 'pause':
      return change(call, tools, { paused: !paused }, words.control.paused)
    case 'loop':
      return change(call, tools, { loop: NEXT_LOOP[loop] }, wordOfLoop(NEXT_LOOP[loop], words))
    case 'shuffle':
      return edit(call, tools, { type: 'shuffle' }, words.queue.shuffled)
    case 'quieter':
    case 'louder': {
      const step = action === 'louder' ? VOLUME_STEP : -VOLUME_STEP
      const level = Math.min(Math.max(volume + step, 0), LOUDEST)
      return change(call, tools, { volume: level }, words.control.volume(level))
    }
    case 'mute':
      return setMuted(call, tools, !muted)
  }
}
