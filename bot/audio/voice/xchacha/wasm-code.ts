/**
 * Writes WebAssembly: instructions as nested lists of bytes, and the binary format around them
 * (https://webassembly.github.io/spec/core/binary/). Only what the cipher needs.
 */
export type Code = readonly (number | Code)[]

export type ValueType = keyof typeof VALUE_TYPES

export interface WasmFunction {
  readonly params: number
  /** Beside the parameters, numbered after them, in groups of one type. */
  readonly locals: readonly { readonly count: number; readonly type: ValueType }[]
  readonly body: Code
}

const VALUE_TYPES = { i32: 0x7f, i64: 0x7e, v128: 0x7b } as const
const FUNCTION_TYPE = 0x60
const EMPTY = 0x40
const END = 0x0b
const SIMD = 0xfd
const SECTIONS = { types: 1, functions: 3, memory: 5, exports: 7, code: 10 } as const
/** `\0asm`, version 1. */
const PREAMBLE = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]

export const get = (local: number): Code => [0x20, unsigned(local)]
export const set = (local: number, value: Code): Code => [value, 0x21, unsigned(local)]
export const call = (index: number, ...args: readonly Code[]): Code => [args, 0x10, unsigned(index)]
/** Runs the body, and again for as long as `condition` holds after it. */
export const repeatWhile = (condition: Code, ...body: readonly Code[]): Code => [
  [0x03, EMPTY],
  body,
  condition,
  [0x0d, 0, END],
]
export const when = (condition: Code, ...body: readonly Code[]): Code => [condition, [0x04, EMPTY], body, END]
/** `whenTrue` and `whenFalse` are both evaluated: no branch depends on what is secret. */
export const select = (condition: Code, whenTrue: Code, whenFalse: Code): Code => [whenTrue, whenFalse, condition, 0x1b]

const binary =
  (...opcode: readonly number[]) =>
  (a: Code, b: Code): Code => [a, b, opcode]

/** @param align of the address, as a power of two */
const loading =
  (align: number, ...opcode: readonly number[]) =>
  (address: Code, offset = 0): Code => [address, opcode, align, unsigned(offset)]

const storing =
  (align: number, ...opcode: readonly number[]) =>
  (address: Code, value: Code, offset = 0): Code => [address, value, opcode, align, unsigned(offset)]

export const i32 = {
  of: (value: number): Code => [0x41, signed(value)],
  load: loading(2, 0x28),
  store: storing(2, 0x36),
  add: binary(0x6a),
  and: binary(0x71),
  or: binary(0x72),
  xor: binary(0x73),
  shrU: binary(0x76),
  rotl: binary(0x77),
  ltU: binary(0x49),
} as const

export const i64 = {
  of: (value: number): Code => [0x42, signed(value)],
  load: loading(0, 0x29),
  /** Four bytes. */
  load32: loading(0, 0x35),
  store: storing(0, 0x37),
  add: binary(0x7c),
  sub: binary(0x7d),
  mul: binary(0x7e),
  and: binary(0x83),
  or: binary(0x84),
  shl: binary(0x86),
  shrU: binary(0x88),
  ltU: binary(0x54),
  ltS: binary(0x53),
  ofI32: (value: Code): Code => [value, 0xad],
} as const

/** Sixteen bytes, taken as four 32-bit lanes. */
export const v128 = {
  load: loading(0, SIMD, 0x00),
  /** One word in all four lanes. */
  loadSplat: loading(0, SIMD, 0x09),
  store: storing(0, SIMD, 0x0b),
  of: (...lanes: readonly [number, number, number, number]): Code => [
    SIMD,
    0x0c,
    ...new Uint8Array(Uint32Array.from(lanes).buffer),
  ],
  splat: (value: Code): Code => [value, SIMD, 0x11],
  /** The bytes that `lanes` names: 0 to 15 of `a`, 16 to 31 of `b`. */
  shuffle: (a: Code, b: Code, lanes: readonly number[]): Code => [a, b, SIMD, 0x0d, lanes],
  or: binary(SIMD, 0x50),
  xor: binary(SIMD, 0x51),
  add: binary(SIMD, ...unsigned(0xae)),
  shl: binary(SIMD, ...unsigned(0xab)),
  shrU: binary(SIMD, ...unsigned(0xad)),
} as const

/** A module of functions that take 32-bit parameters and return nothing, with one page of memory. */
export function moduleOf(functions: readonly WasmFunction[], exports: Readonly<Record<string, number>>): Uint8Array {
  const types = functions.map(({ params }): Code => [
    FUNCTION_TYPE,
    vector(Array.from({ length: params }, () => [VALUE_TYPES.i32])),
    0,
  ])
  const names = Object.entries(exports).map(([name, index]): Code => [text(name), 0, unsigned(index)])
  const bodies = functions.map(({ locals, body }) => {
    const groups = locals.map(({ count, type }): Code => [unsigned(count), VALUE_TYPES[type]])
    return sized([vector(groups), body, END])
  })
  const sections: Code = [
    [SECTIONS.types, sized(vector(types))],
    [SECTIONS.functions, sized(vector(functions.map((_, index) => unsigned(index))))],
    [SECTIONS.memory, sized(vector([[0, 1]]))],
    [SECTIONS.exports, sized(vector([...names, [text('memory'), 2, 0]]))],
    [SECTIONS.code, sized(vector(bodies))],
  ]
  return Uint8Array.from(flat([PREAMBLE, sections]))
}

function flat(code: Code): number[] {
  return code.flat(Infinity as 20) as number[]
}

function vector(items: readonly Code[]): Code {
  return [unsigned(items.length), items]
}

function sized(code: Code): Code {
  const bytes = flat(code)
  return [unsigned(bytes.length), bytes]
}

function text(name: string): Code {
  return vector(Array.from(Buffer.from(name), (byte) => [byte]))
}

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

/** LEB128 of an integer of at most 53 bits. */
function signed(value: number): number[] {
  const low = ((value % 0x80) + 0x80) % 0x80
  const rest = Math.floor(value / 0x80)
  const isLast = (rest === 0 && low < 0x40) || (rest === -1 && low >= 0x40)
  return isLast ? [low] : [low | 0x80, ...signed(rest)]
}
