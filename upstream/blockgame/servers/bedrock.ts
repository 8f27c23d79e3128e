import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'
import { motdOf } from './motd.ts'
import { ProtocolError } from './packets.ts'
import type { Dialled, Answered } from './ping.ts'
import { abortable } from '../../../lib/deadline.ts'

const MAGIC = Buffer.from('00ffff00fefefefefdfdfdfd12345678', 'hex')
const PING = 0x01
const PONG = 0x1c
/** Packets get lost: the ping is sent again. */
const RESEND_MS = 800
const PONG_HEADER_BYTES = 35
/** A server answers each ping once. */
const MAX_DATAGRAMS = 64

/** The status of a Bedrock server. @throws when none answers before the signal. */
export async function pingBedrock({ address, port, signal }: Dialled): Promise<Answered> {
  signal.throwIfAborted()
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
  const { promise, resolve, reject } = Promise.withResolvers<Answered>()
  const sentAt = performance.now()
  const ping = Buffer.concat([Buffer.from([PING]), Buffer.alloc(8), MAGIC, Buffer.alloc(8, 2)])
  socket.once('error', reject)
  let datagrams = 0
  socket.on('message', (message) => {
    if (++datagrams > MAX_DATAGRAMS) return reject(new ProtocolError('The server sends too many datagrams.'))
    if (message[0] !== PONG || message.length < PONG_HEADER_BYTES) return
    try {
      resolve(readPong(message, Math.round(performance.now() - sentAt)))
    } catch (error) {
      reject(error instanceof Error ? error : new ProtocolError(String(error)))
    }
  })
  const send = () => socket.send(ping)
  // A connected socket receives from its server alone, and gets ICMP errors when it is away.
  socket.connect(port, address, (error?: Error) => (error ? reject(error) : send()))
  const timer = setInterval(send, RESEND_MS)
  try {
    return await abortable(promise, signal)
  } finally {
    clearInterval(timer)
    socket.close()
  }
}

/** `MCPE;motd;protocol;version;online;max;serverId;motd2;…`, cut anywhere after the first six. */
function readPong(message: Buffer, latencyMs: number): Answered {
  const length = message.readUInt16BE(PONG_HEADER_BYTES - 2)
  const fields = message
    .subarray(PONG_HEADER_BYTES, PONG_HEADER_BYTES + length)
    .toString('utf8')
    .split(';')
  const [edition, motd, protocol, version, online, max, , secondLine] = fields
  if (edition === undefined || !/^MC[PE]E$/.test(edition) || max === undefined) {
    throw new ProtocolError('The response has too few fields.')
  }
  return {
    version: version ?? null,
    protocol: Number(protocol) || null,
    players: { online: Number(online) || 0, max: Number(max) || 0, sample: [] },
    motd: motdOf([motd, secondLine].filter((line) => line !== undefined && line !== '').join('\n')),
    favicon: null,
    latencyMs,
  }
}
