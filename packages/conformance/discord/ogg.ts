const HEADER_BYTES = 27

/** Takes the packets of one logical stream out of Ogg pages (RFC 3533) as the bytes come. */
export class OggReader {
  #rest: Buffer = Buffer.alloc(0)
  #begun: Buffer[] = []

  push(bytes: Uint8Array): Buffer[] {
    this.#rest = Buffer.concat([this.#rest, bytes])
    const packets: Buffer[] = []
    for (;;) {
      const segments = this.#rest[HEADER_BYTES - 1]
      if (segments === undefined) return packets
      const lacing = this.#rest.subarray(HEADER_BYTES, HEADER_BYTES + segments)
      const size = HEADER_BYTES + segments + lacing.reduce((sum, one) => sum + one, 0)
      if (lacing.length < segments || this.#rest.length < size) return packets
      const page = this.#rest.subarray(HEADER_BYTES + segments, size)
      this.#rest = this.#rest.subarray(size)
      packets.push(...this.#packets(page, [...lacing]))
    }
  }

  #packets(page: Buffer, lacing: readonly number[]): Buffer[] {
    const packets: Buffer[] = []
    let at = 0
    for (const size of lacing) {
      this.#begun.push(page.subarray(at, at + size))
      at += size
      // A packet ends with the first segment that is not full.
      if (size === 255) continue
      packets.push(Buffer.concat(this.#begun))
      this.#begun = []
    }
    return packets
  }
}
