import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'

/** A DNS server that knows IPv4 addresses and who serves a zone; about every other name it keeps silent, or says so. */
export interface NameServer {
  /** `127.0.0.1:5353` */
  readonly address: string
  /** Every name that was asked for, once for each question. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

const A = 1
const NS = 2
const HEAD_BYTES = 12
const TYPE_AND_CLASS_BYTES = 4
const NO_SUCH_NAME = 0x8183

export interface NameServerOptions {
  readonly host?: string
  readonly port?: number
  readonly isSilent?: boolean
}

export async function startNameServer(
  known: Readonly<Record<string, string>>,
  { host = '127.0.0.1', port = 0, isSilent = true }: NameServerOptions = {},
): Promise<NameServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, type, endAt } = readQuestion(query)
    asked.push(name)
    const value = known[name]
    if (value === undefined && isSilent) return
    const isKnown = value !== undefined && type === (isIPv4(value) ? A : NS)
    const answers = isKnown
      ? [answer(type, isIPv4(value) ? Buffer.from(value.split('.').map(Number)) : inLabels(value))]
      : []
    const head = Buffer.alloc(HEAD_BYTES)
    query.copy(head, 0, 0, 2)
    // An answer; recursion was wanted and is available. One question, so many answers.
    head.writeUInt16BE(value === undefined ? NO_SUCH_NAME : 0x8180, 2)
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
function answer(type: number, data: Buffer): Buffer {
  const record = Buffer.alloc(12)
  record.writeUInt16BE(0xc000 + HEAD_BYTES, 0)
  record.writeUInt16BE(type, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt16BE(data.length, 10)
  return Buffer.concat([record, data])
}

function inLabels(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.of(0)])
}
