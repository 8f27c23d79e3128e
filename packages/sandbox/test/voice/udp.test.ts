import { createSocket, type Socket } from 'node:dgram'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { VoiceOpcodes } from 'discord-api-types/voice/v8'
import { expect } from 'chai'
import { opusSamples, silencePacket } from '../../voice/opus.ts'
import { createTransportCipher, TRANSPORT_MODES, type TransportMode } from '../../voice/udp/cipher.ts'
import { createHistogram } from '../../voice/udp/histogram.ts'
import { createPacketMeter } from '../../voice/udp/packet-meter.ts'
import { readRtpHeader, stripPayload, writeRtpHeader, type RtpHeader } from '../../voice/udp/rtp.ts'
import { openRaw } from './raw-client.ts'
import { createStage, GUILD, until, type Stage } from './stage.ts'

/** A bare voice client with its own UDP socket and transport key. */
async function openSpeaker(stage: Stage, userId: string, mode: TransportMode = 'aead_aes256_gcm_rtpsize') {
  const client = await openRaw(stage)
  client.identify(userId)
  const { ssrc, port } = (await client.get(VoiceOpcodes.Ready)).d
  const socket: Socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  stage.adopt(() => socket.close())

  const answer = await discover()
  const data = { address: '127.0.0.1', port: socket.address().port, mode }
  client.send(VoiceOpcodes.SelectProtocol, { protocol: 'udp', data })
  const { secret_key } = (await client.get(VoiceOpcodes.SessionDescription)).d
  client.send(VoiceOpcodes.Speaking, { speaking: 1, delay: 0, ssrc })
  // Answered in turn: by then the server knows that this client speaks.
  client.send(VoiceOpcodes.Heartbeat, { t: 1, seq_ack: -1 })
  await client.get(VoiceOpcodes.HeartbeatAck)
  const received: Buffer[] = []
  socket.on('message', (packet: Buffer) => packet.length === 74 || received.push(packet))
  const cipher = createTransportCipher(mode, Buffer.from(secret_key))

  async function discover(): Promise<Buffer> {
    const request = Buffer.alloc(74)
    request.writeUInt16BE(1, 0)
    request.writeUInt16BE(70, 2)
    request.writeUInt32BE(ssrc, 4)
    const answered = once(socket, 'message') as Promise<[Buffer]>
    socket.send(request, port, '127.0.0.1')
    const [answer] = await answered
    return answer
  }

  return {
    client,
    /** The server takes datagrams in order: once it answers, it has taken what was sent before. */
    settle: discover,
    ssrc,
    answer,
    received,
    cipher,
    port: socket.address().port,
    sendRaw: (packet: Buffer) => socket.send(packet, port, '127.0.0.1'),
    send: (sequence: number, payload: Buffer) =>
      socket.send(
        cipher.seal(writeRtpHeader({ sequence, timestamp: 960 * sequence, ssrc }), payload),
        port,
        '127.0.0.1',
      ),
  }
}

