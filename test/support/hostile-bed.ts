import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer as createWebServer, type RequestListener } from 'node:http'
import { createServer } from 'node:net'
import type { Lookup } from '../../upstream/egress/dns.ts'
import { hostileZone, type HostileCase } from './hostile-addresses.ts'
import { listen } from './web.ts'

/** A machine with private listeners on every address it has, and an attacker's site that alone may be reached. */
export interface HostileBed {
  readonly allowHosts: readonly string[]
  readonly lookup: Lookup
  /** Connections to a private listener: the first line of each, or `udp`. */
  readonly hits: readonly string[]
  /** A port on which nothing but private listeners is. */
  readonly port: number
  /** The case with its ports turned into those of the bed. */
  place(hostile: HostileCase): HostileCase
  close(): Promise<void>
}

export async function openHostileBed(cases: readonly HostileCase[]): Promise<HostileBed> {
  const hits: string[] = []
  const canary = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (chunk) => hits.push(String(chunk).split('\r\n', 1)[0] ?? ''))
    socket.once('close', () => hits.push('connection'))
    setTimeout(() => socket.destroy(), 200)
  })
  // Listens on IPv6 and IPv4 if the machine has both.
  const inner = await listen(canary, '::').catch(() => listen(canary, '0.0.0.0'))
  const udp = createSocket('udp4', () => hits.push('udp')).bind(0, '127.0.0.1')
  await once(udp, 'listening')

  const placed = new Map<string, HostileCase>()
  const site = await listen(createWebServer(attacker(placed)))
  const aim = (text: string): string =>
    text
      .replaceAll(/((?:https?|wss?|ftp):\/\/|^\/\/)([^/"'\s)<>\\`]+)/g, (_, scheme: string, authority: string) => {
        if (/[^:]:\d+$/.test(authority)) return scheme + authority
        return `${scheme}${authority}:${authority === 'attacker.test' ? site.port : inner.port}`
      })
      .replaceAll(/\b3478[0-2]\b/g, String(udp.address().port))
  const place = (it: HostileCase): HostileCase => ({
    ...it,
    url: aim(it.url),
    ...(it.location !== undefined && { location: aim(it.location) }),
    ...(it.chain !== undefined && { chain: aim(it.chain) }),
    ...(it.html !== undefined && { html: aim(it.html) }),
  })
  for (const it of cases) placed.set(it.id, place(it))

  const zone = hostileZone()
  return {
    allowHosts: [`attacker.test:${site.port}`],
    lookup: async (host) => {
      if (host === 'attacker.test') return [{ address: '127.0.0.1', family: 4 }]
      // The harmless answer was given to someone before.
      if (host.endsWith('.rebind.test')) await zone(host)
      return zone(host)
    },
    hits,
    port: inner.port,
    place: (it) => placed.get(it.id) ?? place(it),
    async close() {
      udp.close()
      await site.close()
      await inner.close()
    },
  }
}

/** Serves the pages and redirects of all cases. */
function attacker(cases: ReadonlyMap<string, HostileCase>): RequestListener {
  return (asked, reply) => {
    const { pathname, searchParams } = new URL(asked.url ?? '/', 'http://attacker.test')
    const [, kind, id = ''] = pathname.split('/')
    const also = searchParams.get('as')
    const hostile = cases.get(also ?? id)
    const location = also === null ? hostile?.location : hostile?.chain
    if (kind === 'r' && location !== undefined) return reply.writeHead(302, { location }).end()
    reply.setHeader('content-type', 'text/html')
    reply.end(`<!doctype html><title>attacker</title><h1>${id}</h1>${(kind === 'p' && hostile?.html) || ''}`)
  }
}
