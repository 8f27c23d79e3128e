import { z } from 'zod'
import { listenTo } from '../live-audio.ts'
import { addLayer, changeLayer, listLayers, removeLayer } from './audio-settings/mix-layers.ts'
import { endMute, mute } from './audio-settings/volume-control.ts'
import { LayerVolume, PlayerPatch, QueuePosition, TrackRef } from './inputs.ts'
import { patch, previous, skip } from './playback.ts'
import { infoOf, queueOf, requestersOf, traceOf } from './player-info.ts'
import type { QueuedTrack } from './player-parts.ts'
import type { PlayerState } from './player-state.ts'
import { nextTrackOf, setNextTrack } from './queue/next-track.ts'
import { editQueue, moveInQueue, removeFromQueue, skipTo } from './queue/queue-editing.ts'
import { clear, shuffle, withoutDuplicates } from './queue/queue.ts'

/** An input whose track has been found: a source says before the turn comes whether it can be played. */
type Resolved<Input> = { readonly [Key in keyof Input]: Key extends 'track' ? QueuedTrack : Input[Key] }

interface Spec<Input extends z.ZodObject, Output> {
  readonly input: Input
  /**
   * Which members may do it by a command or a button: everyone, those who listen, those in charge of what plays. API keys
   * and managers of the dashboard may do all of it.
   */
  readonly rule: 'anyone' | 'listener' | 'dj'
  // Methods, so that operations of all inputs fit one table.
  /** Whether it leaves the track that is being opened, which need not be waited for then. */
  isInterrupting?(state: PlayerState, input: Resolved<z.output<Input>>): boolean
  run(state: PlayerState, input: Resolved<z.output<Input>>, close: () => Promise<void>): Output | Promise<Output>
}

/** One thing that can be asked of a player. */
export interface Operation<Input extends z.ZodObject = z.ZodObject, Output = unknown> extends Spec<Input, Output> {
  /** Changes take turns and are refused where they could not be saved; the others answer at once. */
  readonly isChange: boolean
}

const nothing = z.strictObject({})

function read<Output>(run: Operation<typeof nothing, Output>['run']): Operation<typeof nothing, Output> {
  return { input: nothing, rule: 'anyone', isChange: false, run }
}

function change<Input extends z.ZodObject, Output>(spec: Spec<Input, Output>): Operation<Input, Output> {
  return { ...spec, isChange: true }
}

/** All that can be asked of a player. The service, routes, commands and pages follow from it. */
export const OPERATIONS = {
  info: read(infoOf),
  queue: read(queueOf),
  /** Who asked for what plays and waits. */
  requesters: read(requestersOf),
  /** The last ten minutes of the sound. */
  trace: read(traceOf),
  /** What the player sends to its channel, as Ogg Opus without an end. Callers check first who may listen. */
  listen: read(({ parts }) => listenTo(parts)),
  skip: change({ input: nothing, rule: 'listener', isInterrupting: () => true, run: skip }),
  /** Plays a track that waits, and passes over those before it. */
  skipTo: change({
    input: z.strictObject({ position: QueuePosition.meta({ description: 'Where it is; 1 is the next one up.' }) }),
    rule: 'dj',
    isInterrupting: ({ rotation }, { position }) => position <= rotation.queue.length,
    run: (state, { position }) => skipTo(state, position),
  }),
  /** Plays the track before the current one, which is next up then. */
  previous: change({
    input: nothing,
    rule: 'dj',
    isInterrupting: ({ rotation }) => rotation.past.length > 0,
    run: previous,
  }),
  patch: change({ input: PlayerPatch, rule: 'dj', run: patch }),
  mute: change({
    input: z.strictObject({ muted: z.boolean().default(true) }),
    rule: 'dj',
    run: (state, { muted }) => mute(state, muted),
  }),
  /** Ends the mute and brings volume back to what it was when the mute began. */
  unmute: change({ input: nothing, rule: 'dj', run: endMute }),
  shuffle: change({
    input: nothing,
    rule: 'dj',
    run: (state) => editQueue(state, (queue) => shuffle(queue, Math.random)),
  }),
  clear: change({ input: nothing, rule: 'dj', run: (state) => editQueue(state, clear) }),
  /** Of tracks with the same token, the one that plays or comes first stays. */
  removeDuplicates: change({
    input: nothing,
    rule: 'dj',
    run: (state) =>
      editQueue(state, (before) => ({ ...before, queue: withoutDuplicates(before.queue, [before.current]) })),
  }),
  /** Members may remove what they asked for themselves. */
  remove: change({
    input: z.strictObject({ position: QueuePosition }),
    rule: 'listener',
    run: (state, { position }) => editQueue(state, (queue) => removeFromQueue(queue, position)),
  }),
  move: change({
    input: z.strictObject({
      from: QueuePosition.meta({ description: 'Where it is; 1 is the next one up.' }),
      to: QueuePosition.meta({ description: 'Where it shall be.' }),
    }),
    rule: 'dj',
    run: (state, { from, to }) => editQueue(state, (queue) => moveInQueue(queue, from, to)),
  }),
  /** What plays after the current track, ahead of the queue. */
  nextTrack: read(nextTrackOf),
  setNextTrack: change({
    input: z.strictObject({ track: TrackRef }),
    rule: 'dj',
    run: (state, { track }) => setNextTrack(state, track),
  }),
  clearNextTrack: change({ input: nothing, rule: 'dj', run: (state) => setNextTrack(state, null) }),
  layers: read(listLayers),
  addLayer: change({
    input: z.strictObject({ track: TrackRef, volume: LayerVolume.default(0.8) }),
    rule: 'dj',
    run: (state, { track, volume }) => addLayer(state, track, volume),
  }),
  changeLayer: change({
    input: z.strictObject({ id: z.string(), volume: LayerVolume }),
    rule: 'dj',
    run: (state, { id, volume }) => changeLayer(state, id, volume),
  }),
  removeLayer: change({
    input: z.strictObject({ id: z.string() }),
    rule: 'dj',
    run: (state, { id }) => removeLayer(state, id),
  }),
  /** Ends the music and leaves the channel, whatever else waits for its turn. */
  close: {
    ...read(async (_, __, close) => {
      await close()
      return { closed: true as const }
    }),
    rule: 'dj',
  },
} as const satisfies Readonly<Record<string, Operation>>

export type OperationName = keyof typeof OPERATIONS
export type Input<Name extends OperationName> = z.output<(typeof OPERATIONS)[Name]['input']>
export type ResolvedInput<Name extends OperationName> = Resolved<Input<Name>>
export type Output<Name extends OperationName> = Awaited<ReturnType<(typeof OPERATIONS)[Name]['run']>>
