import { startStandIn, type Received, type Reply, type StandIn } from './stand-in.ts'

export interface Roblox extends StandIn {
  /** Number of answers that report a picture as still being made. */
  pending: number
  /** Paths that fail, by how they begin. */
  readonly failing: Set<string>
  /** Answers the next request instead of the usual. */
  next: Reply | null
}

const USERS: Readonly<Record<string, Record<string, unknown>>> = {
  '7001': {
    description: 'Builder 🧱\nand more',
    created: '2008-03-09T11:22:33.4Z',
    isBanned: false,
    externalAppDisplayName: null,
    hasVerifiedBadge: true,
    id: 7001,
    name: 'Brick_Smith',
    displayName: 'Bricky',
  },
  '7002': {
    description: null,
    created: '2015-10-11T12:13:14.1234567Z',
    isBanned: true,
    hasVerifiedBadge: false,
    id: 7002,
    name: '1234567',
    displayName: '1234567',
  },
}
const NAMES: Readonly<Record<string, number>> = { brick_smith: 7001, old_brick: 7001, '1234567': 7002 }

const GROUPS: Readonly<Record<string, Record<string, unknown>>> = {
  '81': {
    id: 81,
    name: 'Masons',
    description: 'Stone.',
    owner: {
      buildersClubMembershipType: 'None',
      hasVerifiedBadge: false,
      userId: 7001,
      username: 'Brick_Smith',
      displayName: 'Bricky',
    },
    shout: { body: 'Hi', poster: {}, created: '2026-01-01T00:00:00Z', updated: '2026-01-02T00:00:00.5Z' },
    memberCount: 55,
    isBuildersClubOnly: false,
    publicEntryAllowed: true,
    hasVerifiedBadge: true,
  },
  '82': {
    id: 82,
    name: 'Orphans',
    description: null,
    owner: null,
    shout: null,
    memberCount: 3,
    publicEntryAllowed: false,
    isLocked: true,
  },
}

const GAME = {
  id: 660,
  rootPlaceId: 66_001,
  name: 'Towers',
  description: null,
  sourceName: null,
  creator: { id: 81, name: 'Masons', type: 'Group', isRNVAccount: false, hasVerifiedBadge: true },
  price: null,
  allowedGearGenres: ['All'],
  playing: 12,
  visits: 3_456_789,
  maxPlayers: 20,
  created: '2019-08-07T06:05:04.321Z',
  updated: '2026-02-03T04:05:06.7Z',
  universeAvatarType: 'MorphToR15',
  genre: 'All',
  favoritedCount: 777,
}

const errors = (code: number, message: string) => ({ errors: [{ code, message }] })

/** A stand-in for all of Roblox's web APIs at once. */
export async function startRoblox(): Promise<Roblox> {
  const stand: Omit<Roblox, keyof StandIn> = { pending: 0, failing: new Set<string>(), next: null }
  const service = await startStandIn((request) => {
    const { next } = stand
    stand.next = null
    if (next) return next
    if ([...stand.failing].some((start) => request.path.startsWith(start)))
      return { status: 500, text: '<html>down</html>' }
    return users(request) ?? groups(request) ?? games(request) ?? thumbnails(request, stand)
  })
  return Object.assign(stand, service)
}

function users({ path, body }: Received): Reply | undefined {
  if (path === '/v1/usernames/users') {
    const { usernames } = JSON.parse(body) as { usernames: string[] }
    const data = usernames.flatMap((name) => {
      const id = NAMES[name.toLowerCase()]
      const user = USERS[String(id)]
      return user ? [{ requestedUsername: name, hasVerifiedBadge: true, id, name: user['name'], displayName: 'x' }] : []
    })
    return { json: { data } }
  }
  const counted = /^\/v1\/users\/(\d+)\/(friends|followers|followings)\/count$/.exec(path)
  if (counted) return { json: { count: counted[2]?.length } }
  const id = /^\/v1\/users\/(\d+)$/.exec(path)?.[1]
  if (id === undefined) return undefined
  const user = USERS[id]
  return user ? { json: user } : { status: 404, json: errors(3, 'The user id is invalid.') }
}

function groups({ path }: Received): Reply | undefined {
  const id = /^\/v1\/groups\/(\d+)$/.exec(path)?.[1]
  if (id === undefined) return undefined
  const group = GROUPS[id]
  return group ? { json: group } : { status: 400, json: errors(1, 'Group is invalid or does not exist.') }
}

function games({ path, query }: Received): Reply | undefined {
  const place = /^\/universes\/v1\/places\/(\d+)\/universe$/.exec(path)?.[1]
  if (place !== undefined) return { json: { universeId: place === '66001' ? 660 : null } }
  const isKnown = query.get('universeIds') === '660'
  if (path === '/v1/games') return { json: { data: isKnown ? [GAME] : [] } }
  if (path === '/v1/games/votes') return { json: { data: isKnown ? [{ id: 660, upVotes: 90, downVotes: 9 }] : [] } }
  return undefined
}

function thumbnails({ path, query }: Received, stand: Pick<Roblox, 'pending'>): Reply | undefined {
  const name = /^\/v1\/(?:users\/(avatar(?:-\w+)?)|(groups|games)\/icons)$/.exec(path)
  if (!name) return undefined
  const id = Number(query.get('userIds') ?? query.get('groupIds') ?? query.get('universeIds'))
  const other = { targetId: 1, state: 'Completed', imageUrl: 'https://tr.rbxcdn.com/other.png' }
  if (stand.pending > 0) {
    stand.pending -= 1
    return { json: { data: [other, { targetId: id, state: 'Pending', imageUrl: '' }] } }
  }
  const state = id === 7002 ? 'Blocked' : 'Completed'
  const imageUrl = state === 'Completed' ? `https://tr.rbxcdn.com/${name[1] ?? name[2]}-${id}.png` : null
  return { json: { data: [other, { targetId: id, state, imageUrl, version: 'TN3' }] } }
}
