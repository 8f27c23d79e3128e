import { z } from 'zod'
import { createCache } from '../http/cache.ts'
import { createUpstream, notFoundInJson, urlPath, type UpstreamContext } from '../http/client.ts'
import type { LookupSettings } from '../http/settings.ts'
import type { Skin } from './schemas.ts'
import { texturesShape } from './textures.ts'

/** Kept as text: an account's number may outgrow what a number holds exactly. */
const Xuid = z.object({ xuid: z.union([z.int(), z.string().regex(/^\d+$/)]).optional() })
const Gamertag = z.object({ gamertag: z.string().min(1).optional() })
const HOUR_MS = 60 * 60_000

/** Bedrock players, by GeyserMC's Global API. It answers an empty object for whom it does not know. */
export function createGeyser(context: UpstreamContext, settings: LookupSettings) {
  const { blockGame, timeoutMs, cacheMaxEntries: max } = settings
  const { metrics, now } = context
  const name = 'The lookup service for Bedrock players'
  const service = createUpstream(context, { name, id: 'geyser', baseUrl: blockGame.geyserUrl, timeoutMs })
  const kept = { name: 'blockgame', max, missingTtlMs: 60_000, metrics, now }
  const xuids = createCache<string | null>({ ...kept, ttlMs: 24 * HOUR_MS })
  const gamertags = createCache<string | null>({ ...kept, ttlMs: 24 * HOUR_MS })
  const skins = createCache<Skin | null>({ ...kept, ttlMs: 5 * 60_000 })
  const Stored = z.object({ value: texturesShape(blockGame.texturesUrl), is_steve: z.boolean().optional() }).partial()
  const absent = notFoundInJson

  return {
    host: service.host,
    findXuid: (gamertag: string): Promise<string | null> =>
      xuids.get(gamertag.toLowerCase(), async () => {
        const found = await service.find({ path: urlPath`/v2/xbox/xuid/${gamertag}`, shape: Xuid, absent })
        return found?.xuid === undefined ? null : String(found.xuid)
      }),
    findGamertag: (xuid: string): Promise<string | null> =>
      gamertags.get(xuid, async () => {
        const found = await service.find({ path: urlPath`/v2/xbox/gamertag/${xuid}`, shape: Gamertag, absent })
        return found?.gamertag ?? null
      }),
    /** Only skins of players who once joined a Geyser server are stored. */
    findSkin: (xuid: string): Promise<Skin | null> =>
      skins.get(xuid, async () => {
        const found = await service.find({ path: urlPath`/v2/skin/${xuid}`, shape: Stored, absent })
        const skin = found?.value?.skin
        if (!skin || found?.is_steve === undefined) return skin ?? null
        return { ...skin, model: found.is_steve ? 'classic' : 'slim' }
      }),
  }
}
