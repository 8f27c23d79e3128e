import type { Guild, GuildMember } from 'discord.js'
import type { Vote } from '../../permissions/votes.ts'
import type { QueueItems } from '../../player/queue/queue-items.ts'
import { rangeOf } from '../../player/queue/queue-search.ts'
import type { EncodedTrack } from '../../tracks/track.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import { eachLanguage } from '../../../lib/texts/languages.ts'
import { markOf } from '../core/autocomplete.ts'
import { findPlayer } from '../permissions/rules.ts'
import { questionOf } from '../permissions/vote-question.ts'
import { toPlainText } from './plain-text.ts'

/** A track as a page of members shows it. */
export type TrackView = ReturnType<typeof viewTrack>
export type QueuePage = ReturnType<typeof viewQueue>

/** What plays in a guild, the same for everyone who looks at it. */
export type PlayerView = NonNullable<Awaited<ReturnType<typeof viewPlayer>>>

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
    /** The first of the queue. */
    queue: viewQueue(items, guild, 0),
    /** The length of all that waits. */
    queueMs: items.tracks.reduce((sum, { info: { isStream, lengthMs } }) => sum + (isStream ? 0 : lengthMs), 0),
    listeners: listenersIn(invocation, guild, channelId).map(viewListener),
    suggestion: info.suggestion && viewTrack(info.suggestion),
    votes: context.controls.openVotes(invocation).map((vote) => viewVote(vote, guild)),
  }
}

/** Rows of the queue from a place on, from 0, or of what has some words. */
export function viewQueue(items: QueueItems, guild: Guild, from: number, find?: string) {
  const nameOf = (userId: string) => requestedIn(guild, userId).requester
  const { page, places } = rangeOf(items, { from, find, nameOf })
  const rows = places.flatMap((at) => {
    const [id, track] = [items.ids[at] ?? 0, items.tracks[at]]
    if (!track) return []
    const { info, encoded, requesterId } = track
    // The number stays the same wherever the track moves.
    return Object.assign({ id }, viewTrack({ ...info, encoded }), requestedIn(guild, requesterId))
  })
  return { ...page, rows }
}

/** The requester of a track; null for programs and autoplay. */
function requestedIn({ members }: Guild, userId: string | null | undefined) {
  return {
    requesterId: userId ?? null,
    requester: userId ? (members.cache.get(userId)?.displayName ?? null) : null,
  }
}

/** The members who hear a voice channel, as far as Discord has said who they are. */
export function listenersIn({ place }: Invocation, { members }: Guild, channelId: string): readonly GuildMember[] {
  return place.listeners(channelId).flatMap((id) => members.cache.get(id) ?? [])
}

/** `avatar` changes with their picture; null without one. */
function viewListener({ id, displayName, avatar, user }: GuildMember) {
  return { id, name: displayName, avatar: avatar ?? user.avatar }
}

/** Questions in each language, since all who look get the same. */
function viewVote({ id, motion, voterIds, votesNeeded }: Vote, guild: Guild) {
  const questions = eachLanguage((language) => toPlainText(questionOf(motion.subject, language), guild))
  return { id, questions, voterIds: [...voterIds], votesNeeded }
}

export function viewTrack({ encoded, title, author, lengthMs, isStream, artworkUrl, uri }: EncodedTrack) {
  return {
    /** Identifies the track and its cover. */
    mark: markOf(encoded),
    title: title.slice(0, LONGEST_NAME),
    author: author.slice(0, LONGEST_NAME),
    lengthMs,
    isStream,
    hasCover: artworkUrl !== null,
    url: uri !== null && uri.length <= 2048 && /^https?:\/\//iu.test(uri) ? uri : null,
  }
}
