import { LRUCache } from 'lru-cache'
import { createLru } from '../../../lib/sharing/lru.ts'
import { createFairShare } from '../../../lib/sharing/fair-share.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import { fetchPicture, type FetchedPicture } from '../../../upstream/http/picture.ts'

/** Covers of tracks, fetched once for all who look at the same. */
export type Covers = ReturnType<typeof createCovers>

const CACHE_BYTES = 32 * 1024 * 1024
const KEPT_MS = 10 * 60_000
const MAX_UNDERWAY = 200
const FETCHES = { what: 'cover downloads', total: 24, share: 6, maxWaiting: 60, maxWaitMs: 10_000 }

export function createCovers(egress: Pick<Egress, 'open'>) {
  const cache = new LRUCache<string, FetchedPicture>({
    maxSize: CACHE_BYTES,
    ttl: KEPT_MS,
    sizeCalculation: ({ bytes }) => bytes.length + 1000,
  })
  const underway = createLru<string, Promise<FetchedPicture>>(MAX_UNDERWAY)
  const places = createFairShare(FETCHES)

  async function fetchOnce(memberId: string, url: string): Promise<FetchedPicture> {
    try {
      const picture = await places.run(memberId, () => fetchPicture(egress, url))
      cache.set(url, picture)
      return picture
    } finally {
      underway.delete(url)
    }
  }

  return {
    /** @throws {Fault} `not_found` unless it is a picture, `service_unavailable` when the member's share is used up. */
    async fetch(memberId: string, url: string): Promise<FetchedPicture> {
      const known = cache.get(url) ?? underway.get(url)
      if (known) return known
      const fetching = fetchOnce(memberId, url)
      underway.set(url, fetching)
      return fetching
    },
  }
}