describe('the UDP side of the stand-in Discord', () => {
  let stage: Stage
  afterEach(() => stage.close())
  const hasCome = async (count: number) => (await stage.server.packets(GUILD, '11')).packets === count

  it('answers the IP discovery with the address and port that it sees', async () => {
    stage = await createStage()
    const { answer, port, ssrc } = await openSpeaker(stage, '11')
    expect(answer).to.have.length(74)
    expect([answer.readUInt16BE(0), answer.readUInt16BE(2), answer.readUInt32BE(4)]).to.deep.equal([2, 70, ssrc])
    expect(answer.toString('utf8', 8, answer.indexOf(0, 8))).to.equal('127.0.0.1')
    expect(answer.readUInt16BE(72)).to.equal(port)
  })

  it('passes audio between clients of different modes, and the header as it came: sources and extension too', async () => {
    stage = await createStage()
    const ada = await openSpeaker(stage, '11', 'aead_xchacha20_poly1305_rtpsize')
    const ben = await openSpeaker(stage, '12', 'aead_aes256_gcm_rtpsize')
    // Two contributing sources and an extension of one word, whose body is encrypted with the payload.
    const header = Buffer.concat([
      writeRtpHeader({ sequence: 7, timestamp: 960, ssrc: ada.ssrc }),
      Buffer.from('0000000100000002', 'hex'),
      Buffer.from('bede0001', 'hex'),
    ])
    header.writeUInt8((2 << 6) | 0x10 | 2, 0)
    const body = Buffer.from('10aa0000', 'hex')
    ada.sendRaw(ada.cipher.seal(header, Buffer.concat([body, Buffer.from('opus')])))
    await until(() => ben.received.length === 1, 'the packet')
    const packet = ben.received[0] as Buffer
    const read = readRtpHeader(packet)
    expect(read).to.include({ clearBytes: 24, extensionBytes: 4, sequence: 7, ssrc: ada.ssrc })
    expect(packet.subarray(0, 24)).to.deep.equal(header)
    const payload = ben.cipher.open(packet, 24)
    expect(read && payload && stripPayload(read, payload)?.toString()).to.equal('opus')
    expect(ada.received).to.deep.equal([])
  })

  it('passes nothing on that its sender did not encrypt, that comes from elsewhere, or that is no audio', async () => {
    stage = await createStage()
    const [ada, ben] = [await openSpeaker(stage, '11'), await openSpeaker(stage, '12')]
    const header = writeRtpHeader({ sequence: 1, timestamp: 0, ssrc: ada.ssrc })
    ada.sendRaw(Buffer.concat([header, randomBytes(40)]))
    ada.sendRaw(Buffer.concat([header, randomBytes(3)]))
    ada.sendRaw(Buffer.alloc(8))
    ada.sendRaw(Buffer.alloc(0))
    ben.sendRaw(ada.cipher.seal(header, Buffer.from('forged')))
    ada.send(2, Buffer.from('real'))
    await until(() => ben.received.length > 0, 'the real packet')
    expect(ben.received).to.have.length(1)
    expect(ben.cipher.open(ben.received[0] as Buffer, 12)?.toString()).to.equal('real')
  })

  it('loses, holds back and releases packets of one guild as it is told', async () => {
    stage = await createStage({ fixedChance: 0.5 })
    const [ada, ben] = [await openSpeaker(stage, '11'), await openSpeaker(stage, '12')]
    const sequences = () => ben.received.map((packet) => packet.readUInt16BE(2))
    const sendThree = async (from: number) => {
      for (let sequence = from; sequence < from + 3; sequence++) ada.send(sequence, Buffer.from('x'))
      await ada.settle()
      await sleep(30)
    }
    stage.server.setFaults(GUILD, { lossPercent: 60, direction: 'in' })
    await sendThree(1)
    expect((await stage.server.packets(GUILD, '11')).packets).to.equal(0)

    stage.server.setFaults(GUILD, { lossPercent: 60, direction: 'out' })
    await sendThree(11)
    await until(() => hasCome(3), 'three packets in')
    expect(sequences()).to.deep.equal([])

    stage.server.setFaults(GUILD, { stalled: true })
    await sendThree(21)
    expect(sequences()).to.deep.equal([])
    stage.server.setFaults(GUILD, {})
    await until(() => ben.received.length === 3, 'the burst')
    expect(sequences()).to.deep.equal([21, 22, 23])

    stage.server.setFaults(null, { lossPercent: 60 })
    await sendThree(31)
    expect(sequences()).to.have.length(3)
    stage.server.setFaults(null, { delayMs: 300 })
    await sendThree(41)
    expect(sequences()).to.have.length(3)
    await until(() => ben.received.length === 6, 'the delayed packets')
  })

  it('reports what came, from one session to the next, and begins again on request', async () => {
    stage = await createStage()
    const first = await openSpeaker(stage, '11')
    for (const sequence of [65_534, 65_535, 0, 3]) first.send(sequence, Buffer.from('x'))
    await until(() => hasCome(4), 'four packets')
    expect((await stage.server.packets(GUILD, '11')).lost).to.equal(2)
    const second = await openSpeaker(stage, '11')
    second.send(9000, Buffer.from('x'))
    await until(() => hasCome(5), 'a fifth packet')
    const report = await stage.server.packets(GUILD, '11', { reset: true })
    expect(report).to.include({ lost: 2, bytes: 5 * 33 })
    expect(report.longestSilenceMs).to.be.above(0)
    expect(await stage.server.packets(GUILD, '11')).to.include({ packets: 0, lost: 0, longestSilenceMs: 0 })
  })

  it('counts packets of a session that another one of the same user has replaced, while that one sounds', async () => {
    stage = await createStage()
    const first = await openSpeaker(stage, '11')
    first.send(1, Buffer.from('x'))
    const second = await openSpeaker(stage, '11')
    // Packets that arrive at the change itself do not count as strays; later ones do.
    for (let sequence = 1; (await stage.server.packets(GUILD, '11')).strays === 0; sequence += 1) {
      second.send(sequence, Buffer.from('x'))
      first.send(sequence + 1, Buffer.from('x'))
      await sleep(5)
    }
    const { packets, strays } = await stage.server.packets(GUILD, '11', { reset: true })
    expect(packets).to.be.above(strays)
    first.send(9000, Buffer.from('x'))
    await second.settle()
    expect(await stage.server.packets(GUILD, '11'), 'while the other is silent').to.include({ strays: 0 })
  })
})

