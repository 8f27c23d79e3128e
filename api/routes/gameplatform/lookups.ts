import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import {
  IdPath,
  UserPath,
  PlatformAvatar,
  PlatformGame,
  PlatformGroup,
  PlatformUser,
} from '../../../upstream/gameplatform/schemas.ts'

const platform = {
  tag: 'Game platform',
  class: 'cheap',
  envelope: envelopes.success,
  faults: ['not_found', 'service_unavailable'],
} as const

export const getPlatformUser = route('getPlatformUser', 'GET /v1/gameplatform/users/{user}', {
  ...platform,
  summary: 'Get a user',
  path: UserPath,
  data: PlatformUser,
  example: {
    path: { user: 'Some_User' },
    data: {
      id: '123456789',
      name: 'Some_User',
      displayName: 'Some User',
      description: '',
      createdAt: '2019-05-04T10:20:30.123Z',
      isBanned: false,
      hasVerifiedBadge: false,
      profileUrl: 'https://www.roblox.com/users/123456789/profile',
      avatar: { headshot: 'https://tr.rbxcdn.com/headshot.png', full: null },
      counts: { friends: 12, followers: 34, followings: 5 },
    },
  },
  handle: ({ path }, { gamePlatform }) => gamePlatform.user(path.user),
})

export const getPlatformAvatar = route('getPlatformAvatar', 'GET /v1/gameplatform/users/{user}/avatar', {
  ...platform,
  summary: "Get a user's avatar images",
  path: UserPath,
  data: PlatformAvatar,
  example: {
    path: { user: 'Some_User' },
    data: {
      id: '123456789',
      name: 'Some_User',
      headshot: 'https://tr.rbxcdn.com/headshot.png',
      bust: null,
      full: null,
    },
  },
  handle: ({ path }, { gamePlatform }) => gamePlatform.avatar(path.user),
})

export const getPlatformGroup = route('getPlatformGroup', 'GET /v1/gameplatform/groups/{id}', {
  ...platform,
  summary: 'Get a group',
  path: IdPath,
  data: PlatformGroup,
  example: {
    path: { id: '4321098765' },
    data: {
      id: '4321098765',
      name: 'Some Group',
      description: 'We build things.',
      memberCount: 1200,
      owner: { id: '123456789', name: 'Some_User', displayName: 'Some User' },
      shout: null,
      hasVerifiedBadge: false,
      publicEntryAllowed: true,
      iconUrl: null,
      url: 'https://www.roblox.com/communities/4321098765',
    },
  },
  handle: ({ path }, { gamePlatform }) => gamePlatform.group(path.id),
})

export const getPlatformGame = route('getPlatformGame', 'GET /v1/gameplatform/games/{id}', {
  ...platform,
  summary: 'Get a game',
  description: "Takes a place ID, as in the game's URL, or a game ID.",
  path: IdPath,
  data: PlatformGame,
  example: {
    path: { id: '9876543210' },
    data: {
      id: '5555',
      placeId: '9876543210',
      name: 'Some Game',
      description: 'Build, trade, repeat.',
      creator: { id: '4321098765', name: 'Some Group', type: 'Group' },
      playing: 321,
      visits: 1_234_567,
      favorites: 8900,
      maxPlayers: 30,
      upVotes: 700,
      downVotes: 30,
      price: null,
      genre: 'All',
      createdAt: '2020-01-02T03:04:05.000Z',
      updatedAt: '2026-11-01T00:00:00.000Z',
      iconUrl: null,
      url: 'https://www.roblox.com/games/9876543210',
    },
  },
  handle: ({ path }, { gamePlatform }) => gamePlatform.game(path.id),
})
