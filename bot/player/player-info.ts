import type { PlayerPosition } from '../../db/music/players.ts'
import { toTrack, type EncodedTrack, type Track, type TrackInfo } from '../tracks/track.ts'
import type { Segment } from '../tracks/segments.ts'
import type { SegmentCategory } from '../../lib/music/segment-categories.ts'
import { rememberWeakly } from '../../lib/remember-weakly.ts'
import type { Chapter } from '../tracks/chapters.ts'
import type { Recommendation } from '../autoplay/song.ts'
import type { Trace } from '../audio/node/flight-recorder.ts'
import type { Filters } from './audio-settings/filters.ts'
import { sleepInfoOf, type SleepInfo } from './audio-settings/sleep.ts'
import type { Loop } from './inputs.ts'
import { channelOf, isPaused } from './phase.ts'
import type { QueuedTrack, Silence } from './player-parts.ts'
import { noPlayer, type PlayerState } from './player-state.ts'
import { queueVersionOf } from './queue/queue-version.ts'

export interface PlayerInfo {
  readonly node: { readonly id: string }
  readonly botId: string
  readonly channelId: string
  readonly paused: boolean
  readonly positionMs: number
  readonly volume: number
  readonly muted: boolean
  readonly loop: Loop
  readonly current: EncodedTrack | null
  readonly queue: readonly EncodedTrack[]
  /** Number of tracks in the queue; responses to commands hold only the first ones. */
  readonly queueLength: number
  /** Another one after each change of what plays, what waits or the loop. */
  readonly queueVersion: string
  /** Title from the metadata of an internet radio. Null if there is none. */
  readonly streamTitle: string | null
  /** The 30 digits by which members verify the call's end-to-end encryption; null without encryption. */
  readonly privacyCode: string | null
  /** Why it cannot be heard; null if it can. */
  readonly silenced: Silence | null
  /** Filters of the sound; a preset is spelled out beside its name. */
  readonly filters: Filters
  /** When the sleep timer stops the music: at a time, or (null in it) with the current track. Null without a timer. */
  readonly sleep: SleepInfo | null
  /** Overlap of consecutive tracks in milliseconds. 0 turns crossfade off. */
  readonly crossfadeMs: number
  /** Fade of skip, pause, seek and stop in milliseconds. 0 turns it off. */
  readonly fadeMs: number
  /** Whether similar tracks play after the end of the queue. */
  readonly autoplay: boolean
  /** The next track of autoplay. Null until autoplay has chosen one. */
  readonly suggestion: EncodedTrack | null
  /** Chapters of the current track, in order; empty if it has none, and while they load. */
  readonly chapters: readonly Chapter[]
  /** Segment categories of videos that the guild skips. */
  readonly sponsorBlock: readonly SegmentCategory[]
  /** Skipped segments of the current track, in order. */
  readonly segments: readonly Segment[]
  /** Why autoplay chose the current track. Null for requested tracks. */
  readonly recommendation: Recommendation | null
}

export type GuildPlayer = { readonly guildId: string } & PlayerInfo

export interface QueueInfo {
  readonly current: Track | null
  readonly queue: readonly Track[]
  readonly queueLength: number
  readonly loop: Loop
  /** Remaining milliseconds of the current track and the queue. Streams count as 0. */
  readonly lengthMs: number
  /** Same value as in `PlayerInfo`. */
  readonly queueVersion: string
}

/** The requesters of the current track and the queue; null for programs. */
export interface Requesters {
  readonly current: string | null
  readonly queue: readonly (string | null)[]
}

export interface PlayerTrace extends Trace {
  readonly node: { readonly id: string }
}

export function infoOf(state: PlayerState): PlayerInfo {
  const { current, queue, loop } = state.rotation
  return {
    node: { id: state.parts.node.id },
    botId: state.parts.ref.botId,
    channelId: channelOf(state.phase) ?? '',
    paused: isPaused(state.phase),
    positionMs: state.positionMs,
    volume: state.volume.level,
    muted: state.volume.muted,
    loop,
    current: current && toEncoded(current),
    queue: encodedQueueOf(queue),
    queueLength: queue.length,
    queueVersion: queueVersionOf(state),
    streamTitle: state.streamTitle,
    privacyCode: state.privacyCode,
    silenced: state.silenced,
    filters: state.filters,
    sleep: sleepInfoOf(state),
    crossfadeMs: state.parts.fades.crossfadeMs,
    fadeMs: state.parts.fades.fadeMs,
    autoplay: state.parts.autoplay.isOn,
    suggestion: state.suggestion && toEncoded(state.suggestion),
    chapters: state.marks.chapters,
    sponsorBlock: state.parts.segments.categories,
    segments: state.marks.segments,
    recommendation: current?.recommendation ?? null,
  }
}

export function queueOf(state: PlayerState): QueueInfo {
  const { current, queue, loop } = state.rotation
  const waitingMs = queue.reduce((sum, { info }) => sum + lengthOf(info), 0)
  const leftMs = current ? Math.max(lengthOf(current.info) - state.positionMs, 0) : 0
  return {
    current: current && toTrack(current.info),
    queue: queue.map(({ info }) => toTrack(info)),
    queueLength: queue.length,
    loop,
    lengthMs: waitingMs + leftMs,
    queueVersion: queueVersionOf(state),
  }
}

export function requestersOf({ rotation: { current, queue } }: PlayerState): Requesters {
  return { current: current?.requesterId ?? null, queue: queue.map(({ requesterId }) => requesterId) }
}

export async function traceOf({ parts: { node, ref } }: PlayerState): Promise<PlayerTrace> {
  const trace = await node.trace(ref)
  if (!trace) throw noPlayer(ref.guildId)
  return { node: { id: node.id }, ...trace }
}

/** A track with its token: the same object each time. */
export const toEncoded = rememberWeakly(({ info, encoded }: QueuedTrack): EncodedTrack => ({
  ...toTrack(info),
  encoded,
}))

/** The tracks of a queue with their tokens: the same list until the queue changes. */
const encodedQueueOf = rememberWeakly((queue: readonly QueuedTrack[]): readonly EncodedTrack[] => queue.map(toEncoded))

function lengthOf({ isStream, lengthMs }: TrackInfo): number {
  return isStream ? 0 : lengthMs
}

/** The position that the regular save stores; null unless the player is playing. */
export function movingPosition(state: PlayerState): PlayerPosition | null {
  if (state.phase.at !== 'playing') return null
  return { projectId: state.parts.projectId, ...state.parts.ref, positionMs: state.positionMs }
}
