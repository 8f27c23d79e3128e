/** One packet of an Ogg Opus stream, with the granule position of the page on which it ends. */
export interface OggPacket {
  readonly bytes: Buffer
  readonly granule: bigint
}

/** The audio packets of an Ogg stream: the two header packets are left out. Written for tests, apart from the writer. */
export function readOggPackets(ogg: Buffer): OggPacket[] {
  const packets: OggPacket[] = []
  let unfinished: Buffer[] = []
  for (let at = 0; at < ogg.length;) {
    if (ogg.toString('latin1', at, at + 4) !== 'OggS') throw new Error(`No page begins at byte ${at}.`)
    const granule = ogg.readBigUInt64LE(at + 6)
    const lacing = ogg.subarray(at + 27, at + 27 + (ogg[at + 26] ?? 0))
    at += 27 + lacing.length
    for (const size of lacing) {
      unfinished.push(ogg.subarray(at, at + size))
      at += size
      if (size === 255) continue
      packets.push({ bytes: Buffer.concat(unfinished), granule })
      unfinished = []
    }
  }
  return packets.slice(2)
}
