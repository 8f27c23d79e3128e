import type { Guild } from 'discord.js'
import type { Vote } from '../../permissions/votes.ts'
import type { PlayerInfo } from '../../player/player-info.ts'
import type { EncodedTrack } from '../../tracks/track.ts'
import type { CommandContext } from '../core/command-context.ts'
import type { Invocation } from '../core/invocation.ts'
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
  /** The first `MAX_SHOWN` of the queue. */
  readonly queue: readonly (TrackView & Requested)[]
  /** How many more wait. */
  readonly more: number
  readonly suggestion: TrackView | null
  readonly votes: readonly VoteView[]
}

/** The operation that listeners vote on. */
interface VoteView {
  readonly id: string
  /** In each language, since all who look get the same. */
  readonly questions: Localised<string>
  readonly voterIds: readonly string[]
  readonly votesNeeded: number
}

/** A queue can hold thousands. */
const MAX_SHOWN = 100
const LONGEST_NAME = 300

/** What plays for a member; null if the guild has no player. */
export async function viewPlayer(
  invocation: Invocation,
  context: CommandContext,
  guild: Guild,
): Promise<PlayerView | null> {
  const info = await findPlayer(invocation, context)
  if (!info) return null
  const { current, queue, channelId } = info
  const asked = await context.music.requesters(invocation.scope, invocation.guildId)
  const requested = (userId: string | null | undefined): Requested => ({
    requesterId: userId ?? null,
    requester: userId ? (guild.members.cache.get(userId)?.displayName ?? null) : null,
  })
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
    current: current && { ...viewTrack(current), ...requested(asked.current) },
    queue: queue.slice(0, MAX_SHOWN).map((track, at) => Object.assign(viewTrack(track), requested(asked.queue[at]))),
    more: Math.max(0, queue.length - MAX_SHOWN),
    suggestion: info.suggestion && viewTrack(info.suggestion),
    votes: context.controls.openVotes(invocation).map((vote) => viewVote(vote, guild)),
  }
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
