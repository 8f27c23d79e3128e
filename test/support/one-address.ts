import { createServer, request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { createEventBus } from '../../bot/event-bus.ts'
import type { EventBus } from '../../bot/events.ts'
import { openPeerLink, type OpenPeerLink } from '../../service/cluster/forwarding/peer-link.ts'
import { createSigning } from '../../service/cluster/signing.ts'
import type { LeaseView } from '../../service/cluster/forwarding/forwarding.ts'
import type { ClusterLeases } from '../../service/cluster/leases/view.ts'
import { NO_LEASES, shardKey } from '../../service/cluster/leases/view.ts'
import { shardOf } from '../../lib/sharing/shard-of.ts'
import { silent } from './encode-queue.ts'

/** One address in front of several services: each request goes to the next of them. */
export interface Balancer {
  readonly url: string
  close(): Promise<void>
}

/** @param urls of the services that take requests now. */
export async function startBalancer(urls: () => readonly string[]): Promise<Balancer> {
  let next = 0
  const target = (req: IncomingMessage) => {
    const all = urls()
    const { hostname, port } = new URL(all[next++ % all.length] ?? '')
    const { method, url: path, headers } = req
    const from = req.socket.remoteAddress ?? ''
    const known = headers['x-forwarded-for']
    const forwarded = known === undefined ? from : `${String(known)}, ${from}`
    return { host: hostname, port, method, path, headers: { ...headers, 'x-forwarded-for': forwarded } }
  }
  const server = createServer({ requireHostHeader: false }, (req, res) => {
    const { headers, ...where } = target(req)
    const passed = request({ ...where, headers, setHost: false }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(res)
      answer.once('error', () => res.destroy())
    })
    passed.once('error', () => (res.headersSent ? res.destroy() : res.writeHead(502).end()))
    res.once('close', () => passed.destroy())
    req.pipe(passed)
  })
  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => upgrade(req, socket, head, target(req)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function upgrade(req: IncomingMessage, socket: Duplex, head: Buffer, target: object): void {
  const passed = request({ ...target, setHost: false })
  passed.once('upgrade', (answer, other, first) => {
    const lines = Array.from({ length: answer.rawHeaders.length / 2 }, (_, at) =>
      answer.rawHeaders.slice(2 * at, 2 * at + 2).join(': '),
    )
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`)
    other.write(head)
    socket.write(first)
    socket.pipe(other).pipe(socket)
    socket.once('error', () => other.destroy())
    other.once('error', () => socket.destroy())
  })
  passed.once('response', (res) => {
    socket.write(`HTTP/1.1 ${res.statusCode} ${res.statusMessage}\r\n`)
    for (let at = 0; at < res.rawHeaders.length; at += 2)
      socket.write(`${res.rawHeaders[at]}: ${res.rawHeaders[at + 1]}\r\n`)
    socket.write('\r\n')
    res.pipe(socket)
  })
  passed.once('error', () => socket.destroy())
  passed.end()
}

/** Leases that a test gives out by hand. */
export interface HandLeases {
  /** Sets the URL of a service once it is reachable. */
  arrive(serviceId: string, url: string): void
  /** Assigns the shards of these bots to services, starting at the next service for each bot. */
  spread(botIds: readonly string[], serviceIds: readonly string[], shardCount: number): void
  /** Does the same for each further bot on its first request. */
  spreadOthers(serviceIds: readonly string[], shardCount: number): void
  /** @param to null: none has it. */
  give(botId: string, guildId: string, to: string | null): void
  ownerOf(botId: string, guildId: string): string | null
  /** The link of a service to the others. */
  link(serviceId: string, events?: EventBus, more?: Partial<Parameters<typeof openPeerLink>[0]>): OpenPeerLink
}

const heldBy = (serviceId: string | null) => ({ serviceId, reservedFor: null, leftMs: 3000, ageMs: 0, isRecent: true })

export function createHandLeases(): HandLeases {
  const leases = new Map<string, ClusterLeases['leases'] extends ReadonlyMap<string, infer V> ? V : never>()
  const services = new Map<string, ClusterLeases['services'] extends ReadonlyMap<string, infer V> ? V : never>()
  const shardCounts = new (class extends Map<string, number> {
    override get(botId: string) {
      if (!this.has(botId)) others?.(botId)
      return super.get(botId)
    }
  })()
  let others: ((botId: string) => void) | null = null
  const signing = createSigning('5e'.repeat(32))
  const keyOf = (botId: string, guildId: string) => {
    const shardCount = shardCounts.get(botId) ?? 1
    return shardKey({ botId, shardId: shardOf(guildId, shardCount), shardCount })
  }
  const ownerOf = (botId: string, guildId: string) => leases.get(keyOf(botId, guildId))?.serviceId ?? null
  const bots: string[] = []
  function spread(botIds: readonly string[], serviceIds: readonly string[], shardCount: number): void {
    bots.push(...botIds)
    for (const [at, botId] of botIds.entries()) {
      shardCounts.set(botId, shardCount)
      for (let shardId = 0; shardId < shardCount; shardId += 1) {
        const serviceId = serviceIds[(at + shardId) % serviceIds.length] ?? null
        leases.set(shardKey({ botId, shardId, shardCount }), heldBy(serviceId))
      }
    }
  }
  return {
    arrive(serviceId, url) {
      services.set(serviceId, {
        url,
        host: serviceId,
        startedAtMs: 0,
        version: 'test',
        isDraining: false,
        weight: 1,
        bots,
        shards: {},
      })
    },
    spreadOthers(serviceIds, shardCount) {
      others = (botId) => spread([botId], serviceIds, shardCount)
    },
    spread,
    give: (botId, guildId, to) => void leases.set(keyOf(botId, guildId), heldBy(to)),
    ownerOf,
    link(serviceId, events = createEventBus({ log: silent }), more = {}) {
      const view: LeaseView = {
        view: { ...NO_LEASES, leases, services, shardCounts, isEarly: false },
        isHeldHere: (botId, guildId) => ownerOf(botId, guildId) === serviceId,
        look: async () => undefined,
      }
      return openPeerLink({
        leases: view,
        serviceId,
        url: () => services.get(serviceId)?.url ?? '',
        signing,
        events,
        log: silent,
        patienceMs: 1000,
        ...more,
      })
    },
  }
}
