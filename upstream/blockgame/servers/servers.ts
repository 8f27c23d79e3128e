import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { Fault, unprocessable } from '../../../lib/errors.ts'
import { createFairShare } from '../../../lib/sharing/fair-share.ts'
import { createCache } from '../../http/cache.ts'
import type { UpstreamContext } from '../../http/client.ts'
import type { Egress } from '../../egress/egress-guard.ts'
import { readAddress, type ServerAddress } from './address.ts'
import { pingBedrock } from './bedrock.ts'
import { pingJava, pingLegacy } from './java.ts'
import type { Edition } from '../schemas.ts'
import type { Answered, Dialled } from './ping.ts'
import { abortable } from '../../../lib/deadline.ts'

type Silent = { readonly [Field in keyof Answered]: null }

export type ServerStatus = { readonly edition: Edition; readonly host: string; readonly port: number } & (
  | ({ readonly online: true } & Answered)
  | ({ readonly online: false } & Silent)
)

export type BlockServers = ReturnType<typeof createBlockServers>

export interface BlockServerOptions {
  readonly egress: Pick<Egress, 'admit'>
  readonly timeoutMs: number
  readonly cacheMax: number
  /** Where the name's own record says the server is; a rejection means that there is none. Defaults to the system's resolver. */
  readonly resolveSrv?: (name: string) => Promise<readonly { readonly name: string; readonly port: number }[]>
}

export const DEFAULT_PORT = { java: 25_565, bedrock: 19_132 } as const
const SILENT: Silent = { version: null, protocol: null, players: null, motd: null, favicon: null, latencyMs: null }
/** Servers of callers send what they like: one project leaves room for others. */
const LOOKUPS = { what: 'server lookups', total: 32, share: 8, maxWaiting: 64, maxWaitMs: 10_000 }

export function createBlockServers(context: UpstreamContext, options: BlockServerOptions) {
  const { egress, timeoutMs, resolveSrv = srvResolver(timeoutMs) } = options
  const { metrics, now, closing } = context
  const kept = { name: 'blockgame-servers', max: options.cacheMax, metrics, now }
  const statuses = createCache<Asked>({ ...kept, ttlMs: ({ said }) => (said ? 60_000 : 30_000) })
  const places = createFairShare(LOOKUPS)

  const ask = async (address: ServerAddress, edition: Edition): Promise<Asked> => {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)])
    const at = edition === 'java' ? await locate(address, resolveSrv) : place(address, DEFAULT_PORT.bedrock)
    const addresses = await admit(egress, at, signal)
    // Not every machine has a way to IPv6.
    const [first] = addresses.toSorted((a, b) => a.family - b.family)
    return { at, said: first ? await ping({ ...at, address: first.address, signal }, edition) : null }
  }

  return {
    /**
     * Asks a game server how it is. A server that does not answer is offline, which is no fault.
     * @throws {Fault} `validation_error` for an address that is none or is not public; `service_unavailable` where the project
     *   asks too many at once.
     */
    async status(text: string, edition: Edition, projectId: string): Promise<ServerStatus> {
      const address = readAddress(text)
      if (!address) {
        throw unprocessable('invalid_address', 'Must be a hostname or IP address, with an optional port.')
      }
      const key = [edition, address.host, address.port ?? ''].join('|')
      const { at, said } = await statuses.get(key, () => places.run(projectId, () => ask(address, edition), closing))
      const where = { edition, host: address.host, port: at.port }
      return said ? { online: true, ...where, ...said } : { online: false, ...where, ...SILENT }
    },
  }
}

interface Located {
  readonly host: string
  readonly port: number
}

interface Asked {
  readonly at: Located
  /** Null: it is offline. */
  readonly said: Answered | null
}

function place({ host, port }: ServerAddress, byDefault: number): Located {
  return { host, port: port ?? byDefault }
}

/** A name without a port may say by a record of its own where its server is. */
async function locate(
  address: ServerAddress,
  resolveSrv: NonNullable<BlockServerOptions['resolveSrv']>,
): Promise<Located> {
  if (address.port !== null || isIP(address.host) !== 0) return place(address, DEFAULT_PORT.java)
  const [record] = await resolveSrv(`_minecraft._tcp.${address.host}`).catch(() => [])
  const target = record && readAddress(record.name)
  return target ? { host: target.host, port: record.port } : place(address, DEFAULT_PORT.java)
}

/** The addresses that may be dialled; none if they cannot be resolved in time. */
async function admit(
  egress: Pick<Egress, 'admit'>,
  { host, port }: Located,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  try {
    return await abortable(egress.admit(host, port), signal)
  } catch (error) {
    if (signal.aborted || !(error instanceof Fault) || error.code !== 'validation_error') return []
    throw unprocessable('address_refused', error.message)
  }
}

/** Null if nothing that speaks the game's protocol answers. */
async function ping(dialled: Dialled, edition: Edition): Promise<Answered | null> {
  const attempts = edition === 'java' ? [pingJava, pingLegacy] : [pingBedrock]
  for (const attempt of attempts) {
    try {
      return await attempt(dialled)
    } catch (error) {
      // What refuses a connection or is silent for this long would not answer the older question either.
      if (dialled.signal.aborted || (error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return null
    }
  }
  return null
}

function srvResolver(timeoutMs: number): NonNullable<BlockServerOptions['resolveSrv']> {
  return async (name) => {
    const resolver = new Resolver({ timeout: Math.min(1500, timeoutMs), tries: 1 })
    return resolver.resolveSrv(name)
  }
}
