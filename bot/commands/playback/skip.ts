import type { Invocation, CommandContext } from '../core/invocation.ts'
import { command } from '../core/command.ts'
import { say, type Reply } from '../core/reply.ts'
import { nameTrack } from '../i18n/format.ts'
import { labelsOf } from '../i18n/labels.ts'
import { perform, playerCommand } from './player-command.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const skipText = textOf('playback', 'skip')

export const skip = command({
  name: 'skip',
  labels: labelsOf(skipText, 'skip'),
  rule: 'listener',
  options: {},
  run: skipTrack,
})

export const previous = playerCommand({
  name: 'previous',
  labels: labelsOf(skipText, 'previous'),
  operation: 'previous',
  say: ({ words }, { track }) => (track ? words.skip.back({ track: nameTrack(track) }) : words.skip.skippedLast),
})

async function skipTrack(invocation: Invocation, context: CommandContext): Promise<Reply> {
  await perform(invocation, context, 'skip', {})
  const { current } = await context.music.queue(invocation.scope, invocation.guildId)
  const { words } = invocation
  return say(current ? words.skip.skipped({ next: nameTrack(current) }) : words.skip.skippedLast)
}