describe('transport encryption', () => {
  for (const mode of TRANSPORT_MODES)
    it(`${mode}: gives back what was sealed, authenticates the header, uses no nonce twice`, () => {
      const key = randomBytes(32)
      const [sender, receiver] = [createTransportCipher(mode, key), createTransportCipher(mode, key)]
      const header = writeRtpHeader({ sequence: 1, timestamp: 2, ssrc: 3 })
      const packets = [1, 2, 3].map(() => sender.seal(header, Buffer.from('sound')))
      expect(new Set(packets.map((packet) => packet.toString('hex'))).size).to.equal(3)
      for (const packet of packets) {
        expect(packet).to.have.length(12 + 5 + 16 + 4)
        expect(receiver.open(packet, 12)?.toString()).to.equal('sound')
      }
      for (let at = 0; at < 37; at++) {
        const broken = Buffer.from(packets[0] as Buffer)
        broken.writeUInt8(broken.readUInt8(at) ^ 1, at)
        expect(receiver.open(broken, 12)).to.equal(null)
      }
      for (let length = 0; length < 32; length++) expect(receiver.open(Buffer.alloc(length), 12)).to.equal(null)
    })
})

function rtp(sequence: number, timestamp = 960 * sequence): RtpHeader {
  return { sequence, timestamp, ssrc: 1, clearBytes: 12, extensionBytes: 0, hasPadding: false }
}

describe('packet reports', () => {
  it('give percentiles to one per cent or better', () => {
    const histogram = createHistogram()
    for (let ms = 1; ms <= 1000; ms++) histogram.record(ms / 10)
    expect(histogram.percentileMs(0.5)).to.be.closeTo(50, 0.2)
    expect(histogram.percentileMs(0.999)).to.be.closeTo(99.9, 0.2)
    histogram.record(5000)
    expect(histogram.percentileMs(1)).to.be.closeTo(5000, 50)
    expect(histogram.longestMs).to.equal(5000)
    histogram.record(60_000)
    expect(histogram.percentileMs(1)).to.equal(60_000)
  })

  it('count lateness against the promptest packet, gaps within utterances, and silence across them', () => {
    const meter = createPacketMeter((nowMs) => nowMs)
    for (const [sequence, atMs] of [
      [0, 5],
      [1, 20],
      [2, 40],
      [3, 200],
      [4, 201],
    ] as const)
      meter.record(rtp(sequence), 50, atMs)
    // Packet 1 was the promptest: it makes packet 3 140 ms late, packet 4 121 ms, packet 0 5 ms.
    expect(meter.report().lateness).to.deep.equal({ late: 2, longestMs: 140 })
    meter.endUtterance()
    meter.record(rtp(5), 50, 5201)
    const report = meter.report()
    expect(report.longestSilenceMs).to.equal(5000)
    expect(report.gapMs.longest).to.equal(160)
    expect(report.lateness.late).to.equal(2)
    expect(report).to.include({ firstAtMs: 5, lastAtMs: 5201, packets: 6, bytes: 300 })
  })

  it('take back a loss when the packet comes after all, and survive the wrap of numbers and timestamps', () => {
    const meter = createPacketMeter((nowMs) => nowMs)
    const last = 2 ** 32 - 960
    meter.record(rtp(65_535, last), 1, 0)
    meter.record(rtp(1, 960), 1, 40)
    expect(meter.report()).to.include({ lost: 1, reordered: 0 })
    meter.record(rtp(0, 0), 1, 45)
    expect(meter.report()).to.include({ lost: 0, reordered: 1 })
    expect(meter.report().lateness.longestMs).to.be.closeTo(25, 0.01)
  })
})

describe('Opus packets', () => {
  it('tell how long they play', () => {
    const lengths: [hex: string, samples: number | null][] = [
      ['f8fffe', 960],
      ['fc00', 960],
      ['e0fffe', 120],
      ['18', 2880],
      ['78', 960],
      ['fd', 1920],
      ['ff03', 2880],
      ['1b02', 5760],
      ['1b03', null],
      ['ff00', null],
      ['ff', null],
      ['', null],
    ]
    for (const [hex, samples] of lengths) expect(opusSamples(Buffer.from(hex, 'hex')), hex).to.equal(samples)
    for (const samples of [120, 240, 480, 960]) expect(opusSamples(silencePacket(samples))).to.equal(samples)
  })
})
