import type { EffectParams, ImageResult, RefusalReason, WantedFormat } from 'bandstand-images'

/** A message to a worker. Parameters have been parsed. */
export interface Work {
  /** `shrink` has no effect: a still picture, at most `size` large. */
  readonly kind: 'filter' | 'overlay' | 'shrink'
  readonly effect: string
  readonly params: EffectParams
  /** Transferred: the sender must not use them any more. */
  readonly pictures: readonly Buffer[]
  /** Null: PNG for a still picture; an animation stays what it was. */
  readonly format: WantedFormat | null
  /** The longest edge to work at. */
  readonly size: number
}

/** Messages of a worker: first that it is ready, then one answer for each piece of work. */
export type WorkerMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'done'; readonly result: ResultHead }
  | {
      readonly type: 'refused'
      readonly input: number | null
      readonly reason: RefusalReason
      readonly message: string
    }
  | { readonly type: 'failed'; readonly error: string }

/**
 * The part of a task that is sent over the channel for messages. The files themselves go over a pipe beside it, one
 * after the other: a message copies its content several times, which would cost the main thread more than all the rest.
 */
export interface WorkHead extends Omit<Work, 'pictures'> {
  readonly pictureBytes: readonly number[]
}

interface ResultHead extends Omit<ImageResult, 'data'> {
  readonly dataBytes: number
}

/** File descriptor of the pipe in the worker. */
export const FILES_FD = 3

/** The exit code of a worker that had taken too much memory. */
export const OUT_OF_MEMORY = 86
