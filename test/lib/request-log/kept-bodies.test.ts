import { expect } from 'chai'
import { withoutSecrets } from '../../../lib/request-log/kept-bodies.ts'
import { CPU_MAX_MS, leastCpuMs } from '../../support/cpu-time.ts'

const KEY = `svc.${'0f'.repeat(32)}`
const BOT_TOKEN = `ODEzODQ3ODg3NjU3MTIzODQ.GxYz12.${'aB3_-'.repeat(7)}xyz`
const KEPT_BYTES = 16 * 1024

const full = (unit: string) => unit.repeat(Math.floor(64_000 / unit.length))
const ofBody = (body: string | null) => withoutSecrets('', body, '{}')

describe('Bodies that are kept', () => {
  it('hide values by their names, keys and tokens by their form, and secrets of addresses, and say where each was', () => {
    const body = {
      url: 'https://me:hunter2@example.com/a?page=2&sig=SIGNED',
      headers: { Authorization: 'Bearer SIGNED', 'X-Session-Id': 'SIGNED', accept: 'text/html' },
      cookies: [{ name: 'a', value: 'SIGNED' }],
      list: ['plain', `said ${KEY}`, BOT_TOKEN],
      password: 4711,
      token: null,
      volume: 50,
      author: 'Ann',
      design: 'plain',
    }
    const kept = ofBody(JSON.stringify(body))
    expect(JSON.parse(kept.body ?? '')).to.deep.equal({
      url: 'https://…@example.com/a?page=2&sig=…',
      headers: { Authorization: '…', 'X-Session-Id': '…', accept: 'text/html' },
      cookies: '…',
      list: ['plain', 'said svc.…', '…'],
      password: '…',
      token: null,
      volume: 50,
      author: 'Ann',
      design: 'plain',
    })
    const texts = [['url'], ['headers', 'Authorization'], ['headers', 'X-Session-Id']].map((at) => ({
      at,
      isText: true,
    }))
    const others = [{ at: ['cookies'], isText: false }]
    const last = [
      ['list', '1'],
      ['list', '2'],
    ].map((at) => ({ at, isText: true }))
    const expected = [...texts, ...others, ...last, { at: ['password'], isText: false }]
    expect(kept.hidden).to.deep.equal(expected.map(({ at, isText }) => ({ at: ['body', ...at], isText })))
    expect(kept.lacks).to.equal(null)
  })

  it('hide secrets of a query, escaped ones too, and keep the rest as it was sent', () => {
    const escaped = Buffer.from(KEY).toString('hex').replaceAll(/../g, '%$&')
    const kept = withoutSecrets(`a=1&a=x+y&api_key=SIGNED&text=${escaped}`, null, '{}')
    expect(kept.query).to.deep.equal([
      ['a', '1'],
      ['a', 'x y'],
      ['api_key', '…'],
      ['text', 'svc.…'],
    ])
    expect(kept.hidden.map(({ at }) => at)).to.deep.equal([
      ['query', 2, 1],
      ['query', 3, 1],
    ])
  })

  it('hide secrets of an answer as well, which need not be entered', () => {
    const kept = withoutSecrets('', null, JSON.stringify({ error: { message: `No ${KEY}.` } }))
    expect([kept.answer, kept.hidden, kept.lacks]).to.deep.equal(['{"error":{"message":"No svc.…."}}', [], null])
  })

  it('keep text that is not JSON up to the first secret that it names, in whichever way it is quoted', () => {
    for (const body of [
      `{"query": "song", "token": ["SIGNED"], }`,
      `{query: 'song', 'apiKey' : 'SIGNED'`,
      String.raw`{"query": "song \"secret\": SIGNED`,
      `query=song&password=SIGNED`,
    ]) {
      const kept = ofBody(body)
      expect(kept.body, body).to.contain('song')
      expect(kept.body, body).not.to.contain('SIGNED')
      expect(kept.lacks, body).to.equal('cut')
    }
    expect(ofBody('{"query": "song"')).to.include({ body: '{"query": "song"', lacks: null })
  })

  it('cut what is too long, too deep, or hides too much, and say so', () => {
    const long = ofBody(JSON.stringify({ query: 'é'.repeat(KEPT_BYTES) }))
    expect(Buffer.byteLength(long.body ?? '')).to.be.at.most(KEPT_BYTES + 3)
    expect(long.lacks).to.equal('cut')
    expect(ofBody('['.repeat(5000) + ']'.repeat(5000)).body).to.be.a('string')
    expect(ofBody(JSON.stringify(Array.from({ length: 21 }, () => ({ token: 'SIGNED' })))).lacks).to.equal('cut')
    expect(ofBody(JSON.stringify({ [KEY]: 1 }))).to.include({ body: '{"svc.…":1}', lacks: 'cut' })
    const query = `a=${'b'.repeat(KEPT_BYTES)}`
    expect(withoutSecrets(query, null, '')).to.deep.include({ query: [], lacks: 'cut' })
  })

  it('cost little no matter what they hold', async () => {
    for (const unit of ['"a",', '?', '?key', '&auth', '0-.', '://', 'key-', `key'`, '{"a":', '[', 'session ', '\u00e9'])
      for (const body of [
        full(unit),
        `[${full(unit).slice(0, 16_000)}"a"]`,
        JSON.stringify({ a: full(unit).slice(0, 16_000) }),
      ])
        expect(await leastCpuMs(async () => ofBody(body)), unit).to.be.below(CPU_MAX_MS)
  })
})
