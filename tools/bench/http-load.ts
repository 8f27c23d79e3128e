import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process of its own, so that what asks is not measured with what answers. It takes one order after the other. */
export interface LoadOrder {
  readonly port: number
  readonly path: string
  /** Each connection keeps to one of them. */
  readonly keys: readonly string[]
  readonly connections: number
  readonly forMs: number
  /** Requests per second, evenly; null: each connection asks again as soon as it has its answer. */
  readonly perSecond: number | null
}

export interface LoadReport {
  readonly requests: number
  readonly seconds: number
  /** Answers that were not 200. */
  readonly refused: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** p99 of the delays caused by the load generator itself; a part of `p99Ms`. Zero if requests have no due time. */
  readonly ownLateP99Ms: number
}

interface Connection {
  readonly socket: Socket
  readonly bytes: Buffer
  /** The start of the measured time: when the request was due, not when it could be sent. */
  dueMs: number
  isBusy: boolean
}

interface Tally {
  readonly times: number[]
  /** Delays from the due time of each request until this process came to it, whether or not a connection was free. */
  readonly lateness: number[]
  refused: number
}

/** One request at a time on each connection, kept alive: what most clients do. */
async function open(order: LoadOrder, done: (connection: Connection, status: number) => void): Promise<Connection[]> {
  const opened = Array.from({ length: order.connections }, async (_, i): Promise<Connection> => {
    const socket = connect(order.port, '127.0.0.1').setNoDelay(true)
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject)
    })
    const key = order.keys[i % order.keys.length]
    const head = `GET ${order.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nAccept: */*\r\n\r\n`
    const connection: Connection = { socket, bytes: Buffer.from(head), dueMs: 0, isBusy: false }
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (!isWhole(text)) return
      const status = Number(text.slice(9, 12))
      text = ''
      connection.isBusy = false
      done(connection, status)
    })
    return connection
  })
  return Promise.all(opened)
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2))?.[1]
  if (length === undefined) throw new Error(`An answer without a length: ${text.slice(0, 200)}`)
  return text.length >= end + 4 + Number(length)
}

function send(connection: Connection, dueMs: number): void {
  connection.isBusy = true
  connection.dueMs = dueMs
  connection.socket.write(connection.bytes)
}

async function run(order: LoadOrder): Promise<LoadReport> {
  const tally: Tally = { times: [], lateness: [], refused: 0 }
  const { perSecond, forMs } = order
  let isOver = false
  const waiting: number[] = []
  const idle: Connection[] = []
  const connections = await open(order, (connection, status) => {
    tally.times.push(performance.now() - connection.dueMs)
    if (status !== 200) tally.refused++
    const dueMs = perSecond === null ? performance.now() : waiting.shift()
    if (isOver || dueMs === undefined) idle.push(connection)
    else send(connection, dueMs)
  })
  const startMs = performance.now()
  if (perSecond === null) {
    for (const connection of connections) send(connection, performance.now())
    await sleep(forMs)
  } else {
    idle.push(...connections)
    await pace({ perSecond, forMs, startMs, waiting, idle, lateness: tally.lateness })
  }
  isOver = true
  const seconds = (performance.now() - startMs) / 1000
  const requests = tally.times.length
  while (connections.some(({ isBusy }) => isBusy)) await sleep(2)
  for (const { socket } of connections) socket.destroy()
  const at = quantilesOf(tally.times)
  const ownLateP99Ms = quantilesOf(tally.lateness)(0.99)
  return { requests, seconds, refused: tally.refused, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), ownLateP99Ms }
}

function quantilesOf(values: readonly number[]): (share: number) => number {
  const sorted = values.toSorted((a, b) => a - b)
  return (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

interface Pace {
  readonly perSecond: number
  readonly forMs: number
  readonly startMs: number
  readonly waiting: number[]
  readonly idle: Connection[]
  readonly lateness: number[]
}

/**
 * Sends requests when due. They wait for a connection and their time runs: a server that stalls does not hide behind
 * fewer requests.
 */
async function pace({ perSecond, forMs, startMs, waiting, idle, lateness }: Pace): Promise<void> {
  let sent = 0
  for (let nowMs = startMs; nowMs - startMs < forMs; nowMs = performance.now()) {
    const due = Math.floor(((nowMs - startMs) / 1000) * perSecond)
    for (; sent < due; sent++) {
      const dueMs = startMs + ((sent + 1) / perSecond) * 1000
      lateness.push(nowMs - dueMs)
      // Round robin: the server closes a connection that is idle for ten seconds.
      const connection = idle.shift()
      if (connection) send(connection, dueMs)
      else waiting.push(dueMs)
    }
    await sleep(1)
  }
}

process.on('message', (order: LoadOrder) => {
  void run(order).then((report) => process.send?.(report))
})
