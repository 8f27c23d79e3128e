import type { Guild } from 'discord.js'
import type { LyricsOf } from '../../../upstream/music/lyrics.ts'
import { nullOn } from '../../../lib/errors.ts'
import { type EncodedTrack, toTrack } from '../../tracks/track.ts'
import { decodeToken } from '../../tracks/track-token.ts'
import type { Command, CommandAction } from '../core/command.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import { Refusal, type Content, type OnSent } from '../core/reply.ts'
import { explain } from '../core/error-message.ts'
import { type BotRouting, runRouted } from '../interactions/bot-routing.ts'
import { findPlayer } from '../permissions/rules.ts'
import { specOf, type PageAction, readRights, type Rights } from './page-actions.ts'
import { toPlainText } from './plain-text.ts'
import { listenersIn, viewPlayer, viewQueue, viewTrack, type QueuePage, type TrackView } from './player-view.ts'
import { plainQuery } from '../../../lib/music/plain-query.ts'

/** A track that can be requested. */
interface OfferedTrack extends TrackView {
  /** What `/play` takes for it. */
  readonly query: string
}

/** A member of a guild at one moment, with the bot in their voice channel. */
export type WebMember = ReturnType<typeof openWebMember>

interface WebMemberOptions {
  /** As if the member used a command of one of the bots. */
  readonly asked: Invocation
  readonly routing: BotRouting
  readonly guild: Guild
  readonly name: string
  readonly commands: ReadonlyMap<string, Command>
  /** Posts an answer that is for others too. Never rejects. */
  readonly post: (content: Content, onSent: OnSent) => Promise<void>
  /** Runs work on behalf of the member's project. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
}

const MAX_FOUND = 15
const MAX_HISTORY = 50
const MAX_FAVOURITES = 200

/** With the bot in the member's voice channel. */
interface Heard extends WebMemberOptions {
  readonly invocation: Invocation
  readonly context: CommandContext
}

export function openWebMember(options: WebMemberOptions) {
  const { asked, guild, run, name } = options
  // Where the member is does not change: a later moment has another object.
  const { invocation, context } = options.routing.look(asked)
  const { scope, guildId, member } = invocation
  const heard: Heard = { ...options, invocation, context }
  const collector = { botId: scope.botId, userId: member.id }
  return {
    userId: member.id,
    name,
    botId: scope.botId,
    guildName: guild.name,
    voiceChannelId: member.voiceChannelId,
    /** The bot's language that they understand best. */
    language: invocation.language,
    player: () => viewPlayer(invocation, context, guild),
    /** The queue from a place on, from 0, or what has some words in it; null without a player. */
    queue: (from: number, find?: string) => findQueue(heard, from, find),
    async rights(): Promise<Rights> {
      const { refused, byVote } = await readRights(
        invocation,
        context,
        (action) => actionOf(options.commands, action).rule,
      )
      const plain = Object.entries(refused).map(([action, why]) => [action, why && toPlainText(why, guild)])
      return { refused: Object.fromEntries(plain) as Rights['refused'], byVote }
    },
    /** Adds the member's voice to an open vote. @throws {Refusal} */
    agree: (voteId: string): Promise<string> => run(() => agree(heard, voteId)),
    /**
     * Does what the slash command of the same name does. @returns what it says, as plain text.
     * @throws {Refusal} in their words, also for failures that the command would explain.
     */
    perform: (action: PageAction, values: Readonly<Record<string, unknown>>): Promise<string> =>
      run(() => perform(options, action, values)),
    search: (words: string): Promise<readonly OfferedTrack[]> =>
      run(async () => (await search(context, words)).map((track) => offer(context, track))),
    /** What was played in the guild, the newest first. */
    async history(): Promise<readonly OfferedTrack[]> {
      const plays = await context.history.list({ botId: scope.botId, guildId }, MAX_HISTORY)
      return toOffers(context, [...new Set(plays.map(({ track }) => track))])
    },
    /** What the member keeps, the newest first. */
    favourites: async (): Promise<readonly OfferedTrack[]> =>
      toOffers(context, await context.collections.favourites(collector, MAX_FAVOURITES)),
    /** Of what plays; null if there are none. */
    lyrics: (): Promise<(Pick<LyricsOf, 'synced' | 'instrumental' | 'lines'> & { readonly mark: string }) | null> =>
      run(() => findLyrics(heard)),
    /** The mark of what plays, if the member keeps it. */
    kept: () => findKept(heard),
    /**
     * The address of a track's cover; null if it has none, or no track of the guild or the member has the mark.
     * @param id the number of a track in the queue.
     */
    coverUrl: (mark: string, id?: number) => findCover(heard, mark, id),
    /** The address of the picture of someone in the bot's channel; null without one. */
    avatarUrl: (userId: string) => findAvatar(heard, userId),
  }
}

function actionOf(commands: ReadonlyMap<string, Command>, action: PageAction): CommandAction {
  const spec = specOf(action)
  const found = commands.get(spec.command)?.find(spec.subcommand ?? null)
  if (!found) throw new Error(`No command carries out ${action}.`)
  return found
}

async function perform(
  { asked, routing, commands, guild, post }: WebMemberOptions,
  action: PageAction,
  values: Readonly<Record<string, unknown>>,
): Promise<string> {
  const command = actionOf(commands, action)
  const how = { asked, rule: command.rule, isNamed: false, isOwnMessage: true }
  return inWords(asked, guild, async () => {
    const reply = await runRouted(routing, how, (target) => command.runWith(values, target.invocation, target.context))
    // What others have to see, a vote for one, goes where the member would have used the command.
    if (reply.as === 'message' && reply.onSent) void post(reply, reply.onSent)
    if (!('text' in reply) && !('embeds' in reply)) return ''
    return reply.text ?? reply.embeds?.[0]?.title ?? ''
  })
}

async function agree({ invocation, context, guild }: Heard, voteId: string): Promise<string> {
  const { words } = invocation
  return inWords(invocation, guild, async () => {
    const vote = context.controls.findVote(invocation, voteId)
    if (!vote) throw new Refusal(words.vote.over)
    const { isDone } = await context.controls.agree(invocation, voteId)
    context.cards.refresh(invocation.guildId)
    return isDone ? words.vote.passed : words.vote.counted({ have: vote.voterIds.length, need: vote.votesNeeded })
  })
}

/** @throws {Refusal} for all that the command would explain to the member. */
async function inWords({ words }: Invocation, guild: Guild, work: () => Promise<string>): Promise<string> {
  try {
    return toPlainText(await work(), guild)
  } catch (err) {
    const known = explain(err, words)
    if (known === null) throw err
    throw new Refusal(toPlainText(known, guild))
  }
}

async function search({ music }: CommandContext, q: string): Promise<readonly EncodedTrack[]> {
  // A link is what it is: playing it finds out.
  if (/^https?:/iu.test(plainQuery(q))) return []
  return music.search({ q, limit: MAX_FOUND })
}

function offer({ suggestions }: CommandContext, track: EncodedTrack): OfferedTrack {
  return { ...viewTrack(track), query: suggestions.toChoice(track).value }
}

function toOffers(context: CommandContext, tokens: readonly string[]): readonly OfferedTrack[] {
  return tokens.map((encoded) => offer(context, { ...toTrack(decodeToken(encoded)), encoded }))
}

async function findLyrics({ invocation, context }: Heard): ReturnType<WebMember['lyrics']> {
  const current = (await findPlayer(invocation, context))?.current
  if (!current) return null
  const { mark } = viewTrack(current)
  const found = await context.trackMetadata.lyrics(invocation.scope, current).catch(nullOn('not_found'))
  return found && { mark, synced: found.synced, instrumental: found.instrumental, lines: found.lines }
}

async function findQueue(
  { invocation, context, guild }: Heard,
  from: number,
  find?: string,
): Promise<QueuePage | null> {
  const player = await findPlayer(invocation, context)
  return player && viewQueue(await context.music.queueItems(invocation.scope, invocation.guildId), guild, from, find)
}

async function findKept({ invocation, context }: Heard): Promise<string | null> {
  const current = (await findPlayer(invocation, context))?.current
  const collector = { botId: invocation.scope.botId, userId: invocation.member.id }
  const isKept = current && (await context.collections.isFavourite(collector, current.encoded))
  return isKept ? viewTrack(current).mark : null
}

async function findAvatar({ invocation, context, guild }: Heard, userId: string): Promise<string | null> {
  const player = await findPlayer(invocation, context)
  const listener = player && listenersIn(invocation, guild, player.channelId).find(({ id }) => id === userId)
  return listener?.displayAvatarURL({ size: 64, extension: 'png' }) ?? null
}

/** Only of tracks that the guild or this member has to do with, so that no page can have any address fetched. */
async function findCover({ invocation, context }: Heard, mark: string, id = 0): Promise<string | null> {
  const token = context.suggestions.tokenOf(mark)
  if (token !== null) return decodeToken(token).artworkUrl
  const player = await findPlayer(invocation, context)
  if (!player) return null
  const { ids, tracks } = await context.music.queueItems(invocation.scope, invocation.guildId)
  const queued = tracks[ids.indexOf(id)]
  const shown = [player.current, player.suggestion, queued ? { ...queued.info, encoded: queued.encoded } : null]
  return shown.find((track) => track !== null && viewTrack(track).mark === mark)?.artworkUrl ?? null
}
