import type { Requesters } from '../player/player-info.ts'
import { PERMISSIONS, type Permission } from './permission-table.ts'

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
export function need(
  permission: Permission,
  requests: Requests,
  requesterIds = requestersIn(permission, requests),
): readonly Need[] {
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
