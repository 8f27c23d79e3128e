import { CARD_ID } from './card-id.ts'
import { component } from '../core/component.ts'
import { NOTHING, say, replyPrivately, type Reply } from '../core/reply.ts'
import { getPlayer } from '../permissions/rules.ts'
import { showLyrics } from '../lyrics/lyrics.ts'
import { showQueue } from '../queue/queue.ts'
import { perform } from '../playback/player-command.ts'
import { drawMorePanel } from './more-panel.ts'

/** The buttons of the now-playing card. What most of them did is seen on the card; the others need words. */
export const cardButtons = component({
  id: CARD_ID,
  rule: 'anyone',
  async run(invocation, context): Promise<Reply> {
    const [action] = invocation.options
    const { guildId, channelId, messageId, words } = invocation
    // Another bot may be meant than the one that posted the card.
    if (messageId !== null && invocation.answeringBotId === invocation.scope.botId)
      context.cards.pressed(guildId, { channelId, messageId })
    switch (action) {
      case 'queue':
        return replyPrivately(await showQueue(invocation, context, 1))
      case 'lyrics':
        return replyPrivately(await showLyrics(invocation, context, 1))
      case 'more':
        return replyPrivately(drawMorePanel(await getPlayer(invocation, context), words))
      case 'skip':
      case 'previous':
        await perform(invocation, context, action, {})
        return NOTHING
      case 'pause': {
        const { paused } = await getPlayer(invocation, context)
        await perform(invocation, context, 'patch', { paused: !paused })
        return NOTHING
      }
      case 'stop':
        await perform(invocation, context, 'close', {})
        // The card goes with the music: who ended it, is said.
        return say(words.control.stopped)
    }
  },
})
