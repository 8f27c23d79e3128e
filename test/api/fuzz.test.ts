import { expect } from 'chai'
import * as fc from 'fast-check'
import type { Route } from '../../api/http/route.ts'
import { routes } from '../../api/routes/index.ts'
import { EXAMPLE_UTILITIES } from '../support/example-lookups.ts'
import { channelId, guildId, secondGuildId } from '../support/fake-music.ts'
import { EXAMPLE_REQUESTS } from '../support/example-requests.ts'
import { assertContract, keys, startApi, unknownKey, type TestApi } from '../support/api.ts'
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts'
import { exchangeBytes, parseAnswers } from '../support/raw.ts'

/** Set it to repeat a run that failed; the report of the failure names it. */
const seed = Number(process.env['FUZZ_SEED'] ?? 1)

const nasty = fc.constantFrom(
  ...HOSTILE_TEXTS,
  '%00',
  '%E0%A4%A',
  '%2e%2e%2f',
  '\ud800',
  '𝄞',
  '<script>',
  '${7*7}',
  'http://169.254.169.254/latest',
)

const anyText = fc.oneof(nasty, fc.string({ maxLength: 60 }), fc.string({ unit: 'binary', maxLength: 40 }))
const anyId = fc.oneof(fc.constantFrom(guildId, secondGuildId, channelId), fc.stringMatching(/^\d{15,22}$/), anyText)

/** Tokens that were never made by a search: random bytes, cut ones, and ones that name files and private hosts. */
const anyToken = fc.oneof(
  fc.base64String({ maxLength: 400 }),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  fc.constantFrom(
    'QAAA',
    'QAAAjQMA',
    '/w==',
    '====',
    '../../x',
    'file:///etc/passwd',
    'x'.repeat(16_384),
    'x'.repeat(40_000),
  ),
)

const anyTrack = fc.oneof(fc.record({ encoded: fc.oneof(anyToken, anyText) }), fc.jsonValue())
const anyVolume = fc.oneof(fc.double(), fc.integer(), fc.jsonValue())

/** Each body belongs to one route, since any other field refuses all of it. */
const bodyFields = fc.oneof(
  fc.record(
    { query: fc.oneof(anyText, fc.jsonValue()), track: anyTrack, channelId: fc.oneof(anyId, fc.jsonValue()) },
    { requiredKeys: [] },
  ),
  fc.record({ muted: fc.oneof(fc.boolean(), fc.jsonValue()) }, { requiredKeys: [] }),
  fc.record({ track: anyTrack, volume: anyVolume }, { requiredKeys: [] }),
  fc.record(
    {
      paused: fc.oneof(fc.boolean(), fc.jsonValue()),
      volume: anyVolume,
      loop: fc.oneof(fc.constantFrom('off', 'track', 'queue'), fc.jsonValue()),
      positionMs: fc.oneof(fc.double(), fc.jsonValue()),
    },
    { requiredKeys: [] },
  ),
)

const anyBody = fc.oneof(
  { weight: 6, arbitrary: bodyFields.map((body) => JSON.stringify(body)) },
  { weight: 2, arbitrary: fc.json() },
  { weight: 1, arbitrary: anyText },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '['.repeat(30_000),
      `{"a":${'['.repeat(9000)}`,
      'x'.repeat(70_000),
      '{"__proto__":{"x":1}}',
    ),
  },
)

const anyKey = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(keys.linked, keys.otherProject) },
  { weight: 1, arbitrary: fc.constantFrom(...Object.values(keys), unknownKey, null) },
)

function anyPath(route: Route): fc.Arbitrary<string> {
  const parts = route.url.split('/').map((part) => (part.startsWith('{') ? anyId.map(encode) : fc.constant(part)))
  const names = [...Object.keys(route.query?.shape ?? {}), 'unheardOf', '__proto__']
  const query = fc.array(fc.tuple(fc.constantFrom(...names), fc.oneof(anyText, anyId, anyToken)), { maxLength: 4 })
  return fc.tuple(fc.tuple(...parts), query, fc.boolean()).map(([path, pairs, isRaw]) => {
    const search = pairs.map(([name, value]) => `${name}=${isRaw ? printable(value) : encode(value)}`).join('&')
    return search === '' ? path.join('/') : `${path.join('/')}?${search}`
  })
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** Keeps the characters that a client can send without encoding. */
function printable(text: string): string {
  return text.replaceAll(/[^!-~]|[#&]/g, '')
}

describe('hostile input', () => {
  let api: TestApi
  const loose: unknown[] = []
  const note = (reason: unknown) => void loose.push(reason)
  before(async () => {
    api = await startApi({ app: { ...EXAMPLE_UTILITIES, requests: EXAMPLE_REQUESTS } })
    process.on('unhandledRejection', note)
  })
  after(async () => {
    process.off('unhandledRejection', note)
    await api.close()
  })
  afterEach(() => {
    expect(loose).to.deep.equal([])
    expect(api.log.filter(({ level }) => level === 'error')).to.deep.equal([])
  })

  it(`in 2,400 requests to every route never gives a 5xx (seed ${seed})`, async () => {
    const anyCall = fc.constantFrom(...routes).chain((route) =>
      fc.record({
        method: fc.oneof(
          { weight: 9, arbitrary: fc.constant<string>(route.method) },
          { weight: 1, arbitrary: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS') },
        ),
        path: anyPath(route),
        key: anyKey,
        body: anyBody,
        type: fc.oneof(
          { weight: 9, arbitrary: fc.constant('application/json') },
          { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/json; charset=x', 'a/b') },
        ),
      }),
    )
    const statuses = new Set<number>()
    await fc.assert(
      fc.asyncProperty(anyCall, async ({ method, path, key, body, type }) => {
        const withBody = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
        const { status } = await api.call(method, path, {
          key,
          headers: { 'content-type': type },
          ...(withBody && { body }),
        })
        statuses.add(status)
        expect(status, `${method} ${path.slice(0, 300)} ${body.slice(0, 300)}`).to.be.lessThan(500)
      }),
      { seed, numRuns: 2400, endOnFailure: true },
    )
    // A run that refuses every request up front would prove little.
    expect([...statuses]).to.include.members([200, 400, 401, 404, 422])
  })

  it('in the form of broken HTTP is answered with the error body or not at all', async () => {
    const good = [
      `GET /v1/music/search?q=a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${keys.linked}\r\n\r\n`,
      `POST /v1/music/guilds/${guildId}/mute HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${keys.linked}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 14\r\n\r\n{"muted":true}',
      `GET /v1/events HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    ]
    const mutation = fc.record({
      text: fc.constantFrom(...good),
      at: fc.nat(400),
      cut: fc.nat(6),
      insert: fc.oneof(
        fc.constantFrom('\r\n', '\0', ':', ' ', 'Content-Length: 3\r\n', '\r\n\r\n', '%'),
        fc.string({ maxLength: 5 }),
      ),
    })
    await fc.assert(
      fc.asyncProperty(mutation, async ({ text, at, cut, insert }) => {
        const place = at % text.length
        const bytes = text.slice(0, place) + insert + text.slice(place + cut)
        const answers = parseAnswers(await exchangeBytes(api.port, bytes, (socket) => socket.end()))
        for (const { status, headers, body } of answers) {
          expect(status, bytes).to.be.lessThan(500)
          expect(headers['x-request-id'], bytes).to.be.a('string')
          if (status >= 400)
            assertContract('', '', {
              status,
              headers: new Headers({ 'x-request-id': headers['x-request-id'] ?? '' }),
              body,
            })
        }
      }),
      { seed, numRuns: 400, endOnFailure: true },
    )
  })
})
