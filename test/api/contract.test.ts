import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { faultsOf, describeApi } from '../../api/docs/openapi.ts'
import type { Route } from '../../api/http/route.ts'
import { routes } from '../../api/routes/index.ts'
import { Fault } from '../../lib/errors.ts'
import { EXAMPLE_UTILITIES } from '../support/example-lookups.ts'
import { EXAMPLE_REQUESTS } from '../support/example-requests.ts'
import { channelId, guildId } from '../support/fake-music.ts'
import { keys, startApi, unknownKey, type CallOptions, type Called, type TestApi } from '../support/api.ts'

const document = describeApi(routes, { version: '1.2.3', baseUrl: 'http://127.0.0.1' })
// The whole document is one schema to the validator, and each answer's a place in it: what they share is compiled once.
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'openapi.json')
const VERBS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A good request to a route, made from its own example. */
function goodCall(route: Route): { path: string; options: CallOptions } {
  const { path = {}, query = {}, body } = route.example
  const target = route.url.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'guildId' ? guildId : (path[name] ?? ''),
  )
  const search = new URLSearchParams(query).toString()
  const text = search === '' ? target : `${target}?${search}`
  if (route.upload) return { path: text, options: { body: 'a picture', headers: { 'content-type': 'image/png' } } }
  return { path: text, options: body === undefined ? {} : { body: { ...(body as object) } } }
}

