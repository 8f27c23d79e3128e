import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { VoiceOpcodes } from 'discord-api-types/voice/v8'
import { expect } from 'chai'
import { createTransportCipher } from '../../voice/udp/cipher.ts'
import { writeRtpHeader } from '../../voice/udp/rtp.ts'
import { openRaw } from './raw-client.ts'
import type { SourceData } from './source-worker.ts'
import { createStage, GUILD, until, type Stage } from './stage.ts'

const MODE = 'aead_aes256_gcm_rtpsize'
const BLOCKED_MS = 400

function discoveryOf(ssrc: number): Buffer {
  const request = Buffer.alloc(74)
  request.writeUInt16BE(1, 0)
  request.writeUInt16BE(70, 2)
  request.writeUInt32BE(ssrc, 4)
  return request
}

/** A client whose packets a thread of its own sends, at an even pace. */
async function startSource(stage: Stage, userId: string, count: number) {
  const client = await openRaw(stage)
  client.identify(userId)
  const { ssrc, port } = (await client.get(VoiceOpcodes.Ready)).d
  client.send(VoiceOpcodes.SelectProtocol, { protocol: 'udp', data: { address: '127.0.0.1', port: 1, mode: MODE } })
  const { secret_key } = (await client.get(VoiceOpcodes.SessionDescription)).d
  client.send(VoiceOpcodes.Speaking, { speaking: 1, delay: 0, ssrc })
  const cipher = createTransportCipher(MODE, Buffer.from(secret_key))
  const packets = Array.from({ length: count }, (_, sequence) =>
    cipher.seal(writeRtpHeader({ sequence, timestamp: 960 * sequence, ssrc }), Buffer.from('sound')),
  )
  const workerData: SourceData = { packets, discovery: discoveryOf(ssrc), port }
  const source = new Worker(new URL('source-worker.ts', import.meta.url), { workerData })
  await once(source, 'message')
  return source
}

function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

describe('the packet meter of the stand-in Discord', () => {
  let stage: Stage
  afterEach(() => stage.close())

  it('reports the gaps of the sender, no matter how busy gateways and members are', async () => {
    stage = await createStage()
    const errors: number[] = []
    for (let attempt = 0; attempt < 3 && !errors.some((ms) => ms < BLOCKED_MS / 4); attempt++) {
      const userId = String(11 + attempt)
      const source = await startSource(stage, userId, 50)
      const ended = once(source, 'message') as Promise<[{ longestGapMs: number }]>
      await until(async () => (await stage.server.packets(GUILD, userId)).packets >= 5, 'the first packets')
      // The thread of the gateways does nothing for so long.
      block(BLOCKED_MS)
      const [{ longestGapMs }] = await ended
      await until(async () => (await stage.server.packets(GUILD, userId)).packets === 50, 'all packets')
      const { gapMs, lost } = await stage.server.packets(GUILD, userId)
      expect(lost).to.equal(0)
      errors.push(Math.abs(gapMs.longest - longestGapMs))
    }
    expect(Math.min(...errors), `errors in ms: ${errors.join(', ')}`).to.be.below(BLOCKED_MS / 4)
  })

  it('sends a newcomer nothing of what was said before they could hear', async () => {
    stage = await createStage()
    const listener = await openRaw(stage)
    listener.identify('12')
    const { ssrc, port } = (await listener.get(VoiceOpcodes.Ready)).d
    const socket = createSocket('udp4')
    stage.adopt(() => socket.close())
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    socket.send(discoveryOf(ssrc), port, '127.0.0.1')
    await once(socket, 'message')
    const received: Buffer[] = []
    socket.on('message', (packet: Buffer) => received.push(packet))
    const speaker = await startSource(stage, '11', 10)
    await once(speaker, 'message')
    await until(async () => (await stage.server.packets(GUILD, '11')).packets === 10, 'all packets')
    expect(received, 'before op 1').to.deep.equal([])

    const data = { address: '127.0.0.1', port: socket.address().port, mode: MODE }
    listener.send(VoiceOpcodes.SelectProtocol, { protocol: 'udp', data })
    await listener.get(VoiceOpcodes.SessionDescription)
    const spoken = await listener.get(VoiceOpcodes.Speaking)
    expect(spoken.d.user_id).to.equal('11')
    expect(received).to.deep.equal([])
  })
})
