import { expect } from 'chai'
import { Writable } from 'node:stream'
import { createLog } from '../../../lib/log.ts'
import { notFound, notFoundInJson, urlPath } from '../../../upstream/http/client.ts'
import { failingAs, optional, within } from '../../../upstream/http/failure.ts'
import { city, startCityService, type CityService } from '../../support/upstreams/city.ts'
import { createTestContext, failureOf } from '../../support/upstreams/context.ts'
import { MISBEHAVIOURS, startStandIn, type Reply } from '../../support/upstreams/stand-in.ts'

describe('upstream client', () => {
  let at: CityService
  beforeEach(async () => {
    at = await startCityService({ retries: 1 })
  })
  afterEach(() => at.close())

  describe('asking', () => {
    it('gives the answer in its documented shape and says who asks, in which language', async () => {
      expect(await at.client().get({ ...city, query: { q: 'a b+c&d', left: undefined } })).to.deep.equal({
        city: 'Łódź',
      })
      const [request] = at.service.received
      expect(request?.rawUrl).to.equal('/city?q=a%20b%2Bc%26d')
      expect(request?.headers['user-agent']).to.match(/^Bandstand\//)
      expect(request?.headers['accept-language']).to.equal('en')
    })

    it('keeps the path of its base address and escapes anything that is put into a path', async () => {
      await at.client({ baseUrl: `${at.service.url}/v2/` }).get({ ...city, path: urlPath`/city/${'../ü/%\uD83D'}` })
      expect(at.service.received[0]?.rawUrl).to.equal('/v2/city/..%2F%C3%BC%2F%25%EF%BF%BD')
    })

    it('posts JSON when it has something to say', async () => {
      await at.client().get({ ...city, json: { text: 'ü' } })
      expect(at.service.received[0]).to.include({ method: 'POST', body: '{"text":"ü"}' })
    })

    it('reads a byte order mark, Latin-1 that says so, and UTF-8 that claims to be something else', async () => {
      const encodings = [
        { bytes: Buffer.from('\uFEFF{"city":"Łódź"}'), type: 'application/json', reads: 'Łódź' },
        {
          bytes: Buffer.from('{"city":"Köln"}', 'latin1'),
          type: 'application/json; charset=ISO-8859-1',
          reads: 'Köln',
        },
        { bytes: Buffer.from('{"city":"Köln"}'), type: 'text/plain; charset=iso-8859-1', reads: 'Köln' },
      ]
      for (const { bytes, type, reads } of encodings) {
        const other = await startRaw(bytes, type)
        expect(await at.client({ baseUrl: other.url }).get(city)).to.deep.equal({ city: reads })
        await other.close()
      }
    })

    it('gives null for what the service says does not exist, and only then', async () => {
      at.replies = [{ status: 404, json: {} }, { status: 204 }, { status: 404, text: '<html>proxy</html>' }]
      const ask = { ...city, absent: notFoundInJson }
      expect(await at.client().find(ask)).to.equal(null)
      expect(await at.client().find(ask)).to.equal(null)
      expect(await failureOf(at.client().find(ask))).to.include({ kind: 'rejected', status: 404 })
      expect(notFound({ status: 404, body: undefined })).to.equal(true)
    })

    it('follows a redirect on the same host where it is told to, and no other', async () => {
      at.replies = [to('/moved')]
      expect(await at.client().get({ ...city, redirects: 1 })).to.deep.equal({ city: 'Łódź' })
      at.replies = [to('/moved'), to('/again')]
      expect((await failureOf(at.client().get({ ...city, redirects: 1 }))).kind).to.equal('redirected')
      at.replies = [to('http://localhost:1/')]
      expect((await failureOf(at.client().get({ ...city, redirects: 1 }))).kind).to.equal('redirected')
    })
  })

  describe('failing', () => {
    for (const how of MISBEHAVIOURS) {
      it(`ends within its bound with one known failure: ${how}`, async () => {
        at.service.misbehave(how)
        const timeoutMs = how === 'hang' || how === 'drip' ? 150 : 10_000
        const facts = await failureOf(at.client({ timeoutMs }).get(city))
        expect(facts.kind).to.equal(
          {
            hang: 'timed_out',
            drip: 'timed_out',
            'status 500': 'broken',
            'status 429 with Retry-After': 'refused',
            'truncated JSON': 'malformed',
            'wrong shape': 'malformed',
            HTML: 'malformed',
            redirect: 'redirected',
            'wrong charset': 'malformed',
            '20 MB': 'too_large',
            'cut connection': 'unreachable',
          }[how],
        )
      })
    }

    it('says in words who is unreachable where, and passes nothing on of what the service said', async () => {
      at.service.misbehave('status 500')
      const fault = await failingAs('service_unavailable', () => at.client().get(city)).catch((error: unknown) => error)
      expect(fault).to.include({ code: 'service_unavailable' })
      expect((fault as Error).message).to.equal(
        `The city service (${new URL(at.service.url).host}) has an internal error. Try again in a moment.`,
      )
    })

    it('keeps keys out of its log', async () => {
      const lines: string[] = []
      const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(chunk.toString()), done()) })
      const logged = createTestContext({ log: createLog('debug', sink) })
      for (const how of MISBEHAVIOURS.filter((each) => each !== 'hang' && each !== 'drip')) {
        at.service.misbehave(how)
        await failureOf(
          at.client({ headers: { authorization: 'hush-1' } }, logged).get({ ...city, query: { appid: 'hush-2' } }),
        )
      }
      expect(lines).to.have.length.above(3)
      expect(lines.join('')).not.to.contain('hush')
      await logged.close()
    })

    it('gives an optional part up without failing the rest', async () => {
      at.service.misbehave('status 500')
      expect(await optional(at.client().get(city))).to.equal(null)
    })

    it('ends a whole of several calls at its own bound', async () => {
      const who = { name: 'The city service', host: 'cities.example' }
      expect((await failureOf(within(10, who, new Promise(() => undefined)))).kind).to.equal('timed_out')
      expect(await within(1000, who, Promise.resolve('done'))).to.equal('done')
    })

    it('turns away what is too much at once instead of queueing it', async () => {
      at.service.misbehave('hang')
      const one = at.client({ timeoutMs: 200 })
      const kinds = (await Promise.all(Array.from({ length: 70 }, () => failureOf(one.get(city))))).map(
        ({ kind }) => kind,
      )
      expect(kinds.filter((kind) => kind === 'crowded')).to.have.length(6)
    })

    it('lets go of everything under way when the service shuts down', async () => {
      at.service.misbehave('hang')
      const asked = failureOf(at.client({ timeoutMs: 60_000 }).get(city))
      await at.context.close()
      await asked
    })
  })

  describe('retrying', () => {
    it('tries once more after a 502, 503 or 504 or a cut connection, and not twice', async () => {
      for (const status of [502, 503, 504]) {
        at.replies = [{ status }]
        expect(await at.client().get(city)).to.deep.equal({ city: 'Łódź' })
      }
      expect(at.service.received).to.have.length(6)
      at.replies = [{ status: 503 }, { status: 503 }, { status: 503 }]
      await failureOf(at.client().get(city))
      expect(at.service.received).to.have.length(8)
      at.service.misbehave('cut connection')
      await failureOf(at.client().get(city))
      expect(at.service.received).to.have.length(10)
    })

    it('does not repeat what was rejected, malformed or a plain 500', async () => {
      at.replies = [{ status: 400, json: {} }, { status: 500 }, { text: 'no JSON' }, { status: 429 }]
      for (let i = 0; i < 4; i++) await failureOf(at.client().get(city))
      expect(at.service.received).to.have.length(4)
    })

    it('waits as long as a short Retry-After says and gives up at a long one', async () => {
      at.replies = [{ status: 429, headers: { 'retry-after': '0' } }]
      expect(await at.client().get(city)).to.deep.equal({ city: 'Łódź' })
      at.replies = [{ status: 503, headers: { 'retry-after': '3' } }]
      expect(await failureOf(at.client().get(city))).to.include({ kind: 'broken', retryAfterMs: 3000 })
      at.replies = [{ status: 429, headers: { 'retry-after': new Date(at.context.clock.nowMs + 9000).toUTCString() } }]
      expect(await failureOf(at.client().get(city))).to.include({ kind: 'refused', retryAfterMs: 9000 })
    })
  })

  it('counts calls by outcome, and retries', async () => {
    at.replies = [{ status: 503 }, { json: { city: 'a' } }, { status: 404 }, { status: 400 }]
    const one = at.client()
    await one.get(city)
    await one.find({ ...city, absent: notFound })
    await failureOf(one.get(city))
    expect(at.context.metrics.snapshot()['cities']).to.deep.equal({
      calls: { answered: 1, absent: 1, rejected: 1 },
      retries: 1,
      cache: {},
    })
  })
})

const startRaw = (bytes: Buffer, type: string) =>
  startStandIn(() => ({ text: bytes as unknown as string, headers: { 'content-type': type } }))

const to = (location: string): Reply => ({ status: 301, headers: { location } })
