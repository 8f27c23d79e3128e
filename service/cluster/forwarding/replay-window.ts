/** Requests overtake each other, but not by so many. */
const WINDOW = 65_536
/** More than an installation has within the life of a request. */
const MOST_SENDERS = 500

interface Seen {
  /** A bit for each of the last numbers. */
  readonly bits: Uint8Array
  highest: number
  atMs: number
}

/** Accepts each number of each sender once. @param forgetAfterMs later, a request is too old to be accepted anyway. */
export function createReplayWindow(forgetAfterMs: number, now: () => number) {
  const senders = new Map<string, Seen>()

  function seenOf(sender: string): Seen | null {
    const known = senders.get(sender)
    if (known) return known
    for (const [id, { atMs }] of senders) if (atMs + forgetAfterMs < now()) senders.delete(id)
    if (senders.size >= MOST_SENDERS) return null
    const made: Seen = { bits: new Uint8Array(WINDOW / 8), highest: 0, atMs: now() }
    senders.set(sender, made)
    return made
  }

  return {
    /** @returns whether the number is new. */
    accept(sender: string, seq: number): boolean {
      const seen = seenOf(sender)
      if (!seen || seq <= seen.highest - WINDOW) return false
      seen.atMs = now()
      if (seq > seen.highest) {
        if (seq - seen.highest >= WINDOW) seen.bits.fill(0)
        else for (let at = seen.highest + 1; at < seq; at += 1) setBit(seen.bits, at, false)
        seen.highest = seq
      } else if (hasBit(seen.bits, seq)) {
        return false
      }
      setBit(seen.bits, seq, true)
      return true
    },
  }
}

function hasBit(bits: Uint8Array, seq: number): boolean {
  const at = seq % WINDOW
  return ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0
}

function setBit(bits: Uint8Array, seq: number, isSet: boolean): void {
  const at = seq % WINDOW
  const bit = 1 << (at & 7)
  bits[at >> 3] = isSet ? (bits[at >> 3] ?? 0) | bit : (bits[at >> 3] ?? 0) & ~bit
}
