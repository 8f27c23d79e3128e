import { z } from 'zod'
import { declareEffect } from '../../lib/idempotency/effect.ts'
import { listenTo } from '../live-audio.ts'
import { need, type Need, type Requests, type Permission } from '../permissions/permission-table.ts'
import { between } from './audio-settings/filter-schema.ts'
import { addLayer, changeLayer, listLayers, removeLayer } from './audio-settings/mix-layers.ts'
import { endMute, mute } from './audio-settings/volume-control.ts'
import { setSleep } from './audio-settings/sleep.ts'
import {
  LayerVolume,
  LONGEST_STEP_S,
  PlayerPatch,
  QueuePosition,
  QueuePositions,
  SleepMinutes,
  TrackRef,
} from './inputs.ts'
import { patch, seekBy } from './audio-settings/player-patch.ts'
import { previous, skip } from './playback.ts'
import { chapterNumbered } from './position/follow-chapters.ts'
import { MOST_CHAPTERS } from '../tracks/chapters.ts'
import { infoOf, queueOf, requestersOf, traceOf } from './player-info.ts'
import type { QueuedTrack } from './player-parts.ts'
import { assertOpen, type PlayerState } from './player-state.ts'
import { nextTrackOf, prepareNext, setNextTrack } from './queue/next-track.ts'
import { editQueue, moveInQueue, removeFromQueue, skipTo, undoQueueEdit } from './queue/queue-editing.ts'
import { queueItemsOf } from './queue/queue-items.ts'
import { clear, shuffle, withoutDuplicates } from './queue/queue.ts'

/** An input whose track has been found: a source says before the turn comes whether it can be played. */
type Resolved<Input> = { readonly [Key in keyof Input]: Key extends 'track' ? QueuedTrack : Input[Key] }

interface Spec<Input extends z.ZodObject, Output> {
  readonly input: Input
  // Methods, so that operations of all inputs fit one table.
  /**
   * The permissions members need for it, by a command, a button or the web player; none for an operation that changes
   * nothing. API keys and managers of the dashboard may do all of it.
   */
  needs(requests: Requests, input: z.output<Input>): readonly Need[]
  /**
   * The one track that it is about: the current one or that at a position of the queue. null or absent: all of them, or the
   * player as a whole. What members agreed on is done to that track or not at all.
   */
  concerns?(input: z.output<Input>): 'current' | number | null
  /** Whether it leaves the track that is being opened, which need not be waited for then. */
  isInterrupting?(state: PlayerState, input: Resolved<z.output<Input>>): boolean
  run(state: PlayerState, input: Resolved<z.output<Input>>, close: () => Promise<void>): Output | Promise<Output>
}

/** One thing that can be asked of a player. */
export interface Operation<Input extends z.ZodObject = z.ZodObject, Output = unknown> extends Spec<Input, Output> {
  /** Changes run one at a time and fail if they cannot be saved; other operations run at once. */
  readonly isChange: boolean
}

const nothing = z.strictObject({})

function read<Output>(run: Operation<typeof nothing, Output>['run']): Operation<typeof nothing, Output> {
  return { input: nothing, needs: () => [], isChange: false, run }
}

function change<Input extends z.ZodObject, Output>(spec: Spec<Input, Output>): Operation<Input, Output> {
  return { ...spec, isChange: true }
}

/** A change that takes no input. */
function act<Output>(
  permission: Permission,
  run: Operation<typeof nothing, Output>['run'],
  more: Partial<Spec<typeof nothing, Output>> = {},
): Operation<typeof nothing, Output> {
  return change({ input: nothing, needs: (requests) => need(permission, requests), run, ...more })
}

function atPositions({ queue }: Requests, positions: readonly number[]): Requests['queue'] {
  return positions.flatMap((position) => queue.slice(position - 1, position))
}

