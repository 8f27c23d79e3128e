import type { EgressOptions } from '../../../upstream/egress/egress-guard.ts'
import type { FoundChapter } from '../../tracks/chapters.ts'
import type { AudioFacts } from './audio-tags.ts'
import type { WalkStep } from './folder.ts'
import type { HlsRequest, HlsWindow } from '../hls/hls-windows.ts'
import type { Feed } from '../podcast/feed.ts'
import type { Probed } from '../http/probed.ts'

/** Tasks of the reader thread, with input and output. */
export interface ReaderTasks {
  /** Null when the file holds no sound. */
  readonly readFile: {
    readonly input: { readonly path: string; readonly modifiedAtMs: number }
    readonly output: AudioFacts | null
  }
  /** The picture in an audio file, or the file itself where it is one; null if there is none of a usable size. */
  readonly readPicture: {
    readonly input: { readonly path: string; readonly isPicture: boolean }
    readonly output: Uint8Array | null
  }
  readonly feed: {
    readonly input: { readonly url: string; readonly outgoing: Int32Array | null }
    readonly output: Feed
  }
  readonly probe: {
    readonly input: {
      readonly url: string
      /** Counts the requests that may still be sent, in shared memory; null without a bound. */
      readonly outgoing: Int32Array | null
    }
    readonly output: Probed
  }
  /** Chapters of a local file, or of one on the web, with the requests that may still be sent. */
  readonly chapters: {
    readonly input: { readonly path: string } | { readonly url: string; readonly outgoing: Int32Array | null }
    readonly output: readonly FoundChapter[]
  }
  /** Some segments of an HLS playlist, for the audio thread. */
  readonly hlsWindow: { readonly input: HlsRequest; readonly output: HlsWindow }
  /** The next step of a walk through a folder; null at its end. */
  readonly walk: {
    readonly input: { readonly walkId: number; readonly folder: string }
    readonly output: WalkStep | null
  }
}

export type TaskName = keyof ReaderTasks

export type ReaderTask = {
  readonly [T in TaskName]: { readonly task: T; readonly input: ReaderTasks[T]['input'] }
}[TaskName]

export type ReaderOutput = ReaderTasks[TaskName]['output']

/** Settings of the reader thread's egress guard. */
export type ReaderData = Pick<EgressOptions, 'allowHosts' | 'userAgent'>
