import type { Call } from '../core/invocation.ts'
import { command } from '../core/command.ts'
import { labelsOf } from '../labels/index.ts'
import { whole } from '../core/options.ts'
import type { QueueEdit } from '../../music.ts'
import { Fault } from '../../../lib/errors.ts'
import { say, type Answer } from '../core/reply.ts'
import { assertInCharge, getPlayer } from '../permissions/rules.ts'
import type { CommandContext } from '../core/command-context.ts'
import { nameTrack } from '../i18n/format.ts'

/** No queue is longer. */
const position = () => whole({ min: 1, max: 5000 })

export const shuffle = command({
  name: 'shuffle',
  labels: labelsOf('shuffle'),
  rule: 'dj',
  options: {},
  run: (call, tools) => edit(call, tools, { type: 'shuffle' }, call.words.queue.shuffled),
})

export const clear = command({
  name: 'clear',
  labels: labelsOf('clear'),
  rule: 'dj',
  options: {},
  run: (call, tools) => edit(call, tools, { type: 'clear' }, call.words.queue.cleared),
})

export const remove = command({
  name: 'remove',
  labels: labelsOf('remove'),
  rule: 'listener',
  options: { position: position() },
  async run(call, tools) {
    const at = call.options.position
    const { queue } = await tools.music.requesters(call.who, call.guildId)
    // What one has asked for oneself, one may take back.
    if (queue[at - 1] !== call.member.id) assertInCharge(call, tools, await getPlayer(call, tools))
    const name = await nameAt(call, tools, at)
    return edit(call, tools, { type: 'remove', position: at }, call.words.queue.removed(name))
  },
})

export const move = command({
  name: 'move',
  labels: labelsOf('move'),
  rule: 'dj',
  options: { from: position(), to: position() },
  async run(call, tools) {
    const { from, to } = call.options
    const name = await nameAt(call, tools, from)
    return edit(call, tools, { type: 'move', from, to }, call.words.queue.moved(name, to))
  },
})

/** Changes what waits. @returns the words given, for everyone. */
export async function edit(
  { who, guildId }: Call,
  { music, cards }: CommandContext,
  change: QueueEdit,
  words: string,
): Promise<Answer> {
  await music.editQueue(who, guildId, change)
  cards.refresh(guildId)
  return say(words)
}

async function nameAt({ who, guildId }: Call, { music }: CommandContext, at: number): Promise<string> {
  const { queue } = await music.queue(who, guildId)
  const track = queue[at - 1]
  if (!track) throw new Fault('not_found', 'There is no such position.', { reason: 'no_such_position' })
  return nameTrack(track)
}
