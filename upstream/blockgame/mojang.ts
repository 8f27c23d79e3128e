import { z } from 'zod'
import { createCache } from '../http/cache.ts'
import { createUpstream, notFoundInJson, urlPath, type UpstreamContext } from '../http/client.ts'
import { UpstreamFailure } from '../http/failure.ts'
import type { LookupSettings } from '../http/settings.ts'
import { texturesShape, type Textures } from './textures.ts'

interface MojangAccount {
  /** 32 hex digits. */
  readonly uuid: string
  /** In its true case. */
  readonly name: string
}

interface JavaProfile extends MojangAccount {
  readonly textures: Textures
}

const uuid = z
  .string()
  .regex(/^[0-9a-f]{32}$/i)
  .toLowerCase()
const Found = z.object({ id: uuid, name: z.string().min(1) })
const MINUTE_MS = 60_000

/** Mojang's accounts and profiles. Both look-ups of names are asked in turn, since either is blocked at times. */
export function createMojang(context: UpstreamContext, settings: LookupSettings) {
  const { blockGame, timeoutMs, cacheMaxEntries: max } = settings
  const { metrics, now } = context
  const common = { name: "The game's account service", timeoutMs, opensOnRefusal: true }
  const names = createUpstream(context, { ...common, id: 'mojang-services', baseUrl: blockGame.servicesUrl })
  const oldNames = createUpstream(context, { ...common, id: 'mojang-api', baseUrl: blockGame.apiUrl })
  const session = createUpstream(context, { ...common, id: 'mojang-session', baseUrl: blockGame.sessionUrl })
  const Properties = z.array(z.object({ name: z.string(), value: z.string() }))
  const Textured = texturesShape(blockGame.texturesUrl)
  const Profile = z
    .object({ id: uuid, name: z.string().min(1), properties: Properties.default([]) })
    .transform(({ properties, ...account }) => ({
      ...account,
      value: properties.find((each) => each.name === 'textures')?.value ?? EMPTY_TEXTURES,
    }))
    .pipe(z.object({ id: uuid, name: z.string(), value: Textured }))
  const kept = { name: 'blockgame', max, missingTtlMs: MINUTE_MS, metrics, now }
  const accounts = createCache<MojangAccount | null>({ ...kept, ttlMs: 10 * MINUTE_MS })
  const profiles = createCache<JavaProfile | null>({ ...kept, ttlMs: 5 * MINUTE_MS })

  const lookUp = async (name: string): Promise<MojangAccount | null> => {
    const search = { shape: Found, absent: notFoundInJson }
    const found = await names
      .find({ ...search, path: urlPath`/minecraft/profile/lookup/name/${name}` })
      .catch((error: unknown) => {
        if (!(error instanceof UpstreamFailure)) throw error
        return oldNames.find({ ...search, path: urlPath`/users/profiles/minecraft/${name}` })
      })
    return found && { uuid: found.id, name: found.name }
  }

  return {
    host: session.host,
    findByName: (name: string): Promise<MojangAccount | null> => accounts.get(name.toLowerCase(), () => lookUp(name)),
    findProfile: (id: string): Promise<JavaProfile | null> =>
      profiles.get(id, async () => {
        const path = urlPath`/session/minecraft/profile/${id}`
        const found = await session.find({ path, shape: Profile, absent: notFoundInJson })
        return found && { uuid: found.id, name: found.name, textures: found.value }
      }),
  }
}

const EMPTY_TEXTURES = Buffer.from('{"textures":{}}').toString('base64')
