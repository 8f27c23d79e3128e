import {
  createCoverAddresses,
  type CoverAddressesOptions,
  type CoverAddresses,
  type CoverRef,
} from './cover-addresses.ts'
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createFairShare } from '../../lib/sharing/fair-share.ts'
import type { Logger } from '../../lib/log.ts'
import type { Sources } from '../sources/source.ts'

/** The edges that pictures are shrunk to: a thumbnail, and what fills a phone. */
const COVER_SIZES = [160, 640] as const
export type CoverSize = (typeof COVER_SIZES)[number]

interface Cover {
  readonly contentType: string
  readonly bytes: Buffer
  /** Includes the quotation marks. */
  readonly etag: string
}

export type Covers = ReturnType<typeof createCovers>

/** Shrinks a picture to the maximum size. @returns null if the file is not a readable picture. */
type ShrinkPicture = (file: Buffer, size: number) => Promise<{ contentType: string; data: Buffer } | null>

interface CoversOptions {
  readonly addresses: Pick<CoverAddresses, 'open'>
  readonly sources: Pick<Sources, 'cover'>
  readonly shrink: ShrinkPicture
  readonly log: Logger
  /** Milliseconds from any start. */
  readonly now?: () => number
}

const CACHE_BYTES = 32 * 1024 * 1024
const CACHE_MS = 3_600_000
/** A picture that is not there may come; one that is refused at once again costs its source nothing. */
const ABSENT_MS = 60_000
const CACHE_ENTRIES = 5000
/** The songs of an album often hold the same picture: it is shrunk once. */
const SAME_MAX = 1000
const FETCH_MS = 10_000
/** Browsers request all covers of a list at once, and the image processes also serve members. */
const SHARE = { what: 'cover downloads', total: 4, share: 4, maxWaiting: 400, maxWaitMs: 15_000 }

/** Pictures of the sources that need our hands: files of this machine, and servers of the operator. */
export function createCovers({ addresses, sources, shrink, log, now }: CoversOptions) {
  const share = createFairShare(SHARE)
  const clock = now && { perf: { now } }
  const cache = new LRUCache<string, { cover: Cover | null }>({
    max: CACHE_ENTRIES,
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ cover }) => (cover?.bytes.length ?? 0) + 200,
    ttl: CACHE_MS,
    ...clock,
  })
  /** Keyed by the hash of the original and the size. */
  const shrunk = new LRUCache<string, Cover>({ max: SAME_MAX, maxSize: CACHE_BYTES, sizeCalculation: sizeOf, ...clock })
  const loading = new Map<string, Promise<Cover | null>>()

  async function load(ref: CoverRef, size: CoverSize): Promise<Cover | null> {
    const original = await sources.cover(ref, AbortSignal.timeout(FETCH_MS))
    if (!original) return null
    const hash = `${size} ${createHash('sha256').update(original).digest('base64url')}`
    const same = shrunk.get(hash)
    if (same) return same
    const picture = await shrink(original, size)
    if (!picture) {
      log.debug({ source: ref.source }, 'cover unreadable')
      return null
    }
    const { contentType, data: bytes } = picture
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
    const cover = { contentType, bytes, etag }
    shrunk.set(hash, cover)
    return cover
  }

  return {
    /**
     * The picture behind an address; null if there is none, or none that can be read.
     * @throws {Fault} `service_unavailable` while too many are fetched, or the source cannot be asked.
     */
    read: (signed: string, size: CoverSize): Promise<Cover | null> => {
      const ref = addresses.open(signed)
      if (!ref) return Promise.resolve(null)
      const key = `${size} ${ref.source} ${ref.id}`
      const known = cache.get(key)
      if (known) return Promise.resolve(known.cover)
      const underWay = loading.get(key)
      if (underWay) return underWay
      const loaded = share
        .run('covers', () => load(ref, size))
        .then((cover) => {
          cache.set(key, { cover }, cover ? {} : { ttl: ABSENT_MS })
          return cover
        })
        .finally(() => loading.delete(key))
      loading.set(key, loaded)
      return loaded
    },
  }
}

function sizeOf({ bytes }: Cover): number {
  return bytes.length
}

interface OpenCoversOptions extends CoverAddressesOptions {
  readonly shrink: ShrinkPicture
  readonly log: Logger
}

/** The sources need the addresses before there are pictures to serve. */
export function openCovers({ baseUrl, secrets, shrink, log }: OpenCoversOptions) {
  const addresses = createCoverAddresses({ baseUrl, secrets })
  return {
    urlOf: addresses.urlOf,
    of: (sources: Pick<Sources, 'cover'>) => createCovers({ addresses, sources, shrink, log }),
  }
}
