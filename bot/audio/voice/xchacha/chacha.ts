import { call, get, i32, repeatWhile, set, v128, when, type Code, type WasmFunction } from './wasm-code.ts'

/** "expand 32-byte k", as four words. */
const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574] as const
const ROUNDS = 20
const WORDS = 16
const BLOCK_BYTES = 4 * WORDS
/** What `chaChaBlocks` makes at once. */
export const STREAM_BYTES = 4 * BLOCK_BYTES
/** The words of the quarter rounds of two rounds: the columns, then the diagonals (RFC 8439, 2.3). */
const QUARTERS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const

interface Lanes {
  readonly add: (a: Code, b: Code) => Code
  readonly xor: (a: Code, b: Code) => Code
  readonly rotl: (value: Code, bits: number) => Code
}

/** What it takes to do two rounds `ROUNDS / 2` times on the locals from `first` on. */
function rounds({ add, xor, rotl }: Lanes, first: number, counter: number): Code {
  const step = (a: number, b: number, c: number, bits: number): Code => [
    set(first + a, add(get(first + a), get(first + b))),
    set(first + c, rotl(xor(get(first + c), get(first + a)), bits)),
  ]
  const quarters = QUARTERS.map(([a, b, c, d]) => [
    step(a, b, d, 16),
    step(c, d, b, 12),
    step(a, b, d, 8),
    step(c, d, b, 7),
  ])
  return [
    set(counter, i32.of(0)),
    repeatWhile(i32.ltU(get(counter), i32.of(ROUNDS / 2)), quarters, set(counter, i32.add(get(counter), i32.of(1)))),
  ]
}

/**
 * HChaCha20 (draft-irtf-cfrg-xchacha, 2.2) of the key at `keyAt` and a nonce whose first word is the parameter and the rest
 * zero, to `toAt`.
 */
export function hChaCha({ keyAt, toAt }: { readonly keyAt: number; readonly toAt: number }): WasmFunction {
  const first = 1
  const zero = i32.of(0)
  const load = (word: number): Code => {
    if (word < 4) return i32.of(CONSTANTS[word]!)
    if (word < 12) return i32.load(zero, keyAt + (word - 4) * 4)
    return word === 12 ? get(0) : zero
  }
  const lanes: Lanes = { add: i32.add, xor: i32.xor, rotl: (value, bits) => i32.rotl(value, i32.of(bits)) }
  const kept = [0, 1, 2, 3, 12, 13, 14, 15]
  return {
    params: 1,
    locals: [{ count: WORDS + 1, type: 'i32' }],
    body: [
      Array.from({ length: WORDS }, (_, word) => set(first + word, load(word))),
      rounds(lanes, first, first + WORDS),
      kept.map((word, index) => i32.store(zero, get(first + word), toAt + index * 4)),
    ],
  }
}

/** Four blocks of ChaCha20 from the one that the parameter counts on, with a nonce of zeros: `STREAM_BYTES` to `toAt`. */
export function chaChaBlocks({ keyAt, toAt }: { readonly keyAt: number; readonly toAt: number }): WasmFunction {
  const counter = 1
  const first = 2
  const zero = i32.of(0)
  const start = (word: number): Code => {
    if (word < 4) return v128.splat(i32.of(CONSTANTS[word]!))
    if (word < 12) return v128.loadSplat(zero, keyAt + (word - 4) * 4)
    return word === 12 ? v128.add(v128.splat(get(0)), v128.of(0, 1, 2, 3)) : v128.of(0, 0, 0, 0)
  }
  const rotl = (value: Code, bits: number): Code => {
    if (bits % 8 === 0) return v128.shuffle(value, v128.of(0, 0, 0, 0), rotatedBytes(bits / 8))
    const scratch = first + WORDS
    const [left, right] = [v128.shl(get(scratch), i32.of(bits)), v128.shrU(get(scratch), i32.of(32 - bits))]
    return [set(scratch, value), v128.or(left, right)]
  }
  const words = Array.from({ length: WORDS }, (_, word) => first + word)
  return {
    params: 1,
    locals: [
      { count: 1, type: 'i32' },
      { count: WORDS + 1, type: 'v128' },
    ],
    body: [
      words.map((local, word) => set(local, start(word))),
      rounds({ add: v128.add, xor: v128.xor, rotl }, first, counter),
      words.map((local, word) => (word < 13 ? set(local, v128.add(get(local), start(word))) : [])),
      [0, 4, 8, 12].map((word) => storeRows(words.slice(word, word + 4), toAt + word * 4)),
    ],
  }
}

/** Each local has one word of four blocks; in memory the words of a block lie side by side. */
function storeRows(locals: readonly number[], toAt: number): Code {
  const [a, b, c, d] = locals.map(get) as [Code, Code, Code, Code]
  const [low, high] = [lanes(0, 4, 1, 5), lanes(2, 6, 3, 7)]
  const [firsts, seconds] = [lanes(0, 1, 4, 5), lanes(2, 3, 6, 7)]
  const blocks = [
    v128.shuffle(v128.shuffle(a, b, low), v128.shuffle(c, d, low), firsts),
    v128.shuffle(v128.shuffle(a, b, low), v128.shuffle(c, d, low), seconds),
    v128.shuffle(v128.shuffle(a, b, high), v128.shuffle(c, d, high), firsts),
    v128.shuffle(v128.shuffle(a, b, high), v128.shuffle(c, d, high), seconds),
  ]
  return blocks.map((block, index) => v128.store(i32.of(0), block, toAt + index * BLOCK_BYTES))
}

/** Of words, for `v128.shuffle`. */
function lanes(...words: readonly number[]): number[] {
  return words.flatMap((word) => [0, 1, 2, 3].map((byte) => word * 4 + byte))
}

/** Each word rotated to the left by that many bytes. */
function rotatedBytes(by: number): number[] {
  return Array.from({ length: 16 }, (_, byte) => (byte & ~3) | ((byte - by) & 3))
}

/**
 * XORs as many bytes as the second parameter says, from the first on, with the key stream from its second block on. Up to
 * 15 bytes behind them are spoilt. The stream's first four blocks must lie at `streamAt`.
 * @param nextBlocks the index of `chaChaBlocks`.
 */
export function xorStream({ streamAt, nextBlocks }: { streamAt: number; nextBlocks: number }): WasmFunction {
  const [at, end, from, counter] = [0, 1, 2, 3] as const
  const CHUNK = 16
  const lastAt = streamAt + STREAM_BYTES - 1
  const isLeft = i32.ltU(get(at), get(end))
  return {
    params: 2,
    locals: [{ count: 2, type: 'i32' }],
    body: [
      set(end, i32.add(get(at), get(end))),
      set(from, i32.of(streamAt + BLOCK_BYTES)),
      set(counter, i32.of(4)),
      when(
        isLeft,
        repeatWhile(
          isLeft,
          when(
            i32.ltU(i32.of(lastAt), get(from)),
            call(nextBlocks, get(counter)),
            set(counter, i32.add(get(counter), i32.of(4))),
            set(from, i32.of(streamAt)),
          ),
          v128.store(get(at), v128.xor(v128.load(get(at)), v128.load(get(from)))),
          set(at, i32.add(get(at), i32.of(CHUNK))),
          set(from, i32.add(get(from), i32.of(CHUNK))),
        ),
      ),
    ],
  }
}
