import type { Requesters } from '../player/player-info.ts'
/** Strictness of a permission, for members who do not always have it: see `decide`. */
export const PERMISSION_RULES = ['everyone', 'vote', 'requester', 'dj'] as const
export type PermissionRule = (typeof PERMISSION_RULES)[number]

/**
 * The tracks concerned. Members who requested all of them are in charge: `current` is the current track; `queue` the queue;
 * `everything` both; `player` both and later tracks, so that it is not empty when nothing plays.
 */
type Extent = 'current' | 'queue' | 'everything' | 'player'

interface PermissionSpec {
  /** The rule if the guild has set none. */
  readonly rule: PermissionRule
  readonly extent: Extent
  /** The rules that a guild can set. Defaults to all. */
  readonly rules?: readonly PermissionRule[]
}

/** Permissions of members over a player, in display order. Each operation names the ones it needs. */
export const PERMISSIONS = {
  /** Add tracks at the end of the queue. There is nothing yet to vote on, and no requester. */
  play: { rule: 'everyone', extent: 'player', rules: ['everyone', 'dj'] },
  /** Put a track ahead of what waits. */
  playNext: { rule: 'vote', extent: 'queue' },
  /** Leave the current track: for the next, a later or an earlier one. */
  skip: { rule: 'vote', extent: 'current' },
  pause: { rule: 'vote', extent: 'current' },
  /** End a pause or a mute. Everyone may by default, since silence lasts otherwise. */
  resume: { rule: 'everyone', extent: 'current' },
  seek: { rule: 'vote', extent: 'current' },
  /** Volume and mute. */
  volume: { rule: 'vote', extent: 'player' },
  /** Filters, layers and fades. */
  filters: { rule: 'vote', extent: 'player' },
  loop: { rule: 'vote', extent: 'player' },
  autoplay: { rule: 'vote', extent: 'player' },
  shuffle: { rule: 'vote', extent: 'queue' },
  /** Change the place of a track that waits. */
  move: { rule: 'vote', extent: 'queue' },
  /** Take single tracks out of the queue. */
  remove: { rule: 'vote', extent: 'queue' },
  clear: { rule: 'vote', extent: 'queue' },
  /** End the music and leave the channel, now or later. */
  stop: { rule: 'vote', extent: 'everything' },
} as const satisfies Readonly<Record<string, PermissionSpec>>

export type Permission = keyof typeof PERMISSIONS

export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as readonly Permission[]

/** The settings of a guild; keyed by permission, since earlier or later versions may have written others. */
export interface PermissionSettings {
  /** null: managers of the server alone are DJs. */
  readonly djRoleId: string | null
  /** The part of the listeners, 0 to 1, that has to agree in a vote. */
  readonly voteRatio: number
  readonly permissions: Readonly<Record<string, string>>
}

export function rulesOf(permission: Permission): readonly PermissionRule[] {
  const { rules = PERMISSION_RULES }: PermissionSpec = PERMISSIONS[permission]
  return rules
}

export function ruleOf({ permissions }: Pick<PermissionSettings, 'permissions'>, permission: Permission) {
  const set = permissions[permission]
  return rulesOf(permission).find((rule) => rule === set) ?? PERMISSIONS[permission].rule
}

/** The requesters of tracks; null for programs and autoplay. */
export interface Requests extends Requesters {
  readonly isPlaying: boolean
}

export interface Need {
  readonly permission: Permission
  /** The requesters of the tracks that an operation affects. */
  readonly requesterIds: readonly (string | null)[]
}

/** @param requesterIds Defaults to those of all tracks that the permission concerns. */
export function need(permission: Permission, requests: Requests, requesterIds = requestersIn(permission, requests)) {
  return [{ permission, requesterIds }]
}

function requestersIn(permission: Permission, { isPlaying, current, queue }: Requests): readonly (string | null)[] {
  const playing = isPlaying ? [current] : []
  switch (PERMISSIONS[permission].extent) {
    case 'current':
      return playing
    case 'queue':
      return queue
    case 'everything':
      return [...playing, ...queue]
    case 'player':
      return [current, ...queue]
  }
}
