import type { Guild, GuildMember } from 'discord.js'
import type { Vote } from '../../permissions/votes.ts'
import type { PlayerInfo } from '../../player/player-info.ts'
import type { QueueItems } from '../../player/queue/queue-items.ts'
import { rangeOf } from '../../player/queue/queue-search.ts'
import type { EncodedTrack } from '../../tracks/track.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import { eachLanguage, type Localised } from '../../../lib/texts/languages.ts'
import { markOf } from '../core/autocomplete.ts'
import { findPlayer } from '../permissions/rules.ts'
import { questionOf } from '../permissions/vote-question.ts'
import { toPlainText } from './plain-text.ts'

/** A track as a page of members shows it. */
export interface TrackView {
  /** Identifies the track and its cover. */
  readonly mark: string
  readonly title: string
  readonly author: string
  readonly lengthMs: number
  readonly isStream: boolean
  readonly hasCover: boolean
  readonly url: string | null
}

/** The requester of a track; `null` for programs and autoplay. */
interface Requested {
  readonly requesterId: string | null
  readonly requester: string | null
}

/** A track that waits, with a number that stays the same wherever it moves. */
interface QueuedView extends TrackView, Requested {
  readonly id: number
}

export interface QueuePage {
  /** Another one whenever the queue has changed. */
  readonly version: number
  readonly total: number
  /** The place of the first row, from 0; in a search, among its hits. */
  readonly from: number
  /** All that a search found: place, from 0, and number. */
  readonly hits?: readonly (readonly [place: number, id: number])[]
  readonly rows: readonly QueuedView[]
}

/** A member in the channel of the bot. */
interface ListenerView {
  readonly id: string
  readonly name: string
  /** Changes with their picture; null without one. */
  readonly avatar: string | null
}

type Shown =
  | 'channelId'
  | 'paused'
  | 'positionMs'
  | 'volume'
  | 'muted'
  | 'loop'
  | 'autoplay'
  | 'silenced'
  | 'streamTitle'

/** What plays in a guild, the same for everyone who looks at it. */
export interface PlayerView extends Pick<PlayerInfo, Shown> {
  readonly channelName: string
  readonly current: (TrackView & Requested) | null
  /** The first of the queue. */
  readonly queue: QueuePage
  /** The length of all that waits. */
  readonly queueMs: number
  readonly listeners: readonly ListenerView[]
  readonly suggestion: TrackView | null
  readonly votes: readonly VoteView[]
}

interface VoteView {
  readonly id: string
  /** In each language, since all who look get the same. */
  readonly questions: Localised<string>
  readonly voterIds: readonly string[]
  readonly votesNeeded: number
}

const LONGEST_NAME = 300

/** What plays for a member; null if the guild has no player. */
export async function viewPlayer(invocation: Invocation, context: CommandContext, guild: Guild) {
  const info = await findPlayer(invocation, context)
  if (!info) return null
  const { current, channelId } = info
  const items = await context.music.queueItems(invocation.scope, invocation.guildId)
  return {
    channelId,
    channelName: guild.channels.cache.get(channelId)?.name ?? '',
    paused: info.paused,
    positionMs: info.positionMs,
    volume: Math.round(info.volume),
    muted: info.muted,
    loop: info.loop,
    autoplay: info.autoplay,
    silenced: info.silenced,
    streamTitle: info.streamTitle,
    current: current && { ...viewTrack(current), ...requestedIn(guild, items.current?.requesterId) },
    queue: viewQueue(items, guild, 0),
    queueMs: items.tracks.reduce((sum, { info: { isStream, lengthMs } }) => sum + (isStream ? 0 : lengthMs), 0),
    listeners: listenersIn(invocation, guild, channelId).map(viewListener),
    suggestion: info.suggestion && viewTrack(info.suggestion),
    votes: context.controls.openVotes(invocation).map((vote) => viewVote(vote, guild)),
  }
}

/** Rows of the queue from a place on, from 0, or of what has some words. */
export function viewQueue(items: QueueItems, guild: Guild, from: number, find?: string): QueuePage {
  const nameOf = (userId: string) => requestedIn(guild, userId).requester
  const { page, places } = rangeOf(items, { from, find, nameOf })
  const rows = places.flatMap((at) => {
    const [id, track] = [items.ids[at] ?? 0, items.tracks[at]]
    if (!track) return []
    const { info, encoded, requesterId } = track
    return Object.assign({ id }, viewTrack({ ...info, encoded }), requestedIn(guild, requesterId))
  })
  return { ...page, rows }
}

function requestedIn({ members }: Guild, userId: string | null | undefined): Requested {
  return {
    requesterId: userId ?? null,
    requester: userId ? (members.cache.get(userId)?.displayName ?? null) : null,
  }
}

/** The members who hear a voice channel, as far as Discord has said who they are. */
export function listenersIn({ place }: Invocation, { members }: Guild, channelId: string): readonly GuildMember[] {
  return place.listeners(channelId).flatMap((id) => members.cache.get(id) ?? [])
}

function viewListener({ id, displayName, avatar, user }: GuildMember): ListenerView {
  return { id, name: displayName, avatar: avatar ?? user.avatar }
}

function viewVote({ id, motion, voterIds, votesNeeded }: Vote, guild: Guild): VoteView {
  const questions = eachLanguage((language) => toPlainText(questionOf(motion.subject, language), guild))
  return { id, questions, voterIds: [...voterIds], votesNeeded }
}

export function viewTrack({ encoded, title, author, lengthMs, isStream, artworkUrl, uri }: EncodedTrack): TrackView {
  return {
    mark: markOf(encoded),
    title: title.slice(0, LONGEST_NAME),
    author: author.slice(0, LONGEST_NAME),
    lengthMs,
    isStream,
    hasCover: artworkUrl !== null,
    url: uri !== null && uri.length <= 2048 && /^https?:\/\//iu.test(uri) ? uri : null,
  }
}
