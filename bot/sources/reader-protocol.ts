import type { FileState } from '../../db/library.ts'
import type { FaultCode, Problem } from '../../errors.ts'
import type { AudioFacts } from './facts.ts'
import type { Probed } from './probe.ts'

/** What the reader thread is asked to do, and what it answers. */
export interface ReaderTasks {
  /** Null when the file holds no sound. */
  readonly readFile: { readonly input: { readonly path: string }; readonly output: AudioFacts | null }
  readonly probe: { readonly input: { readonly url: string; readonly field: string }; readonly output: Probed }
  /** The next files of a walk through a folder; null at its end. The folders passed are watched from then on. */
  readonly walk: {
    readonly input: { readonly walkId: number; readonly folder: string }
    readonly output: readonly FileState[] | null
  }
}

export type TaskName = keyof ReaderTasks

export type ToReader =
  | {
      readonly [T in TaskName]: { readonly id: number; readonly task: T; readonly input: ReaderTasks[T]['input'] }
    }[TaskName]
  | { readonly id: number; readonly task: 'cancel' }

export type FromReader =
  | { readonly id: number; readonly output: ReaderTasks[TaskName]['output'] }
  | {
      readonly id: number
      readonly fault: {
        readonly code: FaultCode
        readonly message: string
        readonly details: readonly Problem[] | undefined
      }
    }
  | { readonly id: number; readonly error: string }
  /** Something changed in a folder that was walked through. */
  | { readonly id: null; readonly changed: true }

export interface ReaderData {
  readonly allowHosts: readonly string[]
}
