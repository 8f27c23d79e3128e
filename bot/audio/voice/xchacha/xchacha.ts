import { chaChaBlocks, hChaCha, STREAM_BYTES, xorStream } from './chacha.ts'
import { POLY_STATE_BYTES, polyBegin, polyBlocks, polyEnd } from './poly1305.ts'
import { call, get, i32, i64, moduleOf, set, v128, type Code, type WasmFunction } from './wasm-code.ts'

/** As in the browser's library of types, which is not in use. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => {
    readonly exports: { readonly seal: Seal; readonly memory: { readonly buffer: ArrayBuffer } }
  }
}

type Seal = (at: number, textBytes: number, counter: number) => void

const KEY_AT = 0
const KEY_BYTES = 32
const SUBKEY_AT = KEY_AT + KEY_BYTES
const SCRATCH_AT = SUBKEY_AT + KEY_BYTES
const POLY_KEY_AT = SCRATCH_AT + 16
const POLY_AT = POLY_KEY_AT + KEY_BYTES
const STREAM_AT = POLY_AT + POLY_STATE_BYTES
const FREE_AT = STREAM_AT + STREAM_BYTES
const PAGE_BYTES = 65_536

/** Of an RTP packet without extensions: all that is authenticated and not encrypted. */
export const HEADER_BYTES = 12
const TAG_BYTES = 16
/** Of the nonce only the counter travels; the other 20 bytes are zero. */
const COUNTER_BYTES = 4
/** The cipher works on 16 bytes at once, and spoils what lies behind the packet. */
const SLACK_BYTES = 16
export const OVERHEAD_BYTES = HEADER_BYTES + TAG_BYTES + COUNTER_BYTES

/** Index of each function in the module. */
const [DERIVE, BLOCKS, XOR, BEGIN, ADD, END, SEAL] = [0, 1, 2, 3, 4, 5, 6] as const

/** `seal(at, textBytes, counter)`: the header lies at `at`, the text behind it. */
function seal(): WasmFunction {
  const [at, bytes, counter, textAt, endAt] = [0, 1, 2, 3, 4] as const
  const zero = i32.of(0)
  const swapped = i32.or(
    i32.and(i32.rotl(get(counter), i32.of(8)), i32.of(0x00ff00ff)),
    i32.and(i32.rotl(get(counter), i32.of(24)), i32.of(0xff00ff00 | 0)),
  )
  const addScratch = call(ADD, i32.of(SCRATCH_AT), i32.of(SCRATCH_AT + 16))
  const copied = (load: (address: Code, offset: number) => Code, offset: number) => load(get(at), offset)
  return {
    params: 3,
    locals: [{ count: 2, type: 'i32' }],
    body: [
      set(textAt, i32.add(get(at), i32.of(HEADER_BYTES))),
      set(endAt, i32.add(get(textAt), get(bytes))),
      // The counter is big-endian in the packet, and a little-endian word of the nonce.
      set(counter, swapped),
      call(DERIVE, get(counter)),
      call(BLOCKS, zero),
      // The first block is the key of the tag.
      [0, 16].map((offset) => v128.store(zero, v128.load(zero, STREAM_AT + offset), POLY_KEY_AT + offset)),
      call(XOR, get(textAt), get(bytes)),
      // Sums go over whole blocks, filled up with zeros: of the header, of the text, and of their lengths.
      v128.store(get(endAt), v128.of(0, 0, 0, 0)),
      call(BEGIN),
      i64.store(zero, copied(i64.load, 0), SCRATCH_AT),
      i64.store(zero, copied(i64.load32, 8), SCRATCH_AT + 8),
      addScratch,
      call(ADD, get(textAt), get(endAt)),
      i64.store(zero, i64.of(HEADER_BYTES), SCRATCH_AT),
      i64.store(zero, i64.ofI32(get(bytes)), SCRATCH_AT + 8),
      addScratch,
      call(END, get(endAt)),
      i32.store(get(endAt), get(counter), TAG_BYTES),
    ],
  }
}

function build(): object {
  const poly = { stateAt: POLY_AT, keyAt: POLY_KEY_AT }
  const functions: WasmFunction[] = []
  functions[DERIVE] = hChaCha({ keyAt: KEY_AT, toAt: SUBKEY_AT })
  functions[BLOCKS] = chaChaBlocks({ keyAt: SUBKEY_AT, toAt: STREAM_AT })
  functions[XOR] = xorStream({ streamAt: STREAM_AT, nextBlocks: BLOCKS })
  functions[BEGIN] = polyBegin(poly)
  functions[ADD] = polyBlocks(poly)
  functions[END] = polyEnd(poly)
  functions[SEAL] = seal()
  return new WebAssembly.Module(moduleOf(functions, { seal: SEAL }))
}

/** A packet is made in one of several places, since the system may keep one until the network takes it. */
const PLACE_BYTES = 2048
const PLACES = Math.floor((PAGE_BYTES - FREE_AT) / PLACE_BYTES)
/** The longest text that `begin` takes. */
export const MAX_TEXT_BYTES = PLACE_BYTES - OVERHEAD_BYTES - SLACK_BYTES

/**
 * Seals RTP packets with XChaCha20-Poly1305 (`aead_xchacha20_poly1305_rtpsize`) in memory of its own: no object is made for
 * a packet. One serves a whole thread.
 */
export class XChaChaSealer {
  readonly #seal: Seal
  readonly #memory: ArrayBuffer
  readonly #key: Uint8Array
  #place = 0
  #textBytes = 0
  /** Of the present place, by length. */
  #packets: Buffer[] = []

  /** @throws {Error} on a processor without SIMD. */
  constructor() {
    const { exports } = new WebAssembly.Instance(build())
    this.#seal = exports.seal
    this.#memory = exports.memory.buffer
    this.#key = new Uint8Array(this.#memory, KEY_AT, KEY_BYTES)
  }

  /** Where to write the header, and the text behind it. It is the same memory each time, until `leavePlace`. */
  begin(textBytes: number): Buffer {
    this.#textBytes = textBytes
    const bytes = textBytes + OVERHEAD_BYTES
    return (this.#packets[bytes] ??= Buffer.from(this.#memory, this.#at, bytes))
  }

  /** Encrypts what was written, and adds its tag and the counter. */
  seal(key: Uint8Array, counter: number): void {
    this.#key.set(key)
    this.#seal(this.#at, this.#textBytes, counter)
  }

  /** The packet made last stays as it is for many more calls of this. */
  leavePlace(): void {
    this.#place = (this.#place + 1) % PLACES
    this.#packets = []
  }

  get #at(): number {
    return FREE_AT + this.#place * PLACE_BYTES
  }
}
