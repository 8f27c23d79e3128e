import { labelOf, labelsOf } from '../core/options.ts'
import { playerCommand, perform } from '../playback/player-command.ts'
import type { Invocation, CommandContext } from '../core/invocation.ts'
import { command, type Command } from '../core/command.ts'
import { Refusal, say } from '../core/reply.ts'
import { nameTrack } from '../i18n/format.ts'
import { queuePosition } from './position.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const queueText = textOf('queue', 'queue')

const shuffle = playerCommand({
  name: 'shuffle',
  labels: labelsOf(queueText, 'shuffle'),
  operation: 'shuffle',
  say: ({ words }) => words.queue.shuffled,
})

const clear = playerCommand({
  name: 'clear',
  labels: labelsOf(queueText, 'clear'),
  operation: 'clear',
  say: ({ words }) => words.queue.cleared,
})

const dedupe = playerCommand({
  name: 'dedupe',
  labels: labelsOf(queueText, 'dedupe'),
  operation: 'removeDuplicates',
  say: ({ words }, { queue }) => words.queue.deduplicated({ count: queue.length }),
})

const remove = command({
  name: 'remove',
  labels: labelsOf(queueText, 'remove'),
  rule: 'listener',
  options: { position: queuePosition() },
  async run(invocation, context) {
    const at = invocation.options.position
    const name = await nameAt(invocation, context, at)
    await perform(invocation, context, 'remove', invocation.options)
    return say(invocation.words.queue.removed({ track: name }))
  },
})

const move = command({
  name: 'move',
  labels: labelsOf(queueText, 'move'),
  rule: 'listener',
  options: { from: queuePosition(), to: queuePosition() },
  async run(invocation, context) {
    const { from, to } = invocation.options
    const name = await nameAt(invocation, context, from)
    await nameAt(invocation, context, to)
    await perform(invocation, context, 'move', invocation.options)
    return say(invocation.words.queue.moved({ track: name, to }))
  },
})

/** Commands that change what waits. */
export const QUEUE_COMMANDS: readonly Command[] = [shuffle, remove, move, clear, dedupe]

/** @throws {Refusal} if there is none. */
async function nameAt(
  { scope, guildId, words }: Invocation,
  { music }: Pick<CommandContext, 'music'>,
  at: number,
): Promise<string> {
  const { tracks } = await music.queueItems(scope, guildId)
  const track = tracks[at - 1]
  if (!track) throw new Refusal(words.queue.noTrack({ position: at, count: tracks.length }))
  return nameTrack(track.info)
}

const skipToText = textOf('queue', 'skipTo')

export const skipTo = playerCommand({
  name: 'skipto',
  labels: labelOf(skipToText),
  operation: 'skipTo',
  options: { position: queuePosition() },
  async input(invocation, context) {
    await nameAt(invocation, context, invocation.options.position)
    return invocation.options
  },
  say: ({ language, words }, { track }) =>
    track ? skipToText[language].words.skipped({ track: nameTrack(track) }) : words.skip.skippedLast,
})
