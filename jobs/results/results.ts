import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { KEPT_MS, type Picture } from '../queue/job.ts'
import type { StoredPicture } from '../queue/job-record.ts'

/** The part of a picture from the byte `start` to the byte `end`, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Store of the pictures of finished jobs, by the hash of their content. */
export interface Results {
  /** The same for all processes that reach the same pictures; services and workers meet in it. */
  readonly storeId: string
  /** Returns when the picture would survive the end of this process; a store that is away is waited for until `signal`. */
  put(picture: Picture, signal?: AbortSignal): Promise<StoredPicture>
  /**
   * Null: it is no longer kept. The caller reads it to the end or destroys it.
   * @throws {Fault} `service_unavailable` while the store cannot be reached.
   */
  open(picture: StoredPicture, range: ByteRange | null): Promise<Readable | null>
  /** Removes what has expired, and what was asked for least recently where it takes too much room. */
  sweep(nowMs: number): Promise<Swept>
  close(): Promise<void>
}

export interface Swept {
  readonly removed: number
  readonly kept: number
  readonly keptBytes: number
}

/** Longer than a job is shown, so that no job that is shown points into the void. */
export const KEPT_PICTURE_MS = KEPT_MS + 60 * 60_000

export function describePicture({ bytes, ...others }: Picture): StoredPicture {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length, ...others }
}
