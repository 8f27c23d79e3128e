import { loadKernelCalls, type KernelCalls, type Mapping } from './kernel-calls.ts'

const OPCODE_SEND = 26
/** What the network does not take at once fails with EAGAIN, so that the packet is never read later. */
const MSG_DONTWAIT = 0x40
/** The submission entries are mapped from here. */
const ENTRIES_OFFSET = 0x1000_0000
/** Both rings are one mapping (Linux 5.4), and sockets need no thread of the kernel (5.7). */
const NEEDED_FEATURES = (1 << 0) | (1 << 5)
const PARAMS_BYTES = 120

/** An `io_uring_sqe`, and where its fields are, in words of 32 bits. */
const ENTRY_WORDS = 16
const FD_WORD = 1
const ADDRESS_WORD = 4
const LENGTH_WORD = 6
const FLAGS_WORD = 7
const USER_DATA_WORD = 8
/** An `io_uring_cqe`: what was given as user data, and the result. */
const COMPLETION_WORDS = 4
const RESULT_WORD = 2

/** The largest packet. Ethernet takes no larger one in one piece. */
export const SLOT_BYTES = 1536

/** A packet that was not sent. */
export interface Failure {
  readonly slot: number
  readonly errno: number
}

const NO_FAILURES: readonly Failure[] = []

interface Parts {
  readonly calls: KernelCalls
  readonly fd: number
  readonly rings: Mapping
  readonly entries: Mapping
  readonly places: Places
}

/**
 * Datagrams of many sockets in one system call, by Linux's io_uring (io_uring(7), linux/io_uring.h). Node sends each in a
 * call of its own. Only the thread that opened it may use it.
 */
export class IoUring {
  readonly #parts: Parts
  readonly #rings: Uint32Array
  readonly #entries: Uint32Array
  readonly #packets: Uint8Array
  readonly #mask: number
  #tail: number
  #count = 0
  #isOpen = true

  private constructor(parts: Parts) {
    this.#parts = parts
    this.#rings = parts.rings.words
    this.#entries = parts.entries.words
    const size = this.#entries.length / ENTRY_WORDS
    this.#mask = size - 1
    this.#packets = new Uint8Array(new ArrayBuffer(size * SLOT_BYTES))
    this.#tail = this.#rings[parts.places.tail] ?? 0
    this.#prefill(parts.calls.addressOf(this.#packets))
  }

  /**
   * @param size how many packets go out at once; a power of two.
   * @throws {Error} where there is none, or it is not allowed.
   */
  static async open(size: number): Promise<IoUring> {
    const calls = await loadKernelCalls()
    const params = Buffer.alloc(PARAMS_BYTES)
    const fd = calls.setup(size, params)
    const mapped: Mapping[] = []
    try {
      const { features, places, bytes } = readParams(params)
      if ((features & NEEDED_FEATURES) !== NEEDED_FEATURES) throw new Error('the kernel is older than Linux 5.7')
      const rings = calls.map(fd, bytes, 0)
      mapped.push(rings)
      const entries = calls.map(fd, size * ENTRY_WORDS * 4, ENTRIES_OFFSET)
      return new IoUring({ calls, fd, rings, entries, places })
    } catch (error) {
      for (const mapping of mapped) mapping.unmap()
      calls.close(fd)
      throw error
    }
  }

  /** How many packets wait for `submit`. */
  get count(): number {
    return this.#count
  }

  get isFull(): boolean {
    return this.#count > this.#mask
  }

  /** The file descriptor of a new UDP socket, for `bind`; null if there is none to be had. */
  openSocket(): number | null {
    return this.#parts.calls.openSocket()
  }

  /** Copies a packet of at most `SLOT_BYTES`, which goes out with `submit`. @returns where it is kept until the next `add`. */
  add(fd: number, packet: Uint8Array): number {
    const slot = (this.#tail + this.#count++) & this.#mask
    const entry = slot * ENTRY_WORDS
    this.#packets.set(packet, slot * SLOT_BYTES)
    this.#entries[entry + FD_WORD] = fd
    this.#entries[entry + LENGTH_WORD] = packet.length
    return slot
  }

  /** @returns a copy of what was added last at that slot. */
  packetAt(slot: number): Buffer {
    const at = slot * SLOT_BYTES
    return Buffer.from(this.#packets.subarray(at, at + (this.#entries[slot * ENTRY_WORDS + LENGTH_WORD] ?? 0)))
  }

  /**
   * Sends what was added, in its order.
   * @returns those that were not sent.
   * @throws {Error} if the kernel takes no more; then none of the rest went out.
   */
  submit(): readonly Failure[] {
    const { calls, fd, places } = this.#parts
    this.#tail = (this.#tail + this.#count) >>> 0
    this.#count = 0
    this.#rings[places.tail] = this.#tail
    for (;;) {
      const left = (this.#tail - (this.#rings[places.head] ?? 0)) >>> 0
      if (left === 0) return this.#failures()
      calls.enter(fd, left)
    }
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    const { calls, fd, rings, entries } = this.#parts
    rings.unmap()
    entries.unmap()
    calls.close(fd)
  }

  #failures(): readonly Failure[] {
    const { completedHead, completedTail, completedMask, completions } = this.#parts.places
    const rings = this.#rings
    let failures: Failure[] | null = null
    let at = rings[completedHead] ?? 0
    for (const end = rings[completedTail]; at !== end; at = (at + 1) >>> 0) {
      const completion = completions + (at & completedMask) * COMPLETION_WORDS
      const result = (rings[completion + RESULT_WORD] ?? 0) | 0
      if (result < 0) (failures ??= []).push({ slot: rings[completion] ?? 0, errno: -result })
    }
    rings[completedHead] = at
    return failures ?? NO_FAILURES
  }

  /** What is the same for all packets of a slot. */
  #prefill(packetsAt: bigint): void {
    for (let slot = 0; slot <= this.#mask; slot++) {
      const at = packetsAt + BigInt(slot * SLOT_BYTES)
      const entry = slot * ENTRY_WORDS
      this.#entries[entry] = OPCODE_SEND
      this.#entries[entry + ADDRESS_WORD] = Number(at & 0xffff_ffffn)
      this.#entries[entry + ADDRESS_WORD + 1] = Number(at >> 32n)
      this.#entries[entry + FLAGS_WORD] = MSG_DONTWAIT
      this.#entries[entry + USER_DATA_WORD] = slot
      this.#rings[this.#parts.places.array + slot] = slot
    }
  }
}

/** Where in the mapping of both rings the kernel keeps what, in words of 32 bits. */
interface Places {
  readonly head: number
  readonly tail: number
  readonly array: number
  readonly completedHead: number
  readonly completedTail: number
  readonly completedMask: number
  readonly completions: number
}

/** Of `io_uring_params`; its offsets are in bytes. */
function readParams(params: Buffer): { features: number; places: Places; bytes: number } {
  const entries = params.readUInt32LE(0)
  const completedMask = params.readUInt32LE(4) - 1
  const word = (at: number) => params.readUInt32LE(at) / 4
  const places = {
    head: word(40),
    tail: word(44),
    array: word(64),
    completedHead: word(80),
    completedTail: word(84),
    completedMask,
    completions: word(100),
  }
  const words = Math.max(places.array + entries, places.completions + (completedMask + 1) * COMPLETION_WORDS)
  return { features: params.readUInt32LE(20), places, bytes: words * 4 }
}
