import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** A DNS server that knows IPv4 addresses, and keeps silent about every other name. */
export interface NameServer {
  /** `127.0.0.1:5353` */
  readonly address: string
  /** Every name that was asked for, once for each question. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

const A = 1
const HEAD_BYTES = 12
const TYPE_AND_CLASS_BYTES = 4

export async function startNameServer(
  known: Readonly<Record<string, string>>,
  { host = '127.0.0.1', port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<NameServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, type, endAt } = readQuestion(query)
    asked.push(name)
    const address = known[name]
    if (address === undefined) return
    const answers = type === A ? [answer(address)] : []
    const head = Buffer.alloc(HEAD_BYTES)
    query.copy(head, 0, 0, 2)
    // An answer; recursion was wanted and is available. One question, so many answers.
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(answers.length, 6)
    socket.send(Buffer.concat([head, query.subarray(HEAD_BYTES, endAt), ...answers]), from.port, from.address)
  })
  socket.bind(port, host)
  await once(socket, 'listening')
  return {
    address: `${host}:${socket.address().port}`,
    asked,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function readQuestion(query: Buffer): { name: string; type: number; endAt: number } {
  const labels: string[] = []
  let at = HEAD_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), endAt: at + 1 + TYPE_AND_CLASS_BYTES }
}

/** To the name in the question; fresh for no time at all. */
function answer(address: string): Buffer {
  const record = Buffer.alloc(16)
  record.writeUInt16BE(0xc000 + HEAD_BYTES, 0)
  record.writeUInt16BE(A, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt16BE(4, 10)
  record.set(address.split('.').map(Number), 12)
  return record
}
