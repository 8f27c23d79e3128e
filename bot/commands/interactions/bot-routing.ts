import type { Invocation, CommandContext } from '../core/invocation.ts'
import { type Reply, Refusal, replyPrivately } from '../core/reply.ts'
import { PutToVote } from '../permissions/put-to-vote.ts'
import { assertAllowed, type Rule } from '../permissions/rules.ts'
import type { GuildTarget } from '../../../lib/sharing/forwarding.ts'
import type { Client } from 'discord.js'
import { Fault } from '../../../lib/errors.ts'
import type { OccupiedBot, PlayerScope, Reservation } from '../../bot-selection.ts'
import type { PlayerService } from '../../player-service.ts'
import { findPlace } from '../core/guild-view.ts'

/** A bot that members can reach now. */
export interface AttachedBot {
  readonly client: Client
  readonly context: CommandContext
}

/** The interaction from the target bot's point of view. */
export interface RoutedInvocation {
  readonly invocation: Invocation
  readonly context: CommandContext
  /** The target bot and its channel; null if it is the bot that received the command. */
  readonly by: OccupiedBot | null
  /** Once the command is over. */
  release(): void
}

/** Brings what members ask of one bot to the bot of the project that it is for. */
export type BotRouting = ReturnType<typeof createBotRouting>

export interface BotRoutingOptions {
  readonly music: Pick<PlayerService, 'bots'>
  /** Whether it is a bot of the project whose players in the guild another service runs. */
  readonly runsElsewhere: (projectId: string, bot: GuildTarget) => boolean
  readonly attached: (botId: string) => AttachedBot | undefined
}

const NOTHING_HELD = (): void => undefined

export function createBotRouting(options: BotRoutingOptions) {
  return {
    /**
     * The bot in the member's own channel; else, for what may start a player, one that is free, which is reserved; else the
     * one that was asked, or the only one that plays.
     * @throws {Refusal} when all are busy, when another service runs the bot, or when several play and it is not clear which
     * is meant. @throws {Fault} when no bot can join the channel.
     */
    route(asked: Invocation, rule: Rule): RoutedInvocation {
      if (rule === 'joiner' || rule === 'listener') assertReachable(options, asked)
      const reservation = rule === 'joiner' ? reserve(options, asked) : null
      if (reservation) return toBot(options, asked, reservation)
      const found = meant(options, asked)
      if (typeof found === 'string') return toBot(options, asked, { scope: { ...asked.scope, botId: found } })
      // Commands without a player are answered by the bot that received them.
      if (rule === 'anyone' || rule === 'manager') return toBot(options, asked, { scope: asked.scope })
      throw new Refusal(asked.words.bots.severalPlay({ bots: listOf(found) }))
    },
    /** Like `route`, for commands that only look: without reservation and refusal. */
    look(asked: Invocation): RoutedInvocation {
      const found = meant(options, asked)
      return toBot(options, asked, {
        scope: typeof found === 'string' ? { ...asked.scope, botId: found } : asked.scope,
      })
    },
  }
}

/** The candidate bots, with the bot that received the command first. */
function groupOf({ music, attached }: BotRoutingOptions, { scope, guildId }: Invocation) {
  const others = music.bots.inGuild(scope.projectId, guildId).filter((id) => id !== scope.botId && attached(id))
  return { ...scope, botIds: [scope.botId, ...others] }
}

/** @throws {Refusal} if the bot in the member's channel is one of the project that another service runs there. */
function assertReachable(
  { music, runsElsewhere }: BotRoutingOptions,
  { scope, guildId, member, place, words }: Invocation,
) {
  const { voiceChannelId } = member
  if (voiceChannelId === null) return
  const there = place.bots(voiceChannelId).find((botId) => runsElsewhere(scope.projectId, { botId, guildId }))
  if (!there) return
  const group = { ...scope, botIds: music.bots.inGuild(scope.projectId, guildId) }
  const isOursThere = music.bots.occupied(group, guildId).some(({ channelId }) => channelId === voiceChannelId)
  if (!isOursThere) throw new Refusal(words.bots.otherService({ bot: `<@${there}>` }))
}

