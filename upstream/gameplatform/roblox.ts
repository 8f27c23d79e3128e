import { z } from 'zod'
import { createCache, type Cache } from '../http/cache.ts'
import { createUpstream, notFoundInJson, urlPath, type FailedAnswer, type UpstreamContext } from '../http/client.ts'
import { UpstreamFailure } from '../http/failure.ts'
import type { LookupSettings } from '../http/settings.ts'
import { createOpenCloud, type OpenCloud } from './open-cloud.ts'
import {
  Game,
  Group,
  id,
  User,
  type RobloxGame,
  type RobloxGroup,
  type RobloxUser,
  type RobloxVotes,
} from './roblox-shapes.ts'

/** Roblox's public web APIs. What does not exist is null. */
export type Roblox = ReturnType<typeof createRoblox>

const MINUTE_MS = 60_000

export function createRoblox(context: UpstreamContext, settings: LookupSettings) {
  const { users, groups, games, friends, apis } = openServices(context, settings)
  const either = openSecondWay(context, settings)
  const caches = openCaches(context, settings.cacheMaxEntries)

  return {
    host: users.host,
    findUser: (userId: string): Promise<RobloxUser | null> =>
      caches.user.get(userId, () =>
        either(
          () => users.find({ path: urlPath`/v1/users/${userId}`, shape: User, absent: notFoundInJson }),
          (it) => it.findUser(userId),
        ),
      ),
    /** Also finds who was once called so. */
    findUserId: (name: string): Promise<string | null> =>
      caches.id.get(name.toLowerCase(), async () => {
        const json = { usernames: [name], excludeBannedUsers: false }
        const { data } = await users.get({ path: '/v1/usernames/users', json, shape: listOf(z.object({ id })) })
        return data[0]?.id ?? null
      }),
    countOf: (what: 'friends' | 'followers' | 'followings', userId: string): Promise<number> =>
      caches.count.get(`${what}|${userId}`, async () => {
        const path = urlPath`/v1/users/${userId}/${what}/count`
        return (await friends.get({ path, shape: z.object({ count: z.number() }) })).count
      }),
    findGroup: (groupId: string): Promise<RobloxGroup | null> =>
      caches.group.get(groupId, () =>
        either(
          () => groups.find({ path: urlPath`/v1/groups/${groupId}`, shape: Group, absent: isUnknownGroup }),
          (it) => it.findGroup(groupId),
        ),
      ),
    /** The game that a place belongs to. */
    findUniverseId: (placeId: string): Promise<string | null> =>
      caches.universe.get(placeId, async () => {
        const path = urlPath`/universes/v1/places/${placeId}/universe`
        const shape = z.object({ universeId: id.nullable() })
        return (await apis.find({ path, shape, absent: notFoundInJson }))?.universeId ?? null
      }),
    findGame: (universeId: string): Promise<RobloxGame | null> =>
      caches.game.get(universeId, async () => {
        const search = { path: '/v1/games', query: { universeIds: universeId }, shape: listOf(Game) }
        return (await games.find({ ...search, absent: isInvalidId }))?.data[0] ?? null
      }),
    votesOf: (universeId: string): Promise<RobloxVotes | null> =>
      caches.votes.get(universeId, async () => {
        const shape = listOf(z.object({ upVotes: z.number(), downVotes: z.number() }))
        return (await games.get({ path: '/v1/games/votes', query: { universeIds: universeId }, shape })).data[0] ?? null
      }),
  }
}

function openServices(context: UpstreamContext, { gamePlatform: urls, timeoutMs }: LookupSettings) {
  const open = (name: string, baseUrl: string) =>
    createUpstream(context, { name: 'The game platform', id: `roblox-${name}`, baseUrl, timeoutMs })
  return {
    users: open('users', urls.usersUrl),
    groups: open('groups', urls.groupsUrl),
    games: open('games', urls.gamesUrl),
    friends: open('friends', urls.friendsUrl),
    apis: open('apis', urls.apisUrl),
  }
}

/** Asks without a key first, which says more; where that fails, with the operator's, if there is one. */
function openSecondWay(
  context: UpstreamContext,
  { gamePlatform: { apisUrl: baseUrl, key }, timeoutMs }: LookupSettings,
) {
  const cloud = key === null ? null : createOpenCloud(context, { baseUrl, key, timeoutMs })
  return async <T>(open: () => Promise<T>, withKey: (it: OpenCloud) => Promise<T>): Promise<T> => {
    try {
      return await open()
    } catch (error) {
      if (cloud && error instanceof UpstreamFailure) return withKey(cloud)
      throw error
    }
  }
}

function openCaches({ metrics, now }: UpstreamContext, max: number) {
  const open = <T>(minutes: number): Cache<T> =>
    createCache<T>({ name: 'roblox', max, ttlMs: minutes * MINUTE_MS, missingTtlMs: MINUTE_MS, metrics, now })
  return {
    user: open<RobloxUser | null>(5),
    id: open<string | null>(60),
    count: open<number>(5),
    group: open<RobloxGroup | null>(10),
    universe: open<string | null>(60),
    game: open<RobloxGame | null>(5),
    votes: open<RobloxVotes | null>(5),
  }
}

function listOf<S extends z.ZodType>(item: S) {
  return z.object({ data: z.array(item) })
}

const Errors = z.object({ errors: z.array(z.object({ code: z.number() })).min(1) })

function codeOf({ body }: FailedAnswer): number | undefined {
  return Errors.safeParse(body).data?.errors[0]?.code
}

/** An unknown group is a bad request there. */
const isUnknownGroup = (refusal: FailedAnswer): boolean =>
  (refusal.status === 400 && codeOf(refusal) === 1) || notFoundInJson(refusal)

const isInvalidId = (refusal: FailedAnswer): boolean => refusal.status === 400 && codeOf(refusal) === 8
