import { z } from 'zod'
import { createCache, type Cache } from '../http/cache.ts'
import { createUpstream, notFoundInJson, urlPath, type Refusal, type UpstreamContext } from '../http/client.ts'
import type { LookupSettings } from '../http/settings.ts'

/** An id may outgrow what a number holds exactly: in our answers it is text. */
const id = z.union([z.number(), z.string()]).transform(String)
/** Fractions of a second come with up to seven digits. */
const instant = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .transform((text) => new Date(text).toISOString())
const words = z
  .string()
  .nullish()
  .transform((text) => text ?? '')
const count = z
  .number()
  .nullish()
  .transform((number) => number ?? 0)

const User = z.object({
  name: z.string(),
  displayName: z.string(),
  description: words,
  created: instant,
  isBanned: z.boolean(),
  hasVerifiedBadge: z.boolean().default(false),
})
const Group = z.object({
  name: z.string(),
  description: words,
  memberCount: count,
  owner: z.object({ userId: id, username: z.string(), displayName: z.string() }).nullish(),
  shout: z.object({ body: z.string(), updated: instant }).nullish(),
  hasVerifiedBadge: z.boolean().default(false),
  publicEntryAllowed: z.boolean().default(false),
})
const Game = z.object({
  id,
  rootPlaceId: id,
  name: z.string(),
  description: words,
  creator: z.object({ id, name: z.string(), type: z.string() }),
  price: z.number().nullish(),
  playing: count,
  visits: count,
  maxPlayers: count,
  created: instant,
  updated: instant,
  genre: words,
  favoritedCount: z.number().nullish(),
})

export type RobloxUser = z.output<typeof User>
export type RobloxGroup = z.output<typeof Group>
export type RobloxGame = z.output<typeof Game>
export interface RobloxVotes {
  readonly upVotes: number
  readonly downVotes: number
}

/** Roblox's public web APIs. What does not exist is null. */
export interface Roblox {
  readonly host: string
  findUser(userId: string): Promise<RobloxUser | null>
  /** Also finds who was once called so. */
  findUserId(name: string): Promise<string | null>
  countOf(what: 'friends' | 'followers' | 'followings', userId: string): Promise<number>
  findGroup(groupId: string): Promise<RobloxGroup | null>
  /** The game that a place belongs to. */
  findUniverseId(placeId: string): Promise<string | null>
  findGame(universeId: string): Promise<RobloxGame | null>
  votesOf(universeId: string): Promise<RobloxVotes | null>
}

const MINUTE_MS = 60_000

export function createRoblox(context: UpstreamContext, settings: LookupSettings): Roblox {
  const { gamePlatform: urls, timeoutMs, cacheMaxEntries: max } = settings
  const { metrics, now } = context
  const service = (name: string, baseUrl: string) =>
    createUpstream(context, { name: 'The game platform', id: `roblox-${name}`, baseUrl, timeoutMs })
  const users = service('users', urls.usersUrl)
  const groups = service('groups', urls.groupsUrl)
  const games = service('games', urls.gamesUrl)
  const friends = service('friends', urls.friendsUrl)
  const apis = service('apis', urls.apisUrl)
  const cache = <T>(minutes: number): Cache<T> =>
    createCache<T>({ name: 'roblox', max, ttlMs: minutes * MINUTE_MS, missingTtlMs: MINUTE_MS, metrics, now })
  const userCache = cache<RobloxUser | null>(5)
  const idCache = cache<string | null>(60)
  const countCache = cache<number>(5)
  const groupCache = cache<RobloxGroup | null>(10)
  const universeCache = cache<string | null>(60)
  const gameCache = cache<RobloxGame | null>(5)
  const votesCache = cache<RobloxVotes | null>(5)

  return {
    host: users.host,
    findUser: (userId) =>
      userCache.get(userId, () =>
        users.find({ path: urlPath`/v1/users/${userId}`, shape: User, absent: notFoundInJson }),
      ),
    findUserId: (name) =>
      idCache.get(name.toLowerCase(), async () => {
        const json = { usernames: [name], excludeBannedUsers: false }
        const { data } = await users.get({ path: '/v1/usernames/users', json, shape: listOf(z.object({ id })) })
        return data[0]?.id ?? null
      }),
    countOf: (what, userId) =>
      countCache.get(`${what}|${userId}`, async () => {
        const path = urlPath`/v1/users/${userId}/${what}/count`
        return (await friends.get({ path, shape: z.object({ count: z.number() }) })).count
      }),
    findGroup: (groupId) =>
      groupCache.get(groupId, () =>
        groups.find({ path: urlPath`/v1/groups/${groupId}`, shape: Group, absent: isUnknownGroup }),
      ),
    findUniverseId: (placeId) =>
      universeCache.get(placeId, async () => {
        const path = urlPath`/universes/v1/places/${placeId}/universe`
        const shape = z.object({ universeId: id.nullable() })
        return (await apis.find({ path, shape, absent: notFoundInJson }))?.universeId ?? null
      }),
    findGame: (universeId) =>
      gameCache.get(universeId, async () => {
        const search = { path: '/v1/games', query: { universeIds: universeId }, shape: listOf(Game) }
        return (await games.find({ ...search, absent: isInvalidId }))?.data[0] ?? null
      }),
    votesOf: (universeId) =>
      votesCache.get(universeId, async () => {
        const shape = listOf(z.object({ upVotes: z.number(), downVotes: z.number() }))
        return (await games.get({ path: '/v1/games/votes', query: { universeIds: universeId }, shape })).data[0] ?? null
      }),
  }
}

function listOf<S extends z.ZodType>(item: S) {
  return z.object({ data: z.array(item) })
}

const Errors = z.object({ errors: z.array(z.object({ code: z.number() })).min(1) })

function codeOf({ body }: Refusal): number | undefined {
  return Errors.safeParse(body).data?.errors[0]?.code
}

/** An unknown group is a bad request there. */
const isUnknownGroup = (refusal: Refusal): boolean =>
  (refusal.status === 400 && codeOf(refusal) === 1) || notFoundInJson(refusal)

const isInvalidId = (refusal: Refusal): boolean => refusal.status === 400 && codeOf(refusal) === 8
