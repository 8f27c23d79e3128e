import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import { Fault } from '../../../lib/errors.ts'
import { createFairShare } from '../../../lib/sharing/fair-share.ts'
import { isWithin, networkOf } from '../client-address.ts'

const MAX_CONNECTIONS = 20_000
/** Files reserved for music, databases and outgoing calls; at most half of all files. */
const MAX_RESERVED_FILES = 4096
/** Requests of one connection that wait for their answers at once. Browsers and HTTP libraries send one. */
const MAX_PIPELINED = 32
/** Connections beyond the limit of their address that still get an answer; further ones are destroyed at once. */
const MAX_REFUSING = 64
const REFUSING_MS = 2000
const RETRY_AFTER_MS = 10_000

/**
 * Maximum number of open connections. Each takes one of the files that the system lets this process have: a crowd that
 * took them all would silence the players.
 */
export function maxConnections(limits = readLimits()): number {
  const files = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity)
  return Math.min(MAX_CONNECTIONS, files - Math.min(Math.ceil(files / 2), MAX_RESERVED_FILES))
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    // Other systems than Linux do not say.
    return ''
  }
}

interface ConnectionLimitOptions {
  /** Connections of one IPv4 address or one /64 of IPv6, and never more than half of what is free. */
  readonly perAddress: number
  /** Address ranges (CIDR) that are not bounded: programs of this machine, and proxies that speak for others. */
  readonly unbounded: readonly string[]
}

/** Keeps one address from taking the connections of all, and one connection from taking the main thread. */
export type ConnectionLimit = ReturnType<typeof createConnectionLimit>

export function createConnectionLimit({ perAddress, unbounded }: ConnectionLimitOptions) {
  const total = maxConnections()
  const pool = { what: 'connections', total, maxWaiting: 0, maxWaitMs: 0 }
  const shares = createFairShare({ ...pool, share: Math.min(perAddress, total - 1) })
  const excess = new WeakSet<Duplex>()
  const refused = new WeakSet<Duplex>()
  const pending = new WeakMap<Duplex, { count: number }>()
  let refusing = 0

  function refuseSoon(socket: Socket): void {
    if (refusing >= MAX_REFUSING) {
      socket.destroy()
      return
    }
    refusing += 1
    excess.add(socket)
    const cut = setTimeout(() => socket.destroy(), REFUSING_MS)
    socket.once('close', () => {
      refusing -= 1
      clearTimeout(cut)
    })
  }

  function countPending(socket: Duplex, res: ServerResponse | null): number {
    let requests = pending.get(socket)
    if (!requests) pending.set(socket, (requests = { count: 0 }))
    const counted = requests
    counted.count += 1
    res?.once('close', () => (counted.count -= 1))
    return counted.count
  }

  return {
    /** Counts a connection until it closes, or marks it as one to refuse. */
    add(socket: Socket) {
      const { remoteAddress } = socket
      if (remoteAddress === undefined || isWithin(unbounded, remoteAddress)) return
      const release = shares.tryAcquire(networkOf(remoteAddress))
      if (release) socket.once('close', release)
      else refuseSoon(socket)
    },
    /** Returns the refusal of a request, or null if it may be served. Throws nothing. */
    check({ socket }: IncomingMessage, res: ServerResponse | null): Fault | null {
      const isExcess = excess.has(socket)
      if (!isExcess && countPending(socket, res) <= MAX_PIPELINED) return null
      refused.add(socket)
      const message = isExcess
        ? 'Connection limit reached for your IP address. Close some, or reuse open ones.'
        : `More than ${MAX_PIPELINED} requests wait on this connection. Read the responses first.`
      return new Fault('rate_limited', message, { retryAfterMs: RETRY_AFTER_MS })
    },
    /** Whether a refusal is on its way, after which nothing on this connection is answered. */
    isRefused: (socket: Duplex) => socket.destroyed || refused.has(socket),
  }
}
