import type { Release } from '../../../lib/sharing/fair-share.ts'
import type { NodeCaller } from '../http/node-keys.ts'

/** Limit on the players of a project: those of its own bots and of its sessions together. */
export interface PlayerCeiling {
  /**
   * Takes a place for one more player until it is released.
   * @throws {Fault} `player_limit` where the project has as many as its plan allows
   */
  acquire(caller: NodeCaller): Release
}