/** Holds an answer against what the document says of its operation and status. */
function assertDocumented(route: Route, { status, headers, body }: Called): void {
  const what = `${route.id} answered ${status} ${JSON.stringify(body)}`
  const operation = (document.paths as any)[route.url][route.method.toLowerCase()]
  const declared = operation.responses[String(status)]
  expect(declared, what).to.be.an('object')
  for (const [name, header] of Object.entries<any>(declared.headers ?? {})) {
    const known = header.$ref ? (document.components as any).headers[header.$ref.split('/').at(-1)] : header
    if (known.required) expect(headers.get(name), `${what}: ${name}`).to.be.a('string')
  }
  if (!declared.content?.['application/json']?.schema) return
  const place = [
    'paths',
    route.url,
    route.method.toLowerCase(),
    'responses',
    status,
    'content',
    'application/json',
    'schema',
  ]
  const pointer = place.map((part) => encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1')))
  const check = ajv.getSchema(`openapi.json#/${pointer.join('/')}`)
  expect(check?.(body), `${what}: ${ajv.errorsText(check?.errors)}`).to.equal(true)
}

const keyed = routes.filter((route) => route.class !== 'open')

describe('every route', () => {
  let api: TestApi
  /** Error that `trackMetadata` throws, like `music.failWith` for the player. */
  let failure: Error | null = null
  const { trackMetadata: examples } = EXAMPLE_UTILITIES
  const unlessFailing = async <T>(answer: Promise<T>) => {
    if (failure) throw failure
    return answer
  }
  const trackMetadata: typeof examples = {
    lyrics: (...of) => unlessFailing(examples.lyrics(...of)),
    meaning: (...of) => unlessFailing(examples.meaning(...of)),
    recommendations: (...of) => unlessFailing(examples.recommendations(...of)),
  }
  before(async () => {
    api = await startApi({ app: { ...EXAMPLE_UTILITIES, trackMetadata, requests: EXAMPLE_REQUESTS } })
    for (let i = 0; i < 2; i += 1) await play()
    await api.call('POST', `/v1/music/guilds/${guildId}/skip`)
  })
  // A minute later the meter has forgotten what the test before asked.
  beforeEach(() => void (api.clock.nowMs += 60_000))
  after(() => api.close())

  const play = () => api.call('POST', `/v1/music/guilds/${guildId}/play`, { body: { query: 'night', channelId } })

  const tell = async (route: Route, options: CallOptions = {}) => {
    const { path, options: good } = goodCall(route)
    const called = await api.call(route.method, path, { ...good, ...options })
    assertDocumented(route, called)
    return called
  }

  it('answers a good request with 200 and what its schema declares', async () => {
    // A layer is made before it is changed; closing the player comes last.
    const last = ['addLayer', 'listLayers', 'changeLayer', 'removeLayer', 'closePlayer']
    for (const route of routes.toSorted((a, b) => last.indexOf(a.id) - last.indexOf(b.id))) {
      // Other routes empty the queue.
      if (route.url.includes('/queue/')) await play()
      const { status } = await tell(route)
      expect(status, route.id).to.equal(route.class === 'socket' ? 426 : (route.status ?? 200))
    }
    await api.call('POST', `/v1/music/guilds/${guildId}/play`, { body: { query: 'night', channelId } })
  })

  it('has an example that its own schemas accept', () => {
    for (const route of routes) {
      const { path = {}, query = {}, body = {}, data } = route.example
      const raw = { path: { values: path, faulty: null }, query: { values: query, faulty: null }, body }
      expect(() => route.parse(raw), route.id).not.to.throw()
      if (route.class !== 'socket') expect(route.data.safeParse(data).error, route.id).to.equal(undefined)
    }
  })

  it('has a name and a place of its own', () => {
    expect(new Set(routes.map(({ id }) => id)).size).to.equal(routes.length)
    for (const { url } of routes) expect(url).to.match(/^\/v1\/[a-z]/)
  })

  it('needs a key, except the status', async () => {
    expect(routes.filter((route) => !keyed.includes(route)).map(({ url }) => url)).to.deep.equal(['/v1/status'])
    for (const route of keyed) {
      const { status, body } = await tell(route, { key: null })
      expect([status, body.error.code], route.id).to.deep.equal([401, 'invalid_api_key'])
      expect(body.error.message).to.contain('Authorization: Bearer svc.')
    }
  })

  it('refuses what is not exactly a key, before any look-up', async () => {
    const { linked } = keys
    const malformed = ['Bearer', 'Bearer ', linked, `Basic ${linked}`, `Bearer\t${linked}`, `Bearer ${linked}0`]
    malformed.push(`Bearer ${linked.slice(0, -1)}`, `Bearer ${linked.toUpperCase()}`, `Bearer svc_${'a1'.repeat(32)}`)
    malformed.push(`Bearer ${linked.slice(4)}`, `Bearer ${linked}, Bearer ${linked}`, `Bearer svc.${'g'.repeat(64)}`)
    for (const route of keyed) {
      const asked = malformed.map((authorization) => tell(route, { key: null, headers: { authorization } }))
      for (const [at, { status, body }] of (await Promise.all(asked)).entries()) {
        expect([status, body.error.code], `${route.id} ${malformed[at]}`).to.deep.equal([401, 'invalid_api_key'])
        expect(body.error.message).to.contain('Authorization: Bearer svc.')
      }
    }
  })

  it('takes the scheme word in any case, with one space behind it or more', async () => {
    for (const route of keyed) {
      for (const word of ['bearer', 'BEARER ', 'bEaReR   ']) {
        const { status } = await tell(route, { key: null, headers: { authorization: `${word} ${keys.linked}` } })
        expect(status, route.id).not.to.equal(401)
        if (route.id === 'closePlayer') {
          await api.call('POST', `/v1/music/guilds/${guildId}/play`, { body: { query: 'night', channelId } })
        }
      }
    }
  })

  it('tells an unknown key from a revoked and an expired one', async () => {
    for (const route of keyed) {
      for (const [key, code, words] of [
        [unknownKey, 'invalid_api_key', /doesn't exist/],
        [keys.revoked, 'api_key_revoked', /was revoked/],
        [keys.expired, 'api_key_revoked', /expired/],
        [keys.revokedAndExpired, 'api_key_revoked', /was revoked/],
      ] as const) {
        const { status, body } = await tell(route, { key })
        expect([status, body.error.code], `${route.id} ${code}`).to.deep.equal([401, code])
        expect(body.error.message).to.match(words)
      }
    }
  })

  it('answers 403 on music routes to a key without a bot, and on no other route', async () => {
    for (const route of keyed) {
      const { status, body } = await tell(route, { key: keys.unlinked })
      if (route.url.startsWith('/v1/music/')) {
        expect([status, body.error.code], route.id).to.deep.equal([403, 'forbidden'])
        expect(body.error.message).to.match(/no bot or pool/)
      } else expect(status, route.id).not.to.equal(403)
    }
  })

  it('refuses a key that is restricted to other classes or other addresses', async () => {
    for (const route of keyed) {
      for (const key of route.class === 'fetch' ? [keys.elsewhere] : [keys.fetchOnly, keys.elsewhere]) {
        const { status, body } = await tell(route, { key })
        expect([status, body.error.code], route.id).to.deep.equal([403, 'forbidden'])
      }
    }
    api.changeKey('elsewhere', { allow: ['10.0.0.0/8', '127.0.0.0/8'] })
    expect((await api.call('GET', '/v1/music/players', { key: keys.elsewhere })).status).to.equal(200)
  })

  it('answers a verb it does not know with 405 and its own verbs', async () => {
    const urls = new Set(routes.map(({ url }) => url))
    for (const url of urls) {
      const own = routes.filter((route) => route.url === url)
      const { path } = goodCall(own[0] as Route)
      for (const verb of VERBS.filter((verb) => own.every(({ method }) => method !== verb))) {
        const { status, body, headers } = await api.call(verb, path, { key: null })
        expect([status, body.error.code], `${verb} ${url}`).to.deep.equal([405, 'method_not_allowed'])
        for (const { method } of own) expect(headers.get('allow')).to.contain(method)
      }
      const { status, headers } = await api.call('OPTIONS', path, { key: null })
      expect([status, headers.get('access-control-allow-origin')], url).to.deep.equal([204, '*'])
    }
  })

  it('is described without a reference that refuses what it refers to', () => {
    const look = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      if ('$ref' in node) expect(node).not.to.have.property('additionalProperties')
      for (const value of Object.values(node)) look(value)
    }
    look(document)
  })

  it('answers HEAD where it knows GET', async () => {
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      const { path } = goodCall(route)
      const { status, body } = await api.call('HEAD', path)
      expect([status, body], route.id).to.deep.equal([route.class === 'socket' ? 426 : (route.status ?? 200), ''])
    }
  })

  it('ignores query parameters that it does not know', async () => {
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      const { path, options } = goodCall(route)
      const more = `${path}${path.includes('?') ? '&' : '?'}unheardOf=1&unheardOf=%zz`
      expect((await api.call(route.method, more, options)).status, route.id).to.be.oneOf([200, 202, 426])
    }
  })

  it('refuses each of its query parameters when it comes twice, by name', async () => {
    for (const route of routes) {
      for (const name of Object.keys(route.query?.shape ?? {})) {
        const { path, options } = goodCall(route)
        const twice = `${path}${path.includes('?') ? '&' : '?'}${name}=a&${name}=a`
        const called = await api.call(route.method, twice, options)
        assertDocumented(route, called)
        expect(called.status, `${route.id} ${name}`).to.equal(route.invalid === 'bad_request' ? 400 : 422)
        if (called.status === 422) {
          expect(called.body.error.details.map(({ field }: any) => field)).to.include(`query.${name}`)
        } else expect(JSON.stringify(called.body)).to.contain(`query.${name}`)
      }
    }
  })

  it('refuses a guild that is no Discord id, by name', async () => {
    for (const route of routes.filter(({ path }) => path && 'guildId' in path.shape)) {
      for (const bad of [
        '1',
        'x',
        '1'.repeat(16),
        '1'.repeat(21),
        '8138478876571238a',
        '%20',
        '１２３４５６７８９０１２３４５６７',
      ]) {
        const called = await api.call(route.method, route.url.replace('{guildId}', encodeURIComponent(bad)))
        assertDocumented(route, called)
        expect(called.status, `${route.id} ${bad}`).to.equal(422)
        expect(called.body.error.details[0].field).to.equal('path.guildId')
      }
    }
  })

  it('carries the limits headers when its class is metered, and only then', async () => {
    for (const route of keyed) {
      const { headers } = await tell(route)
      const names = [...headers.keys()].filter((name) => /^(?:x-)?ratelimit/.test(name)).toSorted()
      const metered = route.class !== 'player' && route.class !== 'socket'
      const all = [
        'ratelimit',
        'ratelimit-policy',
        'x-ratelimit-class',
        'x-ratelimit-limit',
        'x-ratelimit-plan',
        'x-ratelimit-remaining',
      ]
      expect(names, route.id).to.deep.equal(metered ? all : [])
      if (metered) expect(headers.get('x-ratelimit-class')).to.equal(route.class)
      if (route.id === 'closePlayer') {
        await api.call('POST', `/v1/music/guilds/${guildId}/play`, { body: { query: 'night', channelId } })
      }
    }
  })

  it('of music answers each fault it declares as it declares it', async () => {
    for (const route of routes.filter((route) => route.class === 'player')) {
      for (const [status, codes] of faultsOf(route)) {
        for (const code of codes.filter((one) => !['invalid_api_key', 'api_key_revoked', 'forbidden'].includes(one))) {
          failure = code === 'internal_error' ? new Error('a bug') : new Fault(code, 'As told.')
          api.music.failWith(failure)
          expect((await tell(route)).status, `${route.id} ${code}`).to.equal(status)
        }
      }
      failure = null
      api.music.failWith(null)
    }
  })
})
