import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { fail, ok, warn, type Finding } from './check.ts'
import { PATIENCE_MS, reasonOf } from './network.ts'

/** Lavalink's, of which clients ask for the first number. */
const MAJOR = 4

const infoShape = z.object({
  version: z.object({ semver: z.string(), major: z.number() }),
  plugins: z.array(z.object({ name: z.string() })).default([]),
})

/** A Lavalink node as a bot with this address and password meets it. */
export async function checkAudioNode(url: string, password: string): Promise<readonly Finding[]> {
  const startedMs = performance.now()
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const headers = { authorization: password }
  const answer = await fetch(new URL('/v4/info', url), { headers, redirect: 'error', signal }).catch(reasonOf)
  if (typeof answer === 'string') {
    const advice = 'Start the node, check HOST and LAVALINK_PORT there, and the firewalls on the way.'
    return [fail('lavalink', `${url} is unreachable (${answer})`, advice)]
  }
  const tookMs = performance.now() - startedMs
  const reached = ok('lavalink', `${url} responds in ${tookMs.toFixed(0)} ms`)
  if (answer.status === 401 || answer.status === 403) {
    await answer.body?.cancel()
    const advice = 'Use LAVALINK_PASSWORD of the node, one of its LAVALINK_KEYS, or an API key of the service.'
    return [reached, fail('lavalink password', `refused (status ${answer.status})`, advice)]
  }
  const info = infoShape.safeParse(await answer.json().catch(() => null))
  if (!answer.ok || !info.success) {
    return [fail('lavalink', `${url} responds, but not as Lavalink (status ${answer.status})`, 'Check the address.')]
  }
  return [reached, ok('lavalink password', 'accepted'), versionOf(info.data)]
}

function versionOf({ version: { semver, major }, plugins }: z.output<typeof infoShape>): Finding {
  const names = plugins.map(({ name }) => name).join(', ')
  if (major === MAJOR) return ok('lavalink version', `${semver}${names && `, with ${names}`}`)
  return fail('lavalink version', semver, `Clients need Lavalink ${MAJOR}. Update the node.`)
}

/** RFC 8489: a binding request without attributes, and the type of its answer. */
const STUN = { request: 0x0001, success: 0x0101, cookie: 0x2112_a442, headerBytes: 20 }
/** A datagram may be lost. */
const STUN_TRIES = 3
const STUN_WAIT_MS = 1000

/** Whether datagrams leave this machine and come back, as voice needs it. */
export async function checkUdp(server: string): Promise<Finding> {
  const { hostname, port } = new URL(`stun://${server}`)
  const socket = createSocket(hostname.startsWith('[') ? 'udp6' : 'udp4')
  const transaction = randomBytes(12)
  const request = Buffer.alloc(STUN.headerBytes)
  request.writeUInt16BE(STUN.request, 0)
  request.writeUInt32BE(STUN.cookie, 4)
  transaction.copy(request, 8)
  const heard = Promise.withResolvers<'answer' | Error>()
  socket.on('error', heard.resolve)
  socket.on('message', (answer) => {
    const isOurs = answer.length >= STUN.headerBytes && answer.subarray(8, 20).equals(transaction)
    if (isOurs && answer.readUInt16BE(0) === STUN.success) heard.resolve('answer')
  })
  try {
    for (let attempt = 0; attempt < STUN_TRIES; attempt++) {
      socket.send(request, Number(port || 3478), hostname.replace(/^\[|\]$/g, ''))
      const outcome = await Promise.race([heard.promise, sleep(STUN_WAIT_MS, 'silence' as const)])
      if (outcome === 'answer') return ok('udp', `${server} responds`)
      if (outcome !== 'silence') return noUdp(server, reasonOf(outcome))
    }
    return noUdp(server, `no response within ${(STUN_TRIES * STUN_WAIT_MS) / 1000} s`)
  } finally {
    socket.close()
  }
}

function noUdp(server: string, why: string): Finding {
  const advice =
    'Allow outgoing UDP to ports 50000 to 65535, since voice uses them. `--stun HOST:PORT` asks another server.'
  return warn('udp', `${server}: ${why}`, advice)
}
