import { z } from 'zod'
import { createCache } from '../../../upstream/http/cache.ts'
import { createUpstream, type UpstreamContext } from '../../../upstream/http/client.ts'
import { UpstreamFailure } from '../../../upstream/http/failure.ts'

/** Tokens by which YouTube knows that a video plays in a browser, from a provider that the operator runs. */
export interface TokenProvider {
  /**
   * @param binding the ID of a video, or the visitor data of a session
   * @param isFresh YouTube does not take the former one
   * @returns null if there is no provider, or if it has no token
   */
  readonly find: (binding: string, isFresh?: boolean) => Promise<string | null>
}

interface TokenProviderOptions {
  /** Base address; null without a provider. */
  readonly baseUrl: string | null
}

/** What the servers of bgutil-ytdlp-pot-provider answer, the older ones in the second form. */
const Token = z.string().regex(/^[A-Za-z0-9_=-]{1,4096}$/)
const Answer = z
  .object({ poToken: Token, expiresAt: z.union([z.string(), z.number()]).nullish() })
  .or(z.object({ po_token: Token }).transform(({ po_token: poToken }) => ({ poToken, expiresAt: null })))

/** A provider that mints its first token starts a browser's worth of script. */
const TIMEOUT_MS = 6000
/** Where the provider does not say how long. */
const HOLDS_MS = 21_600_000
/** Time in which a track that just began can still be read. */
const SPARE_MS = 60_000
const KEPT_MAX = 500

export function createTokenProvider(context: UpstreamContext, { baseUrl }: TokenProviderOptions): TokenProvider {
  if (baseUrl === null) return { find: () => Promise.resolve(null) }
  const { metrics, now, date, log } = context
  const name = 'youtube-tokens'
  const service = createUpstream(context, { name: 'The token provider', id: name, baseUrl, timeoutMs: TIMEOUT_MS })
  const kept = createCache<z.output<typeof Answer>>({
    name,
    max: KEPT_MAX,
    ttlMs: ({ expiresAt }) => holdsMs(expiresAt ?? null, date()),
    metrics,
    now,
  })
  return {
    async find(binding, isFresh = false) {
      if (isFresh) kept.forget(binding)
      const json = { content_binding: binding, ...(isFresh && { bypass_cache: true }) }
      try {
        return (await kept.get(binding, () => service.get({ path: '/get_pot', json, shape: Answer }))).poToken
      } catch (err) {
        if (!(err instanceof UpstreamFailure)) throw err
        log.warn({ err }, 'YouTube token not provided')
        return null
      }
    },
  }
}

function holdsMs(expiresAt: string | number | null, nowMs: number): number {
  if (expiresAt === null) return HOLDS_MS
  const atMs = typeof expiresAt === 'number' ? expiresAt : Date.parse(expiresAt)
  return Number.isNaN(atMs) ? HOLDS_MS : Math.max(0, atMs - nowMs - SPARE_MS)
}
