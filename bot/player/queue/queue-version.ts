import { randomBytes } from 'node:crypto'
import { rememberWeakly } from '../../../lib/remember-weakly.ts'
import type { PlayerState } from '../player-state.ts'
import type { Queue } from './queue.ts'

const versionOf = rememberWeakly<Queue<unknown>, string>(() => randomBytes(9).toString('base64url'))

/**
 * Names what plays, what waits and the loop: another one after each change of them. It says nothing of their content, so that
 * a queue that comes back after a restart has another one.
 */
export function queueVersionOf({ rotation }: Pick<PlayerState, 'rotation'>): string {
  return versionOf(rotation)
}
