import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { VoiceUDPSocket } from '@discordjs/voice'
import { expect } from 'chai'
import { guardVoiceLibrary } from '../../../../bot/audio/voice/library-guards.ts'
import { connectUdp } from '../../../../bot/audio/voice/udp-socket.ts'
import { closing } from '../../../support/closing.ts'
import { eventually } from '../../../support/service.ts'

const HOST = '127.0.0.1'

async function listen(port = 0): Promise<{ socket: Socket; port: number; heard: string[] }> {
  const socket = createSocket('udp4')
  const heard: string[] = []
  socket.on('message', (bytes) => heard.push(bytes.toString('latin1')))
  socket.bind(port, HOST)
  await once(socket, 'listening')
  return { socket, port: socket.address().port, heard }
}

describe('the UDP socket of a voice session', () => {
  const close = closing()
  before(() => guardVoiceLibrary())

  /** The library sends a keep-alive of its own at once. */
  function open(port: number): { udp: VoiceUDPSocket; errors: Error[] } {
    const udp = new VoiceUDPSocket({ ip: HOST, port })
    close({ close: () => udp.destroy() })
    const errors: Error[] = []
    udp.on('error', (error: Error) => errors.push(error))
    return { udp, errors }
  }

  it('carries what the library sends before, during and after it is connected, and connects again', async () => {
    const { socket, port, heard } = await listen()
    close({ close: () => socket.close() })
    const { udp, errors } = open(port)
    udp.send(Buffer.from('before'))
    await eventually(
      () => heard,
      (all) => all.includes('before'),
    )
    const connection = connectUdp(udp)
    udp.send(Buffer.from('during'))
    await eventually(() => connection.isConnected, Boolean)
    udp.send(Buffer.from('after'))
    connection.send(Buffer.from('frame'))
    const again = connectUdp(udp)
    await eventually(() => again.isConnected, Boolean)
    again.send(Buffer.from('resumed'))
    const all = await eventually(
      () => heard,
      (texts) => texts.includes('resumed'),
    )
    expect(all).to.include.members(['before', 'during', 'after', 'frame', 'resumed'])
    expect(errors).to.deep.equal([])
  })

  it('goes on when the server refuses packets for a while, and reports no error', async () => {
    const first = await listen()
    const { udp, errors } = open(first.port)
    const connection = connectUdp(udp)
    await eventually(() => connection.isConnected, Boolean)
    first.socket.close()
    await once(first.socket, 'close')
    connection.send(Buffer.from('refused'))
    const second = await listen(first.port)
    close({ close: () => second.socket.close() })
    // The refusal of an earlier packet is reported in place of one that is sent.
    await eventually(
      () => {
        connection.send(Buffer.from('heard'))
        return second.heard
      },
      (texts) => texts.includes('heard'),
    )
    expect(errors).to.deep.equal([])
  })
})
