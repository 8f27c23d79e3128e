import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { promisify } from 'node:util'

/** All addresses of a host name; rejects as `dns.lookup` does. */
export type Lookup = (host: string) => Promise<readonly LookupAddress[]>

/** Of one question; the second one waits twice as long. */
const FIRST_WAIT_MS = 1500
const TRIES = 2
const ABSENT = new Set(['ENOTFOUND', 'ENODATA'])

const lookupAll = promisify(systemLookup)

/** Resolves like other programs of this machine: the hosts file, then the system's resolver. */
export const lookUpAsSystem: Lookup = (host) => lookupAll(host, { all: true, verbatim: true })

interface NameLookupOptions {
  /** `address:port`. Defaults to those of the system. */
  readonly servers?: readonly string[]
  readonly firstWaitMs?: number
}

/**
 * The public names of others, asked for over sockets. The system's own look-up takes one of the two threads that the
 * process has for it until it gives up: a handful of names whose servers keep silent would hold up every other name,
 * Discord's among them.
 */
export function createNameLookup({ servers, firstWaitMs = FIRST_WAIT_MS }: NameLookupOptions = {}): Lookup {
  return async (host) => {
    // A new one each time reads the system's servers again, which a laptop or a VPN may change at any time.
    const resolver = new Resolver({ timeout: firstWaitMs, tries: TRIES })
    if (servers) resolver.setServers(servers)
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const found = [...addresses(four, 4), ...addresses(six, 6)]
    if (found.length > 0) return found
    const error = [four, six].flatMap(reasonOf).find(({ code }) => !ABSENT.has(code ?? ''))
    // No server is set up that could be asked: the system may know another way.
    if (error?.code === 'ECONNREFUSED') return lookUpAsSystem(host).catch(() => Promise.reject(error))
    if (error) throw error
    await assertKnowsInternet(resolver)
    return []
  }
}

/**
 * A server of a network that is cut off says of every name that it is not there. Each that knows the internet knows who
 * serves `com`.
 */
async function assertKnowsInternet(resolver: Resolver): Promise<void> {
  const servers = await resolver.resolveNs('com').catch(() => [])
  if (servers.length === 0) throw new Error('The name servers resolve no internet names.')
}

function addresses(answer: PromiseSettledResult<readonly string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
}

function reasonOf(answer: PromiseSettledResult<unknown>): NodeJS.ErrnoException[] {
  return answer.status === 'rejected' ? [answer.reason as NodeJS.ErrnoException] : []
}
