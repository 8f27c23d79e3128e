import { expect } from 'chai'
import { z } from 'zod'
import { routes } from '../../api/routes/index.ts'
import type { Route } from '../../api/route.ts'
import { encodeToken } from '../../bot/token.ts'
import { trackNamed } from '../support/stage.ts'
import { startService, type RunningService } from '../support/service.ts'
import { STALL_MAX_MS } from '../support/stalls.ts'
import { UPSTREAM_ADDRESSES } from '../support/upstreams/addresses.ts'
import { startStandIn, type StandIn } from '../support/upstreams/stand-in.ts'

/** Of a field without a bound of its own. */
const LONGEST = 5000
const ATTACK_MS = 1000
/** Each is repeated: white space, punctuation that patterns look for, marks that combine, brackets that never close. */
const UNITS = ['\t', ' .', '\u2028', '([{<"', 'a\u0301', '-:', '1,', '\ufdfa', '`', ' - ']
const MUSIC_ADDRESSES = [
  'SOUNDCLOUD_API_URL SOUNDCLOUD_WEB_URL RADIO_BROWSER_URL BANDCAMP_URL SPOTIFY_WEB_URL ITUNES_URL YOUTUBE_URL',
  'LRCLIB_URL WIKIPEDIA_URL GENIUS_URL LASTFM_URL LISTENBRAINZ_URL DEEZER_API_URL',
].flatMap((line) => line.split(' '))

interface Attack {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

describe('hostile texts', () => {
  let outside: StandIn
  let service: RunningService
  before(async function () {
    this.timeout(120_000)
    outside = await startStandIn(() => undefined)
    const addresses = [...UPSTREAM_ADDRESSES, ...MUSIC_ADDRESSES].map((name) => [name, outside.url])
    service = await startService({ env: { ...Object.fromEntries(addresses), UPSTREAM_TIMEOUT_MS: '500' } })
  })
  after(async () => {
    await service.stop()
    await outside.close()
  })

  async function healthMs(): Promise<number> {
    const askedAt = performance.now()
    await (await fetch(`${service.demo.baseUrl}/healthz`)).text()
    return performance.now() - askedAt
  }

  async function send({ method, path, body }: Attack): Promise<void> {
    const headers = { authorization: `Bearer ${service.demo.keys.linked}`, 'content-type': 'application/json' }
    // A search that other services do not answer may go on for longer than the texts are looked at.
    const signal = AbortSignal.timeout(ATTACK_MS)
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    await fetch(service.demo.baseUrl + path, { method, headers, signal, ...sent }).catch(() => undefined)
  }

  /** The longest that anybody else waited while these requests were answered. */
  async function stallOf(attacks: readonly Attack[]): Promise<number> {
    const requests = { areOpen: true }
    const sent = Promise.all(attacks.map(send)).finally(() => (requests.areOpen = false))
    let longest = 0
    do longest = Math.max(longest, await healthMs())
    while (requests.areOpen)
    await sent
    return longest
  }

  it('in any field of any route keep nobody else waiting', async () => {
    const slow: string[] = []
    for (const attacks of routes.flatMap((route) => attacksOn(route, service.demo.guildId))) {
      let stallMs = Number.POSITIVE_INFINITY
      // A single stall may be the machine's; one of ours comes every time.
      for (let run = 0; run < 3 && stallMs > STALL_MAX_MS; run++) stallMs = Math.min(stallMs, await stallOf(attacks))
      if (stallMs > STALL_MAX_MS) slow.push(`${attacks[0]?.path.slice(0, 100)}: ${Math.round(stallMs)} ms`)
    }
    expect(slow).to.deep.equal([])
    expect(service.process.exitCode).to.equal(null)
  }).timeout(300_000)
})

/** For each field one request with each text. Pictures and browsers do their work elsewhere. */
function attacksOn(route: Route, guildId: string): Attack[][] {
  if (route.class === 'canvas' || route.class === 'browser' || route.class === 'socket') return []
  const { path = {}, query = {}, body } = route.example
  const send = (own: { path?: object; query?: object; body?: object }): Attack => {
    const parts: Record<string, string> = { ...path, guildId, ...own.path }
    const url = route.url.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? ''))
    const search = new URLSearchParams({ ...query, ...own.query }).toString()
    return { method: route.method, path: `${url}?${search}`, body: body && { ...body, ...own.body } }
  }
  const attacksIn = (place: 'path' | 'query' | 'body') =>
    Object.entries<z.ZodType>(route[place]?.shape ?? {}).map(([name, schema]) =>
      valuesFor(name, schema).map((value) => send({ [place]: { [name]: value } })),
    )
  return [...attacksIn('path'), ...attacksIn('query'), ...attacksIn('body')]
}

function valuesFor(name: string, schema: z.ZodType): unknown[] {
  const tokens = UNITS.map((unit) => encodeToken({ ...trackNamed('a'), title: `${unit.repeat(9000).slice(0, 3000)}x` }))
  if (name === 'encoded') return tokens
  if (name === 'track') return tokens.map((encoded) => ({ encoded }))
  const { maxLength = LONGEST } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return UNITS.map((unit) => unit.repeat(maxLength).slice(0, maxLength))
}