const PATCH_PERMISSIONS: Readonly<Record<keyof PlayerPatch, Permission>> = {
  paused: 'pause',
  volume: 'volume',
  loop: 'loop',
  filters: 'filters',
  crossfadeMs: 'filters',
  fadeMs: 'filters',
  autoplay: 'autoplay',
  sponsorBlock: 'filters',
  positionMs: 'seek',
}

function patchNeeds(requests: Requests, input: PlayerPatch): readonly Need[] {
  const keys = Object.keys(input) as (keyof PlayerPatch)[]
  const isResume = input.paused === false
  return keys.flatMap((key) => need(key === 'paused' && isResume ? 'resume' : PATCH_PERMISSIONS[key], requests))
}

/** All that can be asked of a player. The service, routes, commands and pages follow from it. */
export const OPERATIONS = {
  info: read(infoOf),
  queue: read(queueOf),
  /** The queue in its internal form, for pages that show a queue of any length. */
  queueItems: read(queueItemsOf),
  /** The requesters of the current track and the queue. */
  requesters: read(requestersOf),
  /** The last ten minutes of the sound. */
  trace: read(traceOf),
  /** The sound that the player sends to its channel, as endless Ogg Opus. Callers check first who may listen. */
  listen: read(({ parts }) => listenTo(parts)),
  skip: act('skip', skip, { concerns: () => 'current', isInterrupting: () => true }),
  /** Plays a track that waits, and passes over those before it. */
  skipTo: change({
    input: z.strictObject({
      position: QueuePosition.meta({ description: 'Position in the queue. 1 is the next track.' }),
    }),
    needs: (requests, { position }) => [
      ...need('skip', requests),
      ...need('skip', requests, requests.queue.slice(0, position - 1)),
    ],
    concerns: ({ position }) => position,
    isInterrupting: ({ rotation }, { position }) => position <= rotation.queue.length,
    run: (state, { position }) => skipTo(state, position),
  }),
  /** Plays the previous track the current one, which is next up then. */
  previous: act('skip', previous, {
    concerns: () => 'current',
    isInterrupting: ({ rotation }) => rotation.past.length > 0,
  }),
  patch: change({
    input: PlayerPatch,
    needs: patchNeeds,
    concerns: ({ positionMs, paused }) => (positionMs === undefined && paused === undefined ? null : 'current'),
    run: patch,
  }),
  /** Seeks from the current position, back where `seconds` is negative. */
  seekBy: change({
    input: z.strictObject({ seconds: z.int().min(-LONGEST_STEP_S).max(LONGEST_STEP_S) }),
    needs: (requests) => need('seek', requests),
    concerns: () => 'current',
    run: (state, { seconds }) => seekBy(state, seconds * 1000),
  }),
  /** Plays on from the beginning of a chapter. */
  seekToChapter: change({
    input: z.strictObject({
      chapter: between(z.int(), 1, MOST_CHAPTERS).meta({ description: 'Number of the chapter, starting at 1.' }),
    }),
    needs: (requests) => need('seek', requests),
    concerns: () => 'current',
    run: (state, { chapter }) => patch(state, { positionMs: chapterNumbered(state, chapter).startMs }),
  }),
  mute: change({
    input: z.strictObject({ muted: z.boolean().default(true) }),
    needs: (requests, { muted }) => need(muted ? 'volume' : 'resume', requests),
    run: (state, { muted }) => mute(state, muted),
  }),
  /** Ends the mute and brings volume back to what it was when the mute began. */
  unmute: act('resume', endMute),
  /** Sets the sleep timer, which fades the music out. */
  sleep: change({
    input: z.strictObject({ minutes: SleepMinutes }),
    needs: (requests) => need('stop', requests),
    run(state, { minutes }) {
      assertOpen(state)
      const slept = setSleep(state, minutes)
      prepareNext(state)
      return slept
    },
  }),
  shuffle: act('shuffle', (state) => editQueue(state, (queue) => shuffle(queue, Math.random))),
  clear: act('clear', (state) => editQueue(state, clear)),
  /** Removes duplicates; of tracks with the same token, the current or first one stays. */
  removeDuplicates: act('remove', (state) =>
    editQueue(state, (before) => ({ ...before, queue: withoutDuplicates(before.queue, [before.current]) })),
  ),
  /** Members can remove tracks that they requested. */
  remove: change({
    input: z.strictObject({ position: QueuePosition }),
    needs: (requests, { position }) => need('remove', requests, requests.queue.slice(position - 1, position)),
    concerns: ({ position }) => position,
    run: (state, { position }) => editQueue(state, (queue) => removeFromQueue(queue, [position])),
  }),
  move: change({
    input: z.strictObject({
      from: QueuePosition.meta({ description: 'Position in the queue. 1 is the next track.' }),
      to: QueuePosition.meta({ description: 'New position in the queue.' }),
    }),
    /** Requests of all tracks whose positions change. */
    needs: (requests, { from, to }) =>
      need('move', requests, requests.queue.slice(Math.min(from, to) - 1, Math.max(from, to))),
    concerns: ({ from }) => from,
    run: (state, { from, to }) => editQueue(state, (queue) => moveInQueue(queue, [from], to)),
  }),
  removeSeveral: change({
    input: z.strictObject({ positions: QueuePositions }),
    needs: (requests, { positions }) => need('remove', requests, atPositions(requests, positions)),
    run: (state, { positions }) => editQueue(state, (queue) => removeFromQueue(queue, positions)),
  }),
  /** Moves tracks, which keep their order; the first of them comes to `to`. */
  moveSeveral: change({
    input: z.strictObject({ positions: QueuePositions, to: QueuePosition }),
    needs: (requests) => need('move', requests),
    run: (state, { positions, to }) => editQueue(state, (queue) => moveInQueue(queue, positions, to)),
  }),
  /** Takes the last shuffle, clear, removal or move back, for as long as nothing else has changed the queue. */
  undo: act('move', undoQueueEdit),
  /** The track after the current one, ahead of the queue. */
  nextTrack: read(nextTrackOf),
  setNextTrack: change({
    input: z.strictObject({ track: TrackRef }),
    needs: (requests) => need('playNext', requests),
    run: (state, { track }) => setNextTrack(state, track),
  }),
  /** Programs set it, so that it is the track of no member. */
  clearNextTrack: act('playNext', (state) => setNextTrack(state, null), {
    needs: (requests) => need('playNext', requests, [null]),
  }),
  layers: read(listLayers),
  addLayer: change({
    input: z.strictObject({ track: TrackRef, volume: LayerVolume.default(0.8) }),
    needs: (requests) => need('filters', requests),
    run: (state, { track, volume }) => addLayer(state, track, volume),
  }),
  changeLayer: change({
    input: z.strictObject({ id: z.string(), volume: LayerVolume }),
    needs: (requests) => need('filters', requests),
    run: (state, { id, volume }) => changeLayer(state, id, volume),
  }),
  removeLayer: change({
    input: z.strictObject({ id: z.string() }),
    needs: (requests) => need('filters', requests),
    run: (state, { id }) => removeLayer(state, id),
  }),
  /** Stops the music and leaves the channel, ahead of all queued operations. */
  close: {
    ...read(async (_, __, close) => {
      const closed = { closed: true as const }
      declareEffect(() => closed)
      await close()
      return closed
    }),
    needs: (requests) => need('stop', requests),
  },
} as const satisfies Readonly<Record<string, Operation>>

export type OperationName = keyof typeof OPERATIONS
export type Input<Name extends OperationName> = z.output<(typeof OPERATIONS)[Name]['input']>
export type ResolvedInput<Name extends OperationName> = Resolved<Input<Name>>
export type Output<Name extends OperationName> = Awaited<ReturnType<(typeof OPERATIONS)[Name]['run']>>
