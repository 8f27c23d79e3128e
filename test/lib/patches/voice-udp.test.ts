import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { VoiceUDPSocket } from '@discordjs/voice'
import { expect } from 'chai'
import { connectVoiceSockets, sendDatagram, targetOf } from '../../../lib/patches/voice-udp.ts'
import { closing } from '../../support/closing.ts'
import { eventually } from '../../support/service.ts'

const HOST = '127.0.0.1'

interface Heard {
  readonly text: string
  readonly fromPort: number
}

/** A voice server that tells where it hears from, as IP discovery asks. */
async function listen(port = 0): Promise<{ socket: Socket; port: number; heard: Heard[] }> {
  const socket = createSocket('udp4')
  const heard: Heard[] = []
  socket.on('message', (bytes, from) => {
    if (bytes.length !== 74) return void heard.push({ text: bytes.toString('latin1'), fromPort: from.port })
    const answer = Buffer.alloc(74)
    answer.writeUInt16BE(2, 0)
    answer.writeUInt16BE(70, 2)
    answer.write(from.address, 8)
    answer.writeUInt16BE(from.port, 72)
    socket.send(answer, from.port, from.address)
  })
  socket.bind(port, HOST)
  await once(socket, 'listening')
  return { socket, port: socket.address().port, heard }
}

/** Sends the text until it is heard, since the refusal of an earlier packet is reported in place of one that is sent. */
async function sendUntilHeard(udp: VoiceUDPSocket, heard: readonly Heard[], text: string): Promise<Heard> {
  const find = () => heard.find((one) => one.text === text)
  const found = await eventually(
    () => {
      sendDatagram(targetOf(udp), Buffer.from(text))
      return find()
    },
    (one) => one !== undefined,
  )
  return found!
}

describe('the UDP socket of a voice session', () => {
  const close = closing()
  before(() => connectVoiceSockets())

  function open(port: number): { udp: VoiceUDPSocket; errors: Error[] } {
    const udp = new VoiceUDPSocket({ ip: HOST, port })
    close({ close: () => udp.destroy() })
    const errors: Error[] = []
    udp.on('error', (error: Error) => errors.push(error))
    return { udp, errors }
  }

  it('discovers its address over the connected socket, and keeps that port for every packet', async () => {
    const { socket, port, heard } = await listen()
    close({ close: () => socket.close() })
    const { udp, errors } = open(port)
    const local = await udp.performIPDiscovery(1)
    const frame = await sendUntilHeard(udp, heard, 'frame')
    udp.send(Buffer.from('keep-alive'))
    const all = await eventually(
      () => heard,
      (list) => list.some(({ text }) => text === 'keep-alive'),
    )
    expect(frame.fromPort).to.equal(local.port)
    expect(new Set(all.map(({ fromPort }) => fromPort))).to.deep.equal(new Set([local.port]))
    expect(errors).to.deep.equal([])
  })

  it('goes on from the same port when the server refuses packets for a while, and reports no error', async () => {
    const first = await listen()
    const { udp, errors } = open(first.port)
    const local = await udp.performIPDiscovery(1)
    first.socket.close()
    await once(first.socket, 'close')
    sendDatagram(targetOf(udp), Buffer.from('refused'))
    const second = await listen(first.port)
    close({ close: () => second.socket.close() })
    const { fromPort } = await sendUntilHeard(udp, second.heard, 'heard')
    expect(fromPort).to.equal(local.port)
    expect(errors).to.deep.equal([])
  })

  it('drops packets once it is closed', async () => {
    const { socket, port } = await listen()
    close({ close: () => socket.close() })
    const { udp } = open(port)
    await udp.performIPDiscovery(1)
    udp.destroy()
    expect(() => sendDatagram(targetOf(udp), Buffer.from('late'))).not.to.throw()
  })
})