/** Null for who is in no channel, and where one bot is alone and busy: it says for itself who may use it from where. */
function reserve(options: BotRoutingOptions, asked: Invocation): Reservation | null {
  const { bots } = options.music
  const { guildId, member, words } = asked
  if (member.voiceChannelId === null) return null
  const group = groupOf(options, asked)
  const busy = bots.occupied(group, guildId)
  if (group.botIds.length === 1 && busy.length === 1) return null
  try {
    return bots.reserve(group, guildId, member.voiceChannelId)
  } catch (err) {
    if (err instanceof Fault && err.reason === 'bots_busy')
      throw new Refusal(words.bots.allBusy({ bots: listOf(busy) }))
    throw err
  }
}

/** The bot in the member's channel, else the one that was asked, else the only one; those that play where it is neither. */
function meant(options: BotRoutingOptions, asked: Invocation): string | readonly OccupiedBot[] {
  const { scope, guildId, member } = asked
  const busy = options.music.bots.occupied(groupOf(options, asked), guildId)
  const here = busy.find(({ channelId }) => channelId === member.voiceChannelId)
  if (here) return here.botId
  const [only, another] = busy
  if (!only || busy.some(({ botId }) => botId === scope.botId)) return scope.botId
  return another ? busy : only.botId
}

function toBot(
  options: BotRoutingOptions,
  asked: Invocation,
  { scope, release = NOTHING_HELD }: { readonly scope: PlayerScope; readonly release?: () => void },
): RoutedInvocation {
  const { guildId } = asked
  const bot = options.attached(scope.botId)
  const place = bot && findPlace(bot.client, guildId)
  if (!place) {
    release()
    throw new Refusal(asked.words.failed.unavailable)
  }
  const [there = null] =
    scope.botId === asked.scope.botId ? [] : options.music.bots.occupied({ ...scope, botIds: [scope.botId] }, guildId)
  return { invocation: { ...asked, scope, place }, context: bot.context, by: there, release }
}

/** Additions to an answer that another bot gives than the one that acted. */
interface Signature {
  /** Messages name the bot. */
  readonly isNamed: boolean
  /** The message that a button belongs to shows what the bot plays that was meant, not what the one plays that posted it. */
  readonly isOwnMessage: boolean
}

/** An answer that says which bot it is about, where that is not the one that gives it. */
function signed(reply: Reply, { by, invocation }: RoutedInvocation, signature: Signature): Reply {
  if (!by) return reply
  const who = invocation.words.bots.playsIn({ bot: `<@${by.botId}>`, channel: `<#${by.channelId}>` })
  switch (reply.as) {
    case 'message':
      return signature.isNamed ? { ...reply, text: [who, reply.text].filter(Boolean).join('\n') } : reply
    case 'update': {
      const { as: _, ...content } = reply
      return signature.isOwnMessage ? reply : replyPrivately(content)
    }
    case 'nothing':
      return replyPrivately(who)
    case 'form':
      return reply
  }
}

function listOf(bots: readonly OccupiedBot[]): string {
  return bots.map(({ botId, channelId }) => `<@${botId}> (<#${channelId}>)`).join(', ')
}

export interface Asked extends Signature {
  readonly asked: Invocation
  readonly rule: Rule
}

/** Has the bot do it that is meant, where the member may. @throws {Refusal} */
export async function runRouted(
  routing: BotRouting,
  { asked, rule, ...signature }: Asked,
  act: (target: RoutedInvocation) => Promise<Reply>,
): Promise<Reply> {
  const target = routing.route(asked, rule)
  try {
    await assertAllowed(rule, target.invocation, target.context)
    return signed(await replyOf(act(target)), target, signature)
  } finally {
    target.release()
  }
}

/** Answers with the vote if the action was put to one. */
async function replyOf(work: Promise<Reply>): Promise<Reply> {
  try {
    return await work
  } catch (err) {
    if (err instanceof PutToVote) return err.reply
    throw err
  }
}
