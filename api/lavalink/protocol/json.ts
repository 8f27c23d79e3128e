/** Java's `Long.MAX_VALUE`, rounded to the nearest JavaScript number. */
export const LONGEST = 2 ** 63

/**
 * JSON as Lavalink writes it: the length of a stream is the largest signed 64-bit integer, which no JavaScript number
 * equals and which readers with 64 bits refuse to see exceeded.
 */
export function toWireJson(value: unknown): string {
  return JSON.stringify(value, exactLongs)
}

function exactLongs(_key: string, value: unknown): unknown {
  return typeof value === 'number' && value >= LONGEST ? rawJson('9223372036854775807') : value
}

/** ECMAScript's `JSON.rawJSON`, which the compiler does not know yet. */
const { rawJSON: rawJson } = JSON as unknown as { readonly rawJSON: (text: string) => object }
