import { settleWithin } from '../../../lib/deadline.ts'
import type { AudioNode } from '../../audio/node/protocol.ts'
import type { Clock } from '../timers.ts'

/** Interval of reading the threads' utilization. */
const LOOK_MS = 1000
/** Timeout of a reading; a thread that misses it keeps its last one. */
const ANSWER_MS = 800

export interface Reading {
  /** 0 to 1. */
  readonly utilization: number
  readonly atMs: number
}

type LocalNode = Pick<AudioNode, 'stats' | 'isAlive' | 'isRemote'>

/** Asks the audio threads of this process once a second how busy they are, where there are several. */
export function watchThreadLoads(nodes: readonly LocalNode[], clock: Clock) {
  const threads = nodes.filter(({ isRemote }) => !isRemote)
  const readings = new Map<LocalNode, Reading>()
  let isClosed = false
  let cancel: (() => void) | null = null

  async function read(thread: LocalNode): Promise<void> {
    if (!thread.isAlive) return void readings.delete(thread)
    const { utilization } = await thread.stats()
    readings.set(thread, { utilization, atMs: clock.nowMs() })
  }

  async function look(): Promise<void> {
    await Promise.all(threads.map((thread) => settleWithin(ANSWER_MS, read(thread))))
    if (!isClosed) cancel = clock.after(LOOK_MS, () => void look())
  }
  if (threads.length > 1) cancel = clock.after(LOOK_MS, () => void look())

  return {
    /** Undefined until the first look, and for nodes of other machines. */
    of: (node: LocalNode) => readings.get(node),
    close() {
      isClosed = true
      cancel?.()
    },
  }
}
