import { Fault } from '../../../lib/errors.ts'
import type { AudioNode } from '../../audio/node/protocol.ts'
import type { Player } from '../player.ts'
import type { Reading } from './thread-loads.ts'

/** The share of a thread that one player takes which passes Opus through. */
const PLAYER_SHARE = 0.005
/** A player joins and opens its track for so long before a thread's reading has all of it. */
const SETTLING_MS = 3000
/** Smaller steps of what was measured are noise: the number of players decides then. */
const NOISE = 0.02

type Placed = Pick<Player, 'node' | 'load'>

type ReadingOf = (node: AudioNode) => Reading | undefined

/**
 * The node for one more player: of nodes on other machines that with the fewest players, else the thread of this process
 * that is expected to be least busy. @throws {Fault} `service_unavailable` when no audio node is alive.
 */
export function chooseNode(nodes: readonly AudioNode[], players: Iterable<Placed>, readingOf: ReadingOf): AudioNode {
  const ready = nodes.filter(({ isAlive, isDraining }) => isAlive && !isDraining)
  const remote = ready.filter(({ isRemote }) => isRemote)
  // The threads of this machine are the last resort where it has audio nodes.
  const best = remote.length > 0 ? remote : ready
  const all = Array.from(players)
  const rated = best.map((node) => {
    const own = all.filter((player) => player.node === node)
    // A node of another machine knows of the players of other services as well.
    const count = Math.max(own.length, node.playerCount)
    const load = node.isRemote ? 0 : expectedLoad(own, readingOf(node))
    return { node, count, load }
  })
  const [least] = rated.toSorted((one, other) => one.load - other.load || one.count - other.count)
  if (least) return least.node
  throw new Fault('service_unavailable', 'No audio node is running. Try again in a moment.', { retryAfterMs: 2000 })
}

/** The share of a thread that its players take in a moment: what was measured, and what came too late for that. */
function expectedLoad(players: readonly Placed[], reading: Reading | undefined): number {
  const unmeasured = players
    .map((player) => player.load())
    .filter(({ placedAtMs }) => !reading || placedAtMs > reading.atMs - SETTLING_MS)
    .reduce((sum, { weight }) => sum + weight, 0)
  const measured = Math.round((reading?.utilization ?? 0) / NOISE) * NOISE
  return measured + unmeasured * PLAYER_SHARE
}
