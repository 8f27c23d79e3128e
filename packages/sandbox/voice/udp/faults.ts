/** Network faults for the audio packets of a guild; omitted ones do not occur. */
export interface UdpFaults {
  /** `in`: on the way to the server; `out`: from the server to the listeners. Both by default. */
  readonly direction?: 'in' | 'out' | 'both'
  readonly lossPercent?: number
  readonly delayMs?: number
  /** Up to so much on top of the delay, evenly spread; beyond one packet's time it also reorders. */
  readonly jitterMs?: number
  /** This share of packets is overtaken by those of the next 30 ms. */
  readonly reorderPercent?: number
  /** Nothing gets through; up to 1,000 packets wait and arrive in one burst when the stall ends, later ones are lost. */
  readonly stalled?: boolean
}

type Deliver = () => void

/** One direction of one guild's network. */
export type FaultyPath = ReturnType<typeof createFaultyPath>

const HELD_MAX = 1000
const OVERTAKEN_BY_MS = 30

export function createFaultyPath(random: () => number) {
  let faults: UdpFaults = {}
  let held: Deliver[] = []
  const timers = new Set<NodeJS.Timeout>()

  function later(deliver: Deliver, delayMs: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      deliver()
    }, delayMs)
    timers.add(timer)
  }

  return {
    get isTroubled(): boolean {
      return hasAny(faults)
    },
    /** Delivers now, later, or never. */
    pass(deliver: Deliver) {
      const { lossPercent = 0, delayMs = 0, jitterMs = 0, reorderPercent = 0, stalled = false } = faults
      if (stalled) {
        if (held.length < HELD_MAX) held.push(deliver)
        return
      }
      if (random() * 100 < lossPercent) return
      const overtakenMs = random() * 100 < reorderPercent ? OVERTAKEN_BY_MS : 0
      const totalMs = delayMs + random() * jitterMs + overtakenMs
      if (totalMs > 0) later(deliver, totalMs)
      else deliver()
    },
    /** Takes effect for the packets to come; what a stall held back is delivered when it is over. */
    set(next: UdpFaults) {
      faults = next
      if (next.stalled) return
      const released = held
      held = []
      for (const deliver of released) deliver()
    },
    /** Forgets anything that is under way. */
    close() {
      held = []
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}

function hasAny({ lossPercent, delayMs, jitterMs, reorderPercent, stalled }: UdpFaults): boolean {
  return Boolean(lossPercent || delayMs || jitterMs || reorderPercent || stalled)
}
