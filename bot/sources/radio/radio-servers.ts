import { z } from 'zod'
import { createCache } from '../../../upstream/http/cache.ts'
import { createUpstream, type Upstream, type UpstreamContext } from '../../../upstream/http/client.ts'
import { UpstreamFailure } from '../../../upstream/http/failure.ts'
import { usable } from '../../../upstream/music/schemas.ts'

export interface RadioServersOptions {
  /** The only server that is asked; null: those of the public directory. */
  readonly baseUrl: string | null
  /** Address of the list of the public directory's servers. */
  readonly listUrl: string
  readonly timeoutMs: number
}

const Server = z.object({ name: z.string().regex(/^[\w.-]+(?::\d+)?$/) })
const HOUR_MS = 60 * 60_000
const MOST_ASKED = 3

/** The servers of the radio directory, each of which has all stations. */
export function createRadioServers(context: UpstreamContext, options: RadioServersOptions) {
  const { baseUrl, listUrl, timeoutMs } = options
  const { metrics, now, random } = context
  const open = (url: string) =>
    createUpstream(context, { id: 'radio-browser', name: 'The radio directory', baseUrl: url, timeoutMs })
  const list = open(listUrl)
  // Kept, since each knows whether its server is to be left alone for a while.
  const known = new Map<string, Upstream>()
  const servers = createCache<Upstream[]>({
    name: 'radio-servers',
    max: 1,
    ttlMs: HOUR_MS,
    staleMs: 24 * HOUR_MS,
    metrics,
    now,
  })

  async function find(): Promise<Upstream[]> {
    const found = usable(Server, await list.get({ path: '/json/servers', shape: z.array(z.unknown()) }))
    // Each is listed once for IPv4 and once for IPv6; the order spreads the load, as the directory asks.
    const urls = new Set(found.map(({ name }) => `${new URL(listUrl).protocol}//${name}`))
    const all = [...urls].map((url) => {
      const server = known.get(url) ?? open(url)
      known.set(url, server)
      return { server, order: random() }
    })
    const servers = all.toSorted((a, b) => a.order - b.order).map(({ server }) => server)
    return servers.length > 0 ? servers : [list]
  }

  // The name of the list is one of a server as well: of a different one each time.
  const fallback = (error: unknown): Upstream[] => {
    if (error instanceof UpstreamFailure) return [list]
    throw error
  }
  const fixed = baseUrl === null ? null : [open(baseUrl)]

  return {
    /** Asks one, and the next where it fails. @throws {UpstreamFailure} of the last one. */
    async ask<T>(question: (server: Upstream) => Promise<T>): Promise<T> {
      const all = fixed ?? (await servers.get('all', find).catch(fallback))
      for (const [at, server] of [...all].slice(0, MOST_ASKED).entries()) {
        try {
          return await question(server)
        } catch (error) {
          const isLast = at + 1 >= Math.min(all.length, MOST_ASKED)
          if (isLast || !(error instanceof UpstreamFailure)) throw error
          // The next question begins with another one.
          all.push(...all.splice(all.indexOf(server), 1))
        }
      }
      throw new Error('unreachable: there is always one server')
    },
  }
}
