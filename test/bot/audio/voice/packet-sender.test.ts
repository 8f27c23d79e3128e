import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { VoiceUDPSocket, type NetworkingReadyState } from '@discordjs/voice'
import { expect } from 'chai'
import { PacketSender } from '../../../../bot/audio/voice/packet-sender.ts'
import { closing } from '../../../support/closing.ts'
import { eventually } from '../../../support/service.ts'

const HOST = '127.0.0.1'
const NONCE_BYTES = 24
const KEEP_ALIVE_BYTES = 8

interface Packet {
  readonly sequence: number
  readonly timestamp: number
  readonly nonce: number
  readonly text: string
}

function frames(...texts: string[]): Buffer[] {
  return texts.map((text) => Buffer.from(text))
}

describe('packets that are sealed ahead', () => {
  const close = closing()

  async function open() {
    const server: Socket = createSocket('udp4')
    close({ close: () => server.close() })
    server.bind(0, HOST)
    await once(server, 'listening')
    const packets: Packet[] = []
    const secretKey = Buffer.alloc(32, 7)
    server.on('message', (bytes) => {
      if (bytes.length === KEEP_ALIVE_BYTES) return
      const nonce = Buffer.alloc(NONCE_BYTES)
      bytes.copy(nonce, 0, bytes.length - 4)
      const text = xchacha20poly1305(secretKey, nonce, bytes.subarray(0, 12)).decrypt(bytes.subarray(12, -4))
      packets.push({
        sequence: bytes.readUInt16BE(2),
        timestamp: bytes.readUInt32BE(4),
        nonce: nonce.readUInt32BE(0),
        text: Buffer.from(text).toString(),
      })
    })
    const udp = new VoiceUDPSocket({ ip: HOST, port: server.address().port })
    close({ close: () => udp.destroy() })
    const connectionData = {
      encryptionMode: 'aead_xchacha20_poly1305_rtpsize',
      secretKey,
      ssrc: 5,
      speaking: true,
      packetsPlayed: 0,
      nonce: 0,
      sequence: 0xfffd,
      timestamp: 0xffff_ffff - 960,
    }
    const sender = new PacketSender({ connectionData, udp } as unknown as NetworkingReadyState)
    const heard = (count: number) =>
      eventually(
        () => packets,
        (all) => all.length >= count,
      )
    return { sender, packets, heard, connectionData }
  }

  it('are numbered without a gap, and no nonce comes twice, however a run ends', async () => {
    const { sender, heard, connectionData } = await open()
    const first = sender.prepareRun(frames('a', 'b', 'lost 1', 'lost 2'), () => true)
    expect([first?.send(), first?.send()]).to.deep.equal([true, true])
    expect(first?.end()).to.equal(2)
    sender.send(Buffer.from('c'))
    const second = sender.prepareRun(frames('d', 'e'), () => true)
    expect([second?.send(), second?.send(), second?.send()]).to.deep.equal([true, true, false])
    expect([second?.end(), second?.end()]).to.deep.equal([2, 2])
    sender.send(Buffer.from('f'))
    const packets = (await heard(6)).toSorted((one, other) => one.nonce - other.nonce)
    expect(packets.map(({ text }) => text).join('')).to.equal('abcdef')
    expect(packets.map(({ sequence }) => sequence)).to.deep.equal([0xfffd, 0xfffe, 0xffff, 0, 1, 2])
    expect(packets.map(({ timestamp }) => timestamp)).to.deep.equal(
      packets.map((_, i) => (0xffff_ffff - 960 + i * 960) % 2 ** 32),
    )
    expect(new Set(packets.map(({ nonce }) => nonce)).size).to.equal(6)
    expect(connectionData.packetsPlayed).to.equal(6)
  })

  it('never go out after their run has ended, or while they may not', async () => {
    const { sender, packets, heard } = await open()
    let isHeld = true
    const run = sender.prepareRun(frames('a', 'b', 'c'), () => isHeld)
    run?.send()
    isHeld = false
    expect(run?.send()).to.equal(false)
    isHeld = true
    run?.end()
    expect(run?.send()).to.equal(false)
    sender.send(Buffer.from('z'))
    await heard(2)
    expect(packets.map(({ text }) => text).toSorted()).to.deep.equal(['a', 'z'])
  })
})
