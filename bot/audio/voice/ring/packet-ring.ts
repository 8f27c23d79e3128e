import type { Socket } from 'node:dgram'
import { closeSync } from 'node:fs'
import { constants } from 'node:os'
import { getSystemErrorName } from 'node:util'
import { IoUring, SLOT_BYTES, type Failure } from './io-uring.ts'

/** So many packets at most go out in one system call. */
const PACKETS = 64

/** A connected UDP socket that a ring sends from. */
export interface RingSocket {
  /**
   * Sends a copy at the end of this turn of the event loop.
   * @returns false if the packet has to be sent otherwise.
   */
  send(packet: Uint8Array): boolean
}

/** What is known of the socket whose packet is in a slot. */
interface Owner {
  readonly socket: Socket
  /** Null once it is closed: the number may belong to another file then. */
  fd: number | null
}

/**
 * Gathers the packets that a thread sends in one turn of its event loop, and hands them to the kernel together. A system call
 * costs as much as all the rest of sending a packet, and Node makes one for each.
 */
export class PacketRing {
  readonly #ring: IoUring
  readonly #onBroken: (error: unknown) => void
  readonly #flush = (): void => this.flush()
  readonly #owners: Owner[] = []
  #isOver = false

  private constructor(ring: IoUring, onBroken: (error: unknown) => void) {
    this.#ring = ring
    this.#onBroken = onBroken
  }

  /**
   * @param onBroken called once if the kernel takes no more packets; they are sent one by one from then on.
   * @throws {Error} where packets have to be sent one by one.
   */
  static async open(onBroken: (error: unknown) => void): Promise<PacketRing> {
    return new PacketRing(await IoUring.open(PACKETS), onBroken)
  }

  /**
   * Gives a new IPv4 socket of Node, which is neither bound nor connected, a file descriptor that the ring knows.
   * @returns null if the socket is to be used without the ring.
   * @throws {Error} if the socket is closed.
   */
  adopt(socket: Socket): RingSocket | null {
    const fd = this.#isOver ? null : this.#ring.openSocket()
    if (fd === null) return null
    try {
      socket.bind({ fd })
    } catch (error) {
      closeSync(fd)
      throw error
    }
    const owner: Owner = { socket, fd }
    const close = socket.close.bind(socket)
    // Packets that wait would go to the file that gets the number next.
    socket.close = (callback) => {
      this.flush()
      owner.fd = null
      return close(callback)
    }
    return { send: (packet) => this.#send(owner, packet) }
  }

  /** Sends what waits. */
  flush(): void {
    if (this.#isOver || this.#ring.count === 0) return
    try {
      for (const failure of this.#ring.submit()) this.#onFailure(failure)
    } catch (error) {
      this.#isOver = true
      this.#onBroken(error)
    }
  }

  close(): void {
    this.flush()
    this.#isOver = true
    this.#ring.close()
  }

  #send(owner: Owner, packet: Uint8Array): boolean {
    if (this.#isOver || owner.fd === null || packet.length > SLOT_BYTES) return false
    if (this.#ring.isFull) this.flush()
    if (this.#ring.count === 0) queueMicrotask(this.#flush)
    this.#owners[this.#ring.add(owner.fd, packet)] = owner
    return true
  }

  #onFailure({ slot, errno }: Failure): void {
    const { socket, fd = null } = this.#owners[slot] ?? {}
    if (!socket || fd === null) return
    const code = getSystemErrorName(-errno)
    // Node keeps it until the network takes more.
    if (errno === constants.errno.EAGAIN) socket.send(this.#ring.packetAt(slot))
    else socket.emit('error', Object.assign(new Error(`send ${code}`), { errno: -errno, code, syscall: 'send' }))
  }
}
