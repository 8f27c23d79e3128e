import { createDecipheriv } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { VoiceUDPSocket, type NetworkingReadyState } from '@discordjs/voice'
import { expect } from 'chai'
import { PacketSender } from '../../../../bot/audio/voice/packet-sender.ts'
import { closing } from '../../../support/closing.ts'
import { eventually } from '../../../support/service.ts'

const HOST = '127.0.0.1'
const HEADER_BYTES = 12
const TAG_BYTES = 16
const KEY = Buffer.alloc(32, 7)
/** The longest frame that Opus has at 20 ms. */
const MAX_FRAME_BYTES = 1275

type Open = (packet: Buffer, nonce: number) => Buffer

/** Opens packets with implementations other than the sender's. */
const MODES: Record<string, Open> = {
  aead_xchacha20_poly1305_rtpsize: (packet, counter) => {
    const nonce = Buffer.alloc(24)
    nonce.writeUInt32BE(counter, 0)
    const cipher = xchacha20poly1305(KEY, nonce, packet.subarray(0, HEADER_BYTES))
    return Buffer.from(cipher.decrypt(packet.subarray(HEADER_BYTES, -4)))
  },
  aead_aes256_gcm_rtpsize: (packet, counter) => {
    const nonce = Buffer.alloc(12)
    nonce.writeUInt32BE(counter, 0)
    const decipher = createDecipheriv('aes-256-gcm', KEY, nonce)
    decipher.setAAD(packet.subarray(0, HEADER_BYTES))
    decipher.setAuthTag(packet.subarray(-4 - TAG_BYTES, -4))
    return Buffer.concat([decipher.update(packet.subarray(HEADER_BYTES, -4 - TAG_BYTES)), decipher.final()])
  },
}

interface Packet {
  readonly sequence: number
  readonly timestamp: number
  readonly nonce: number
  readonly text: Buffer
}

for (const [encryptionMode, decrypt] of Object.entries(MODES)) {
  describe(`the packets of a session with ${encryptionMode}`, () => {
    const close = closing()

    async function open() {
      const server: Socket = createSocket('udp4')
      close({ close: () => server.close() })
      server.bind(0, HOST)
      await once(server, 'listening')
      const packets: Packet[] = []
      server.on('message', (bytes) => {
        if (bytes.length < HEADER_BYTES) return
        const nonce = bytes.readUInt32BE(bytes.length - 4)
        packets.push({
          sequence: bytes.readUInt16BE(2),
          timestamp: bytes.readUInt32BE(4),
          nonce,
          text: decrypt(bytes, nonce),
        })
      })
      const udp = new VoiceUDPSocket({ ip: HOST, port: server.address().port })
      close({ close: () => udp.destroy() })
      const connectionData = {
        encryptionMode,
        secretKey: KEY,
        ssrc: 5,
        speaking: true,
        packetsPlayed: 0,
        nonce: 0xffff_fffd,
        sequence: 0xfffd,
        timestamp: 0xffff_ffff - 960,
      }
      const sender = new PacketSender({ connectionData, udp } as unknown as NetworkingReadyState)
      const heard = async (count: number) => {
        const all = await eventually(
          () => packets,
          ({ length }) => length >= count,
        )
        return all.toSorted((one, other) => ((one.sequence + 3) & 0xffff) - ((other.sequence + 3) & 0xffff))
      }
      return { sender, heard, connectionData }
    }

    it('are opened by another implementation, whatever the length of a frame', async () => {
      const { sender, heard } = await open()
      const frames = [0, 1, 15, 16, 17, 63, 64, 65, 340, MAX_FRAME_BYTES].map((length) => Buffer.alloc(length, length))
      for (const frame of frames) expect(sender.send(frame)).to.equal(true)
      expect((await heard(frames.length)).map(({ text }) => text)).to.deep.equal(frames)
    })

    it('are numbered without a gap over the ends of their counters, and no nonce comes twice', async () => {
      const { sender, heard, connectionData } = await open()
      for (const text of 'abcdef') sender.send(Buffer.from(text))
      const packets = await heard(6)
      expect(packets.map(({ text }) => text.toString()).join('')).to.equal('abcdef')
      expect(packets.map(({ sequence }) => sequence)).to.deep.equal([0xfffd, 0xfffe, 0xffff, 0, 1, 2])
      expect(packets.map(({ timestamp }) => timestamp)).to.deep.equal(
        packets.map((_, i) => (0xffff_ffff - 960 + i * 960) % 2 ** 32),
      )
      expect(packets.map(({ nonce }) => nonce)).to.deep.equal([0xffff_fffe, 0xffff_ffff, 0, 1, 2, 3])
      expect(connectionData.packetsPlayed).to.equal(6)
    })
  })
}
