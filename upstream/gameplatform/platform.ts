import { Fault, unprocessable } from '../../lib/errors.ts'
import type { UpstreamContext } from '../http/client.ts'
import { failingAs, optional, within } from '../http/failure.ts'
import type { LookupSettings } from '../http/settings.ts'
import type { PlatformAvatar, PlatformGame, PlatformGroup, PlatformUser } from './schemas.ts'
import { createRoblox, type Roblox } from './roblox.ts'
import type { RobloxUser } from './roblox-shapes.ts'
import { createThumbnails, type Thumbnails } from './thumbnails.ts'

/**
 * Look-ups on the game platform. Ids are text. What is not essential to an answer is null if it cannot be had.
 * All throw `not_found`, `validation_error` and `service_unavailable`.
 */
export type GamePlatform = ReturnType<typeof createGamePlatform>

const SITE = 'https://www.roblox.com'

export function createGamePlatform(context: UpstreamContext, settings: LookupSettings) {
  const roblox = createRoblox(context, settings)
  const pictures = createThumbnails(context, settings)
  const who = { name: 'The game platform', host: roblox.host }
  const inTime = <T>(work: () => Promise<T>): Promise<T> =>
    failingAs('service_unavailable', () => within(2 * settings.timeoutMs, who, work()))

  const parts = { roblox, pictures }
  return {
    /** Finds a user by id or name; digits are an id where there is one. */
    user: (idOrName: string): Promise<PlatformUser> => inTime(() => describeUser(parts, idOrName)),
    avatar: (idOrName: string): Promise<PlatformAvatar> => inTime(() => describeAvatar(parts, idOrName)),
    group: (id: string): Promise<PlatformGroup> => inTime(() => describeGroup(parts, id)),
    /** Finds a game by its id or that of one of its places, as its address shows it. */
    game: (id: string): Promise<PlatformGame> => inTime(() => describeGame(parts, id)),
  }
}

interface Parts {
  readonly roblox: Roblox
  readonly pictures: Thumbnails
}

async function describeUser({ roblox, pictures }: Parts, idOrName: string): Promise<PlatformUser> {
  const { id, found } = await getUser(roblox, idOrName)
  const count = (what: Parameters<Roblox['countOf']>[0]) => optional(roblox.countOf(what, id))
  const [headshot, full, friends, followers, followings] = await Promise.all([
    optional(pictures.urlOf('headshot', id)),
    optional(pictures.urlOf('full', id)),
    count('friends'),
    count('followers'),
    count('followings'),
  ])
  const { created: createdAt, ...user } = found
  const profileUrl = `${SITE}/users/${id}/profile`
  const counts = { friends, followers, followings }
  return { id, ...user, createdAt, profileUrl, avatar: { headshot, full }, counts }
}

async function describeAvatar({ roblox, pictures }: Parts, idOrName: string): Promise<PlatformAvatar> {
  const { id, found } = await getUser(roblox, idOrName)
  const [headshot, bust, full] = await Promise.all([
    pictures.urlOf('headshot', id),
    pictures.urlOf('bust', id),
    pictures.urlOf('full', id),
  ])
  return { id, name: found.name, headshot, bust, full }
}

async function describeGroup({ roblox, pictures }: Parts, id: string): Promise<PlatformGroup> {
  assertId(id)
  const [found, iconUrl] = await Promise.all([roblox.findGroup(id), optional(pictures.urlOf('group', id))])
  if (!found) throw new Fault('not_found', `There is no group ${id}.`)
  const { owner, shout, ...group } = found
  return {
    id,
    ...group,
    owner: owner ? { id: owner.userId, name: owner.username, displayName: owner.displayName } : null,
    shout: shout ? { body: shout.body, updatedAt: shout.updated } : null,
    iconUrl,
    url: `${SITE}/communities/${id}`,
  }
}

async function describeGame({ roblox, pictures }: Parts, id: string): Promise<PlatformGame> {
  assertId(id)
  const universeId = (await roblox.findUniverseId(id)) ?? id
  const [found, votes, iconUrl] = await Promise.all([
    roblox.findGame(universeId),
    optional(roblox.votesOf(universeId)),
    optional(pictures.urlOf('game', universeId)),
  ])
  if (!found) throw new Fault('not_found', `There is no game ${id}.`)
  const { rootPlaceId: placeId, favoritedCount, created: createdAt, updated: updatedAt, price, ...game } = found
  return {
    ...game,
    placeId,
    createdAt,
    updatedAt,
    price: price ?? null,
    favorites: favoritedCount ?? null,
    upVotes: votes?.upVotes ?? null,
    downVotes: votes?.downVotes ?? null,
    iconUrl,
    url: `${SITE}/games/${placeId}`,
  }
}

async function getUser(roblox: Roblox, idOrName: string): Promise<{ id: string; found: RobloxUser }> {
  const text = idOrName.normalize('NFKC').trim()
  const isId = /^[1-9]\d{0,18}$/.test(text)
  // Old names may hold spaces; newer ones have 3 to 20 letters, digits and an underscore.
  if (!isId && !/^\w[\w ]{1,18}\w$/.test(text)) {
    throw unprocessable('invalid_user', 'Must be a user ID, or a name of 3 to 20 letters, digits and underscores.')
  }
  const byId = isId ? await roblox.findUser(text) : null
  if (byId) return { id: text, found: byId }
  const id = text.length >= 3 && text.length <= 20 ? await roblox.findUserId(text) : null
  const found = id === null ? null : await roblox.findUser(id)
  if (id === null || !found) throw new Fault('not_found', `There is no user ${text}.`)
  return { id, found }
}

function assertId(id: string): void {
  if (!/^[1-9]\d{0,18}$/.test(id)) throw unprocessable('invalid_id', 'Must be a whole number.')
}
