import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { S3mini, S3ServiceError } from 's3mini'
import { Fault } from '../../lib/errors.ts'
import type { StoredPicture } from '../queue/job-record.ts'
import { describePicture, KEPT_PICTURE_MS, type ByteRange, type Results } from './results.ts'

/** A bucket of a store that speaks S3. */
export interface S3Settings {
  /** URL with the bucket: `https://s3.example.org/pictures`, or `https://pictures.s3.example.org`. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Precedes the name of each picture. */
  readonly prefix: string
}

const REQUEST_MS = 20_000
/** A store that is away for less costs a finished picture nothing but time. */
const PATIENCE_MS = 60_000
const FIRST_PAUSE_MS = 250
const LAST_PAUSE_MS = 4000
const LISTED_AT_ONCE = 1000

/** Pictures in a bucket that services and workers on several machines share. How much it may hold is for the store. */
export function createS3Results({ prefix, ...settings }: S3Settings): Results {
  const bucket = new S3mini({ ...settings, requestAbortTimeout: REQUEST_MS })
  const keyOf = ({ sha256 }: StoredPicture) => `${prefix}${sha256.slice(0, 2)}/${sha256}`

  return {
    storeId: createHash('sha256').update(`${settings.endpoint}\n${prefix}`).digest('hex').slice(0, 8),
    async put(picture, signal) {
      const stored = describePicture(picture)
      await patiently(() => bucket.putObject(keyOf(stored), picture.bytes, stored.contentType), signal)
      return stored
    },
    async open(stored, range) {
      const found = await fetchPart(bucket, keyOf(stored), range)
      return found && Readable.fromWeb(found.body as ReadableStream)
    },
    async sweep(nowMs) {
      let [removed, kept, keptBytes] = [0, 0, 0]
      let next: string | undefined
      do {
        const page = await bucket.listObjectsPaged('/', prefix, LISTED_AT_ONCE, next)
        const objects = page?.objects ?? []
        const isOld = ({ LastModified }: { LastModified: Date }) => nowMs - LastModified.getTime() > KEPT_PICTURE_MS
        const old = objects.filter(isOld)
        if (old.length > 0) await bucket.deleteObjects(old.map(({ Key }) => Key))
        removed += old.length
        kept += objects.length - old.length
        keptBytes += objects.filter((one) => !isOld(one)).reduce((sum, { Size }) => sum + Size, 0)
        next = page?.nextContinuationToken
      } while (next !== undefined)
      return { removed, kept, keptBytes }
    },
    close: () => Promise.resolve(),
  }
}

async function fetchPart(bucket: S3mini, key: string, range: ByteRange | null): Promise<Response | null> {
  try {
    return await bucket.getObjectRaw(key, range === null, range?.start, range === null ? undefined : range.end + 1)
  } catch (error) {
    if (error instanceof S3ServiceError && error.status === 404) return null
    if (!isAway(error)) throw error
    const message = 'The result store is unreachable. Try again in a moment.'
    throw new Fault('service_unavailable', message, { retryAfterMs: 2000, cause: error })
  }
}

/** Tries again, more and more slowly, while the store is away. */
async function patiently(write: () => Promise<unknown>, signal?: AbortSignal): Promise<void> {
  const untilMs = performance.now() + PATIENCE_MS
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
    try {
      await write()
      return
    } catch (error) {
      if (!isAway(error) || performance.now() + pauseMs > untilMs) throw error
    }
    await sleep(pauseMs, undefined, { signal })
  }
}

/** Whether the store is unavailable. A response that only refuses our request is no outage; anything else is. */
function isAway(error: unknown): boolean {
  return !(error instanceof S3ServiceError) || error.status >= 500 || error.status === 429
}
