import type { FaultCode, FaultReason } from '../errors.ts'

/** To a task thread. */
export type ToTaskThread<I> =
  | { readonly id: number; readonly input: I }
  | { readonly id: number; readonly cancel: true }

/** Sent by a task thread: the end of a task. */
export type FromTaskThread<O> =
  | { readonly id: number; readonly output: O }
  | {
      readonly id: number
      readonly fault: {
        readonly code: FaultCode
        readonly message: string
        readonly reason: FaultReason | undefined
      }
    }
  | { readonly id: number; readonly error: string }

export interface TaskThreadData<D> {
  /** Shared memory: see `PULSE`. */
  readonly pulse: Int32Array
  readonly data: D
}

/** Places in the shared memory. */
export const PULSE = {
  /** Rises while the event loop of the thread turns. */
  beats: 0,
  /** The id of the task whose code runs or ran last; 0 for none. */
  current: 1,
  /** The number of loads under way: see `whileLoading`. */
  loading: 2,
} as const

export const BEAT_MS = 250
