import { ChannelType, DiscordAPIError } from 'discord.js'
import { command } from '../core/command.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import { Refusal, replyPrivately, type Reply } from '../core/reply.ts'
import { channel, flag, optional, labelOf } from '../core/options.ts'
import { findPlayer } from '../permissions/rules.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const setupText = textOf('requests', 'setup')

/** Creates or takes over a request channel, or repairs the existing one. */
export const setup = command({
  name: 'setup',
  labels: labelOf(setupText),
  rule: 'manager',
  isPrivate: true,
  options: { channel: optional(channel([ChannelType.GuildText])), off: optional(flag()) },
  async run(invocation, context) {
    const { options, guildId, place, words } = invocation
    if (options.off) return giveUp(invocation, context)
    const known = options.channel ?? (await context.cards.requestChannel(guildId))
    if (known !== null && !place.mayPost(known)) throw new Refusal(words.refused.notAnAnnounceChannel)
    const owner = known === null ? null : await context.cards.otherOwner(known)
    if (owner !== null) throw new Refusal(words.setup.taken({ bot: `<@${owner}>` }))
    const channelId = known ?? (await makeChannel(invocation, context))
    await context.cards.setRequestChannel(guildId, channelId)
    return replyPrivately(describe(invocation, context, channelId))
  },
})

function describe({ words, place }: Invocation, { channelMessages }: CommandContext, channelId: string): string {
  const { ready, reads, buttons, cannotTidy } = words.setup
  const lines = [ready({ channel: `<#${channelId}>` }), channelMessages.readsMessages ? reads : buttons]
  if (channelMessages.readsMessages && !place.mayTidy(channelId)) lines.push(`⚠️ ${cannotTidy}`)
  return lines.join('\n')
}

async function giveUp(invocation: Invocation, context: CommandContext): Promise<Reply> {
  const { guildId, channelId, words } = invocation
  const former = await context.cards.requestChannel(guildId)
  if (former === null) throw new Refusal(words.setup.none)
  await context.cards.setRequestChannel(guildId, null)
  // A running player keeps its card.
  if (await findPlayer(invocation, context)) context.cards.open(guildId, channelId)
  return replyPrivately(words.setup.over({ channel: `<#${former}>` }))
}

async function makeChannel({ guildId, place, words }: Invocation, { channelMessages }: CommandContext) {
  const { name, topic, mayNotMake, notMade } = words.setup
  if (!place.mayMakeChannels) throw new Refusal(mayNotMake)
  try {
    return await channelMessages.makeChannel(guildId, { name, topic })
  } catch (err) {
    if (err instanceof DiscordAPIError) throw new Refusal(notMade)
    throw err
  }
}
