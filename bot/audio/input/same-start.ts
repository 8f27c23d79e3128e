/** Enough to tell a file that is sent again from a radio that goes on. */
export const START_BYTES = 16 * 1024

interface Compared {
  readonly isSame: boolean
  /** Read for the comparison. */
  readonly held: readonly Buffer[]
}

/** Result when no comparison was needed. */
export const NOTHING: Compared = { isSame: true, held: [] }

/** Whether the bytes begin with those; what ends before that begins with them, too. Reads no more than it takes to tell. */
export async function startsWith(chunks: AsyncIterator<Buffer, void>, known: Buffer): Promise<Compared> {
  const held: Buffer[] = []
  for (let count = 0; count < known.length;) {
    const { value, done } = await chunks.next()
    if (done) return { isSame: count > 0, held }
    held.push(value)
    const expected = known.subarray(count, count + value.length)
    if (!expected.equals(value.subarray(0, expected.length))) return { isSame: false, held }
    count += value.length
  }
  return { isSame: true, held }
}

/** Yields the pieces already read from an iteration, then the rest of it. */
export async function* following(held: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  yield* held
  yield* rest
}
