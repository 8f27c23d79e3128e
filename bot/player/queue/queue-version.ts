import { randomBytes } from 'node:crypto'
import type { PlayerState } from '../player-state.ts'
import type { Queue } from './queue.ts'

const versions = new WeakMap<Queue<unknown>, string>()

/**
 * Names what plays, what waits and the loop: another one after each change of them. It says nothing of their content, so that
 * a queue that comes back after a restart has another one.
 */
export function queueVersionOf({ rotation }: Pick<PlayerState, 'rotation'>): string {
  const known = versions.get(rotation)
  if (known !== undefined) return known
  const version = randomBytes(9).toString('base64url')
  versions.set(rotation, version)
  return version
}
