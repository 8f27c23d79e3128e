import { MessageType, type Message } from 'discord.js'
import type { Logger } from '../../../lib/log.ts'
import { runForProject, runInContext } from '../../../lib/request-context.ts'
import type { PlayerScope } from '../../player-service.ts'
import type { Clock } from '../../player/timers.ts'
import type { Cards } from '../card/cards.ts'
import type { ChannelMessages } from '../card/channel-messages.ts'
import { explain } from '../core/error-message.ts'
import type { Invocation } from '../core/invocation.ts'
import { plain } from '../core/embed-format.ts'
import type { Language } from '../../../lib/texts/languages.ts'
import { type BotRouting, runRouted } from '../interactions/bot-routing.ts'
import { parseMessage } from '../interactions/parse-interaction.ts'
import { uploadUrl, runPlay } from '../playback/play.ts'
import { createTidyChannel, type TidyChannel } from './tidy-channel.ts'
import { plainQuery } from '../../../lib/music/plain-query.ts'

/** Messages of members in the request channels of a bot with the Message Content intent. */
export type WrittenRequests = ReturnType<typeof createWrittenRequests>

interface WrittenRequestsOptions {
  readonly scope: () => PlayerScope
  readonly routing: BotRouting
  readonly cards: Pick<Cards, 'requestChannel'>
  readonly channelMessages: ChannelMessages
  readonly languageOf: (guildId: string) => Promise<Language>
  readonly clock: Clock
  readonly log: Logger
}

/** Requests of a guild that are looked for at the same time. */
const MOST_AT_ONCE = 5
/** Of one member. */
const MOST_IN_A_WHILE = 5
const WHILE_MS = 10_000
/** When those who asked longer ago are forgotten. */
const MOST_REMEMBERED = 100
const LONGEST_QUERY = 500

interface RequestLine {
  readonly channel: TidyChannel
  /** How many requests are looked for now. */
  underway: number
  /** When each member asked of late. */
  readonly askedAtMs: Map<string, readonly number[]>
}

export function createWrittenRequests(options: WrittenRequestsOptions) {
  const lines = new Map<string, RequestLine>()

  function lineOf(channelId: string): RequestLine {
    const line = lines.get(channelId) ?? {
      channel: createTidyChannel(options, channelId),
      underway: 0,
      askedAtMs: new Map(),
    }
    lines.set(channelId, line)
    return line
  }

  async function serve(message: Message<true>): Promise<void> {
    try {
      if ((await options.cards.requestChannel(message.guildId)) !== message.channelId) return
      await runInContext({ fields: { reference: message.id }, isOver: false }, () =>
        runForProject(options.scope().projectId, () => take(options, lineOf(message.channelId), message)),
      )
    } catch (err) {
      const { guildId } = message
      options.log.warn({ err, botId: options.scope().botId, guildId }, 'written request failed')
    }
  }

  return {
    /** Never throws. */
    onMessage(message: Message) {
      if (isRequest(message)) void serve(message)
    },
    /** Deletes the bot's answers in the channel. */
    async close() {
      await Promise.all([...lines.values()].map(({ channel }) => channel.close()))
    },
  }
}

/** What a member wrote; other bots and Discord itself write what they have to. */
function isRequest(message: Message): message is Message<true> {
  const { author, webhookId, type } = message
  return message.inGuild() && !author.bot && webhookId === null && TYPES.has(type)
}

const TYPES: ReadonlySet<MessageType> = new Set([MessageType.Default, MessageType.Reply])

async function take(options: WrittenRequestsOptions, line: RequestLine, message: Message<true>): Promise<void> {
  const { guildId, author, id, attachments } = message
  const asked = parseMessage(message, options.scope(), await options.languageOf(guildId))
  if (!asked) return
  const { words, place, channelId } = asked
  // With its message a file would be gone before its turn.
  if (attachments.size === 0) line.channel.tidy(id, place.mayTidy(channelId) ? null : words.setup.cannotTidy)
  if (line.underway >= MOST_AT_ONCE || isTooMuch(line, author.id, options.clock.nowMs())) {
    return line.channel.say(`<@${author.id}> ${words.failed.rateLimited}`)
  }
  line.underway += 1
  try {
    line.channel.say(`<@${author.id}> ${await play(options, asked, message)}`)
  } finally {
    line.underway -= 1
  }
}

function isTooMuch({ askedAtMs }: RequestLine, userId: string, nowMs: number): boolean {
  const recent = (askedAtMs.get(userId) ?? []).filter((atMs) => nowMs - atMs < WHILE_MS)
  if (recent.length >= MOST_IN_A_WHILE) return true
  askedAtMs.set(userId, [...recent, nowMs])
  if (askedAtMs.size > MOST_REMEMBERED) {
    for (const [id, times] of askedAtMs) if (nowMs - (times.at(-1) ?? 0) >= WHILE_MS) askedAtMs.delete(id)
  }
  return false
}

/** @returns what to say of it. Never rejects. */
async function play(options: WrittenRequestsOptions, asked: Invocation, message: Message<true>): Promise<string> {
  try {
    const query = queryOf(message, asked)
    const reply = await runRouted(
      options.routing,
      { asked, rule: 'joiner', isNamed: true, isOwnMessage: true },
      ({ invocation, context }) => runPlay(invocation, context, { query }),
    )
    return 'text' in reply ? (reply.text ?? '') : ''
  } catch (err) {
    const known = explain(err, asked.words)
    if (known === null) {
      options.log.error({ err, botId: options.scope().botId, guildId: asked.guildId }, 'request failed')
    }
    return `“${plain(message.content, 80)}”: ${known ?? asked.words.failed.bug({ reference: message.id })}`
  }
}

function queryOf({ content, attachments }: Message<true>, asked: Invocation): string {
  const text = plainQuery(content)
  const sent = attachments.first()
  if (text !== '' || !sent) return text.slice(0, LONGEST_QUERY)
  return uploadUrl({ url: sent.url, name: sent.name, bytes: sent.size, mediaType: sent.contentType }, asked)
}
