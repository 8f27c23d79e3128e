import { randomBytes } from 'node:crypto'
import { startStandIn, type StandIn } from './stand-in.ts'

/** A stand-in for the HTTP server of bgutil-ytdlp-pot-provider. */
export interface TokenProviderStandIn extends StandIn {
  /** How long a token holds. */
  holdsMs: number
  /** What it was asked to vouch for, oldest first. */
  readonly bindings: string[]
  /** The token of a video or session, as base64; undefined until it was asked for. */
  tokenOf(binding: string): string | undefined
}

export async function startTokenProvider(onToken: (token: string, binding: string) => void = () => undefined) {
  const tokens = new Map<string, string>()
  const bindings: string[] = []
  const stand = { holdsMs: 3_600_000, bindings, tokenOf: (binding: string) => tokens.get(binding) }
  const service: StandIn = await startStandIn(({ method, path, body }) => {
    if (path === '/ping') return { json: { server_uptime: 1, version: '1.3.1' } }
    if (path !== '/get_pot' || method !== 'POST') return undefined
    const asked = JSON.parse(body) as { readonly content_binding?: string; readonly bypass_cache?: boolean }
    const contentBinding = asked.content_binding ?? ''
    bindings.push(contentBinding)
    const kept = asked.bypass_cache ? undefined : tokens.get(contentBinding)
    const poToken = kept ?? randomBytes(60).toString('base64url')
    tokens.set(contentBinding, poToken)
    onToken(poToken, contentBinding)
    return { json: { contentBinding, poToken, expiresAt: new Date(Date.now() + stand.holdsMs).toISOString() } }
  })
  return Object.assign(stand, service) as TokenProviderStandIn
}
