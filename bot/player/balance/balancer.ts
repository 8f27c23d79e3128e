import type { Logger } from '../../../lib/log.ts'
import type { AudioNode } from '../../audio/node/protocol.ts'
import type { Player } from '../player.ts'
import type { Clock } from '../timers.ts'
import { planMove, type FullSince, type ThreadLoad } from './balance-policy.ts'
import { chooseNode } from './placement.ts'
import { watchThreadLoads } from './thread-loads.ts'

interface BalancerOptions {
  readonly nodes: readonly AudioNode[]
  /** All there are. */
  readonly players: () => Iterable<Player>
  readonly clock: Clock
  readonly log: Logger
}

/** Shares the players of a process between its audio threads. */
export interface Balancer {
  /** The node for one more player. @throws {Fault} see `chooseNode` */
  choose(): AudioNode
  close(): void
}

/** Looks at the threads once a second, and moves players away from a full one, one at a time. */
export function createBalancer({ nodes, players, clock, log }: BalancerOptions): Balancer {
  let fullSince: FullSince = new Map()
  let isMoving = false
  const triedAtMs = new WeakMap<Player, number>()

  const loads = watchThreadLoads(nodes, clock, () => void balance())

  function threads(): readonly ThreadLoad<Player>[] {
    const all = Array.from(players(), (player) => {
      return { player, node: player.node, ...player.load(), triedAtMs: triedAtMs.get(player) ?? null }
    })
    return nodes.flatMap((node) => {
      const reading = loads.of(node)
      if (!reading) return []
      return [{ id: node.id, utilization: reading.utilization, players: all.filter((one) => one.node === node) }]
    })
  }

  async function balance(): Promise<void> {
    const plan = planMove(threads(), fullSince, clock.nowMs())
    fullSince = plan.fullSince
    const to = nodes.find(({ id }) => id === plan.move?.to)
    if (isMoving || !plan.move || !to) return
    isMoving = true
    const { player, from } = plan.move
    triedAtMs.set(player, clock.nowMs())
    try {
      if (await player.handOver(to)) log.info({ ...player.ref, from, to: to.id }, 'player moved to a less busy thread')
    } catch (err) {
      log.error({ err, ...player.ref }, 'moving a player to another thread failed')
    } finally {
      isMoving = false
    }
  }

  return {
    choose: () => chooseNode(nodes, players(), loads.of),
    close: () => loads.close(),
  }
}
