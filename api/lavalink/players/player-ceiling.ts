import type { Release } from '../../../lib/sharing/fair-share.ts'
import type { NodeCaller } from '../http/node-keys.ts'

/** How many players a project may have, its own bots' and those of its sessions together. */
export interface PlayerCeiling {
  /**
   * Takes a place for one more player until it is released.
   * @throws {Fault} `player_limit` where the project has as many as its plan allows
   */
  acquire(caller: NodeCaller): Release
}
