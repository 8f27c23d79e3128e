import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { constants } from 'node:os'
import { expect } from 'chai'
import * as koffi from 'koffi'
import { IoUring } from '../../../../../bot/audio/voice/ring/io-uring.ts'
import { PacketRing, type RingSocket } from '../../../../../bot/audio/voice/ring/packet-ring.ts'
import { closing } from '../../../../support/closing.ts'
import { eventually } from '../../../../support/service.ts'

const HOST = '127.0.0.1'
const AF_UNIX = 1
const WITHOUT_WAITING = 0x802

interface Sender extends RingSocket {
  readonly socket: Socket
}

interface Heard {
  readonly text: string
  readonly fromPort: number
}

/** The numbers of this process's sockets. */
function socketNumbers(): readonly string[] {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith('socket:')
    } catch {
      return false
    }
  })
}

/** Whether this kernel lets us: containers often do not. */
async function findRefusal(): Promise<string | null> {
  try {
    const ring = await IoUring.open(2)
    ring.close()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

async function listen(): Promise<{ port: number; heard: Heard[]; socket: Socket }> {
  const socket = createSocket('udp4')
  const heard: Heard[] = []
  socket.on('message', (bytes, from) => heard.push({ text: bytes.toString('latin1'), fromPort: from.port }))
  socket.bind(0, HOST)
  await once(socket, 'listening')
  return { port: socket.address().port, heard, socket }
}

describe('packets that go out together', function () {
  const close = closing()
  const broken: unknown[] = []
  let ring: PacketRing

  before(async function () {
    const refusal = await findRefusal()
    if (refusal !== null) {
      console.log(`      not run: ${refusal}`)
      this.skip()
    }
  })

  beforeEach(async () => {
    broken.length = 0
    ring = await PacketRing.open((error) => broken.push(error))
    close({ close: () => ring.close() })
  })

  async function connect(port: number): Promise<Sender> {
    const socket = createSocket('udp4')
    const adopted = ring.adopt(socket)!
    let isOpen = true
    socket.once('close', () => (isOpen = false))
    close({ close: () => isOpen && socket.close() })
    socket.connect(port, HOST)
    await once(socket, 'connect')
    return { socket, send: (packet) => adopted.send(packet) }
  }

  async function server() {
    const made = await listen()
    close({ close: () => made.socket.close() })
    return made
  }

  it('arrive whole, each from its own socket and in order, however many a turn has', async () => {
    const { port, heard } = await server()
    const sockets = await Promise.all(Array.from({ length: 25 }, () => connect(port)))
    const sent = sockets.flatMap((one) =>
      [0, 1, 2].map((at) => ({ text: `${at}`.repeat(at * 400 + 1), fromPort: one.socket.address().port, one })),
    )
    for (const { one, text } of sent) expect(one.send(Buffer.from(text))).to.equal(true)
    expect(heard).to.deep.equal([])
    await eventually(
      () => heard.length,
      (count) => count === sent.length,
    )
    for (const { socket } of sockets) {
      const fromHere = ({ fromPort }: Heard) => fromPort === socket.address().port
      expect(heard.filter(fromHere).map(({ text }) => text)).to.deep.equal(
        sent.filter(fromHere).map(({ text }) => text),
      )
    }
  })

  it('are copies: what they were made of may be used again at once', async () => {
    const { port, heard } = await server()
    const one = await connect(port)
    const bytes = Buffer.from('first')
    one.send(bytes)
    bytes.write('again')
    await eventually(
      () => heard.length,
      (count) => count === 1,
    )
    expect(heard[0]?.text).to.equal('first')
  })

  it('go out before their socket closes, and nothing is written to what has its number next', async () => {
    const { port, heard } = await server()
    const [first, other] = [await connect(port), await server()]
    const numbers = socketNumbers()
    first.send(Buffer.from('last'))
    first.socket.close()
    await connect(other.port)
    expect(socketNumbers()).to.deep.equal(numbers)
    expect(first.send(Buffer.from('late'))).to.equal(false)
    await eventually(
      () => heard.length,
      (count) => count === 1,
    )
    expect(heard[0]?.text).to.equal('last')
    expect(other.heard).to.deep.equal([])
  })

  it('that the network does not take are named, and kept until the next ones', async () => {
    const pair = new Int32Array(2)
    const libc = koffi.load(null)
    libc.func('socketpair', 'int', ['int', 'int', 'int', 'void *'])(AF_UNIX, WITHOUT_WAITING, 0, pair)
    close({ close: () => pair.forEach((fd) => libc.func('close', 'int', ['int'])(fd)) })
    const own = await IoUring.open(2)
    close({ close: () => own.close() })
    let sent = 0
    const isFull = () => {
      own.add(pair[0]!, Buffer.from(`packet ${sent++}`))
      return own.submit().length > 0
    }
    // Nothing reads from the pair, which holds ten, or as many as the machine was told to.
    while (!isFull()) expect(sent).to.be.below(100_000)
    const slots = [own.add(pair[0]!, Buffer.from('another')), own.add(pair[0]!, Buffer.from('and one more'))]
    expect(own.isFull).to.equal(true)
    expect(own.submit()).to.deep.equal(slots.map((slot) => ({ slot, errno: constants.errno.EAGAIN })))
    expect(slots.map((slot) => own.packetAt(slot).toString())).to.deep.equal(['another', 'and one more'])
  })

  it('tell their own socket what became of them', async () => {
    const { port, socket } = await listen()
    const [one, other] = [await connect(port), await connect((await server()).port)]
    socket.close()
    await once(socket, 'close')
    const errors: NodeJS.ErrnoException[] = []
    one.socket.on('error', (error) => errors.push(error))
    other.socket.on('error', (error) => errors.push(error))
    await eventually(
      () => {
        other.send(Buffer.from('heard'))
        one.send(Buffer.from('refused'))
        return errors.length
      },
      (count) => count > 1,
    )
    expect(new Set(errors.map(({ code }) => code))).to.deep.equal(new Set(['ECONNREFUSED']))
  })

  it('are not taken once the ring is closed, nor when too large for a slot', async () => {
    const { port } = await server()
    const one = await connect(port)
    expect(one.send(Buffer.alloc(1537))).to.equal(false)
    ring.close()
    expect(one.send(Buffer.from('late'))).to.equal(false)
    expect(ring.adopt(createSocket('udp4'))).to.equal(null)
  })

  it('leave no file open behind a socket that was closed before its turn', () => {
    const socket = createSocket('udp4')
    socket.close()
    const before = socketNumbers()
    expect(() => ring.adopt(socket)).to.throw('Not running')
    expect(socketNumbers()).to.deep.equal(before)
  })
})
