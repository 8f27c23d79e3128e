import { get, i32, i64, repeatWhile, select, set, when, type Code, type WasmFunction } from './wasm-code.ts'

/** Numbers of 130 bits are five limbs of 26, whose products and sums fit in 64 bits. */
const LIMBS = [0, 1, 2, 3, 4] as const
const LIMB_BITS = 26
const LIMB_MASK = 2 ** LIMB_BITS - 1
/** Of the clamped half of the key (RFC 8439, 2.5), limb by limb. */
const CLAMP = [0x3ffffff, 0x3ffff03, 0x3ffc0ff, 0x3f03fff, 0x00fffff] as const
const BLOCK_BYTES = 16
const zero = i32.of(0)

/** Where the state lies: five limbs of the sum, five of the key. */
export interface PolyPlace {
  readonly stateAt: number
  /** The key: its clamped half, then what is added in the end. */
  readonly keyAt: number
}

/** Limb `index` of the 16 bytes at `address`. */
function limbAt(address: Code, index: number, offset = 0): Code {
  const loaded = i64.load32(address, offset + index * 3)
  return index === 0 ? loaded : i64.shrU(loaded, i64.of(index * 2))
}

export const POLY_STATE_BYTES = 2 * LIMBS.length * 8

/** Begins a new sum with the key. */
export function polyBegin({ stateAt, keyAt }: PolyPlace): WasmFunction {
  const stores = LIMBS.map((limb) => [
    i64.store(zero, i64.of(0), stateAt + limb * 8),
    i64.store(zero, i64.and(limbAt(zero, limb, keyAt), i64.of(CLAMP[limb])), stateAt + (LIMBS.length + limb) * 8),
  ])
  return { params: 0, locals: [], body: stores }
}

/** Adds whole blocks: the first parameter is where they lie, the second where they end. */
export function polyBlocks({ stateAt }: PolyPlace): WasmFunction {
  const [at, end] = [0, 1] as const
  const [sum, key, key5, product] = [2, 7, 12, 17] as const
  const carry = 22
  const isLeft = i32.ltU(get(at), get(end))
  const add = LIMBS.map((limb) => {
    const value = limbAt(get(at), limb)
    // A bit behind the 128 says that the block is whole.
    const part = limb === 4 ? i64.or(value, i64.of(2 ** 24)) : i64.and(value, i64.of(LIMB_MASK))
    return set(sum + limb, i64.add(get(sum + limb), part))
  })
  const term = (of: number, by: number): Code => {
    const limb = of - by
    // Limbs above 2^130 come around, times five.
    return i64.mul(get(sum + by), limb >= 0 ? get(key + limb) : get(key5 + limb + LIMBS.length))
  }
  const multiply = LIMBS.map((of) => set(product + of, LIMBS.map((by) => term(of, by)).reduce(i64.add)))
  return {
    params: 2,
    locals: [{ count: 4 * LIMBS.length + 1, type: 'i64' }],
    body: [
      LIMBS.map((limb) => [
        set(sum + limb, i64.load(zero, stateAt + limb * 8)),
        set(key + limb, i64.load(zero, stateAt + (LIMBS.length + limb) * 8)),
        set(key5 + limb, i64.mul(get(key + limb), i64.of(5))),
      ]),
      when(
        isLeft,
        repeatWhile(
          isLeft,
          add,
          multiply,
          set(carry, i64.of(0)),
          LIMBS.map((limb) => carryFrom(product + limb, sum + limb, carry)),
          set(sum, i64.add(get(sum), i64.mul(get(carry), i64.of(5)))),
          set(at, i32.add(get(at), i32.of(BLOCK_BYTES))),
        ),
      ),
      LIMBS.map((limb) => i64.store(zero, get(sum + limb), stateAt + limb * 8)),
    ],
  }
}

/** Adds what is carried to `from`, puts its limb into `to`, and carries the rest. */
function carryFrom(from: number, to: number, carry: number): Code {
  return [
    set(carry, i64.add(get(from), get(carry))),
    set(to, i64.and(get(carry), i64.of(LIMB_MASK))),
    set(carry, i64.shrU(get(carry), i64.of(LIMB_BITS))),
  ]
}

/** Writes the tag to where the parameter says. */
export function polyEnd({ stateAt, keyAt }: PolyPlace): WasmFunction {
  const tagAt = 0
  const [sum, reduced, carry, low, high] = [1, 6, 11, 12, 13] as const
  const around = [
    set(carry, i64.of(0)),
    LIMBS.map((limb) => carryFrom(sum + limb, sum + limb, carry)),
    set(carry, i64.mul(get(carry), i64.of(5))),
  ]
  // A sum of at least 2^130 - 5 is that less.
  const isLess = i64.ltU(get(carry), i64.of(1))
  const shifted = (limb: number, bits: number): Code => i64.shl(get(sum + limb), i64.of(bits))
  const lows = i64.or(get(sum), i64.or(shifted(1, 26), shifted(2, 52)))
  const highs = i64.or(i64.shrU(get(sum + 2), i64.of(12)), i64.or(shifted(3, 14), shifted(4, 40)))
  const carried = i64.ofI32(i64.ltU(get(low), i64.load(zero, keyAt + 16)))
  return {
    params: 1,
    locals: [{ count: 2 * LIMBS.length + 3, type: 'i64' }],
    body: [
      LIMBS.map((limb) => set(sum + limb, i64.load(zero, stateAt + limb * 8))),
      around,
      set(sum, i64.add(get(sum), get(carry))),
      around,
      set(sum, i64.add(get(sum), get(carry))),
      set(carry, i64.of(5)),
      LIMBS.map((limb) => carryFrom(sum + limb, reduced + limb, carry)),
      LIMBS.map((limb) => set(sum + limb, select(isLess, get(sum + limb), get(reduced + limb)))),
      set(low, i64.add(lows, i64.load(zero, keyAt + 16))),
      set(high, i64.add(i64.add(highs, i64.load(zero, keyAt + 24)), carried)),
      i64.store(get(tagAt), get(low)),
      i64.store(get(tagAt), get(high), 8),
    ],
  }
}
