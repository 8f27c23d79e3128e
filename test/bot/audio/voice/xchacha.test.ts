import { createHash } from 'node:crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { expect } from 'chai'
import { HEADER_BYTES, MAX_TEXT_BYTES, XChaChaSealer } from '../../../../bot/audio/voice/xchacha/xchacha.ts'

describe('the XChaCha20-Poly1305 of voice packets', () => {
  it('seals texts of every length, which another implementation opens', () => {
    const sealer = new XChaChaSealer()
    const lengths = [...Array(700).keys(), MAX_TEXT_BYTES]
    for (const length of lengths) {
      const packet = {
        key: bytes(32, `key ${length}`),
        counter: (length * 6_000_007) >>> 0,
        text: bytes(length, 'text'),
      }
      expect(open(seal(sealer, packet), packet.key)).to.deep.equal(packet.text, `${length} bytes`)
    }
  })

  it('has the right tag where sums come near its modulus', () => {
    const sealer = new XChaChaSealer()
    for (let counter = 0; counter < 200; counter++) {
      const key = bytes(32, 'same')
      const stream = Buffer.from(seal(sealer, { key, counter, text: Buffer.alloc(64) })).subarray(
        HEADER_BYTES,
        HEADER_BYTES + 64,
      )
      // What is sent is nothing but ones.
      const text = Buffer.from(stream.map((byte) => ~byte))
      expect(open(seal(sealer, { key, counter, text }), key)).to.deep.equal(text)
    }
  })

  it('writes the counter at the end, which the nonce begins with', () => {
    const packet = seal(new XChaChaSealer(), { key: bytes(32, 'key'), counter: 0xfffefdfc, text: bytes(20, 'text') })
    expect(packet.subarray(-4).toString('hex')).to.equal('fffefdfc')
  })

  it('leaves a packet that the system keeps as it is, while others are made', () => {
    const sealer = new XChaChaSealer()
    const kept = { key: bytes(32, 'kept'), counter: 1, text: bytes(300, 'kept') }
    const packet = seal(sealer, kept)
    sealer.leavePlace()
    for (let counter = 2; counter < 100; counter++) seal(sealer, { ...kept, counter })
    expect(open(packet, kept.key)).to.deep.equal(kept.text)
    expect(packet.readUInt32BE(packet.length - 4)).to.equal(1)
  })
})

interface Packet {
  readonly key: Buffer
  readonly counter: number
  readonly text: Buffer
}

const HEADER = Buffer.from('807801020304050607080900', 'hex')

function seal(sealer: XChaChaSealer, { key, counter, text }: Packet): Buffer {
  const packet = sealer.begin(text.length)
  packet.set(HEADER)
  packet.set(text, HEADER_BYTES)
  sealer.seal(key, counter)
  return packet
}

/** @throws {Error} where the tag is wrong. */
function open(packet: Buffer, key: Buffer): Buffer {
  const counterAt = packet.length - 4
  const nonce = Buffer.alloc(24)
  packet.copy(nonce, 0, counterAt)
  const cipher = xchacha20poly1305(key, nonce, packet.subarray(0, HEADER_BYTES))
  return Buffer.from(cipher.decrypt(packet.subarray(HEADER_BYTES, counterAt)))
}

/** The same each time, and without a pattern. */
function bytes(length: number, seed: string): Buffer {
  const made = createHash('shake256', { outputLength: Math.max(1, length) })
    .update(seed)
    .digest()
  return made.subarray(0, length)
}
