import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { createCache } from '../http/cache.ts'
import { createUpstream, type UpstreamContext } from '../http/client.ts'
import type { LookupSettings } from '../http/settings.ts'

/** Kinds of pictures, each with the size to request. */
const KINDS = {
  headshot: { path: '/v1/users/avatar-headshot', ids: 'userIds', size: '420x420' },
  bust: { path: '/v1/users/avatar-bust', ids: 'userIds', size: '420x420' },
  full: { path: '/v1/users/avatar', ids: 'userIds', size: '720x720' },
  group: { path: '/v1/groups/icons', ids: 'groupIds', size: '420x420' },
  game: { path: '/v1/games/icons', ids: 'universeIds', size: '512x512' },
} as const

export type Thumbnails = ReturnType<typeof createThumbnails>

const Found = z.object({
  data: z.array(z.object({ targetId: z.number(), state: z.string(), imageUrl: z.string().nullish() })),
})

/** A picture that was not requested for a while is generated first: the answer is asked for again, this often. */
const TRIES = 3
const PENDING_MS = 500

export function createThumbnails(context: UpstreamContext, settings: LookupSettings) {
  const { gamePlatform, timeoutMs, cacheMaxEntries: max } = settings
  const { metrics, now, closing } = context
  const name = 'The game platform'
  const service = createUpstream(context, {
    name,
    id: 'roblox-thumbnails',
    baseUrl: gamePlatform.thumbnailsUrl,
    timeoutMs,
  })
  const kept = createCache<string | null>({
    name: 'roblox',
    max,
    ttlMs: 5 * 60_000,
    missingTtlMs: 10_000,
    metrics,
    now,
  })

  const look = async (kind: keyof typeof KINDS, id: string): Promise<string | null> => {
    const { path, ids, size } = KINDS[kind]
    const returnPolicy = kind === 'game' ? 'PlaceHolder' : undefined
    const query = { [ids]: id, size, format: 'Png', isCircular: 'false', returnPolicy }
    for (let triesLeft = TRIES; triesLeft > 0; triesLeft--) {
      const { data } = await service.get({ path, query, shape: Found })
      const picture = data.find(({ targetId }) => String(targetId) === id)
      if (picture?.state === 'Completed') return picture.imageUrl ? picture.imageUrl : null
      if (picture?.state !== 'Pending') return null
      if (triesLeft > 1) await sleep(PENDING_MS, undefined, { signal: closing }).catch(() => undefined)
    }
    return null
  }

  return {
    /** Returns a picture's address; null if there is none, it is not ready in time, or it may not be shown. */
    urlOf: (kind: keyof typeof KINDS, id: string) => kept.get(`${kind}|${id}`, () => look(kind, id)),
  }
}
