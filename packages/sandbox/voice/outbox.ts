const SEQUENCE_RANGE = 0x1_0000
/** Messages kept for a resume; a client that acknowledges none of so many cannot resume any more. */
const KEPT_MAX = 1000

interface Sent {
  readonly sequence: number
  readonly message: string | Buffer
}

/**
 * The numbered messages of one session. JSON and binary messages share one counter of 16 bits; what the client has
 * not acknowledged yet (`seq_ack` of op 3) is kept for op 7.
 */
export type Outbox = ReturnType<typeof createOutbox>

export function createOutbox() {
  let kept: Sent[] = []
  let last = 0

  function keepAfter(sequence: number): Sent[] {
    return kept.filter((sent) => isAfter(sent.sequence, sequence))
  }

  return {
    /** Numbers a message and keeps it. */
    add(write: (sequence: number) => string | Buffer): string | Buffer {
      last = (last + 1) % SEQUENCE_RANGE
      const message = write(last)
      kept.push({ sequence: last, message })
      if (kept.length > KEPT_MAX) kept.shift()
      return message
    },
    acknowledge(sequence: number) {
      if (sequence >= 0) kept = keepAfter(sequence)
    },
    /** Messages after `sequence` (-1: all), or null if some of them are gone. */
    since(sequence: number): readonly (string | Buffer)[] | null {
      const missing = sequence < 0 ? kept : keepAfter(sequence)
      const oldest = missing[0]?.sequence ?? null
      const isWhole =
        oldest === null ? sequence === last || last === 0 : oldest === (Math.max(sequence, 0) + 1) % SEQUENCE_RANGE
      return isWhole ? missing.map(({ message }) => message) : null
    },
  }
}

/** Serial number arithmetic (RFC 1982): half the range lies ahead. */
function isAfter(sequence: number, reference: number): boolean {
  const ahead = (sequence - reference + SEQUENCE_RANGE) % SEQUENCE_RANGE
  return ahead > 0 && ahead < SEQUENCE_RANGE / 2
}
