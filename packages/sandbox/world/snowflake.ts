import { z } from 'zod'

/** The ID of anything, on a socket. Clients send numbers too; those beyond 53 bits are read as text. */
export const Snowflake = z.union([z.string().regex(/^\d{1,20}$/), z.int().min(0).transform(String)])

/** 2015-01-01, from which Discord's ids count milliseconds. */
const EPOCH_MS = 1_420_070_400_000n

/** The id that belongs to a moment; `counter` tells apart what happened in the same millisecond. */
export function snowflake(atMs: number, counter = 0): string {
  return String(((BigInt(atMs) - EPOCH_MS) << 22n) | BigInt(counter & 0x3f_ff_ff))
}

/** Ids that only ever grow, even if the clock steps back. */
export function createSnowflakes(now: () => number): () => string {
  let lastMs = 0
  let counter = 0
  return () => {
    const nowMs = now()
    if (nowMs > lastMs) {
      lastMs = nowMs
      counter = 0
    } else counter += 1
    return snowflake(lastMs, counter)
  }
}

/** Milliseconds since 1970. */
export function madeAtMs(id: string): number {
  return Number((BigInt(id) >> 22n) + EPOCH_MS)
}
