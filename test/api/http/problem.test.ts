import { expect } from 'chai'
import { PUBLIC_CODES } from '../../../api/http/errors.ts'
import { Fault } from '../../../lib/errors.ts'
import { closing } from '../../support/closing.ts'
import { channelId, guildId } from '../../support/fake-music.ts'
import { keys, startApi, type CallOptions, type TestApi } from '../../support/api.ts'

const PROBLEM = 'application/problem+json'
const guild = `/v1/music/guilds/${guildId}`

function fields(list: { field: string }[]): string[] {
  return list.map(({ field }) => field)
}

describe('a refusal', () => {
  const keep = closing(after)
  let api: TestApi
  before(async () => {
    api = keep(await startApi())
  })

  const ask = (path: string, accept: string, { headers, ...options }: CallOptions & { method?: string } = {}) =>
    api.call(options.method ?? 'GET', path, { ...options, headers: { accept, ...headers } })

  const codes = async (path: string, options: CallOptions & { method?: string } = {}) => {
    const { status, body } = await ask(path, PROBLEM, options)
    expect(body.status).to.equal(status)
    return [status, body.code]
  }

  it('is a problem of RFC 9457 for who asks for one, with the same facts', async () => {
    const call = { method: 'POST', body: { query: 5, channelId, positionMs: 1 } }
    const plain = await ask(`${guild}/play`, 'application/json', call)
    const { status, headers, body } = await ask(`${guild}/play`, PROBLEM, call)
    expect([status, headers.get('content-type')]).to.deep.equal([422, `${PROBLEM}; charset=utf-8`])
    expect(headers.get('vary')).to.match(/\baccept\b/i)
    expect(body).to.include({
      type: `${api.baseUrl}/docs/errors#validation_error`,
      title: 'Validation error',
      status: 422,
      detail: plain.body.error.message,
      code: 'validation_error',
      requestId: headers.get('x-request-id'),
      instance: `/v1/requests/${headers.get('x-request-id')}`,
    })
    expect(fields(body.errors)).to.deep.equal(fields(plain.body.error.details))
    expect(body.errors.map(({ pointer }: any) => pointer)).to.include('#/query')
  })

  it('has the form that the caller likes best', async () => {
    for (const [accept, isProblem] of [
      [PROBLEM, true],
      [`application/json;q=0.5, ${PROBLEM}`, true],
      [`${PROBLEM};q=0.5, application/json`, false],
      [`${PROBLEM}, application/json`, true],
      [`application/json, ${PROBLEM}`, false],
      [`${PROBLEM};q=0, */*`, false],
      ['*/*', false],
      ['application/*', false],
      ['text/html', false],
    ] as const) {
      const { headers } = await ask('/v1/nowhere', accept)
      expect(headers.get('content-type')?.startsWith(PROBLEM), accept).to.equal(isProblem)
    }
  })

  it('is one whatever refused it', async () => {
    expect(await codes('/v1/nowhere')).to.deep.equal([404, 'not_found'])
    expect(await codes('/nowhere')).to.deep.equal([404, 'not_found'])
    expect(await codes('/v1/status', { method: 'POST' })).to.deep.equal([405, 'method_not_allowed'])
    expect(await codes(`${guild}/player`, { key: null })).to.deep.equal([401, 'invalid_api_key'])
    expect(await codes(`${guild}/player`, { key: keys.unlinked })).to.deep.equal([403, 'forbidden'])
    expect(await codes(`/v1/${'x'.repeat(140_000)}`)).to.deep.equal([414, 'bad_request'])
    expect(await codes('/v1/tools/binary/encode')).to.deep.equal([400, 'bad_request'])
    const huge = { method: 'POST', body: { query: 'x'.repeat(70_000) } }
    expect(await codes(`${guild}/play`, huge)).to.deep.equal([422, 'validation_error'])
    for (const [thrown, expected] of [
      [new Error('a bug with a secret inside'), [500, 'internal_error']],
      [new Fault('timed_out', 'Too slow.'), [504, 'service_unavailable']],
    ] as const) {
      api.music.failWith(thrown)
      const { status, body } = await ask(`${guild}/player`, PROBLEM)
      api.music.failWith(null)
      expect([status, body.code]).to.deep.equal(expected)
      expect(JSON.stringify(body)).not.to.contain('secret')
    }
  })

  it('says when to come back: in its problem, and on routes with a rate limit in its header', async () => {
    api.music.failWith(new Fault('service_unavailable', 'Away.', { retryAfterMs: 2001 }))
    const { headers, body } = await ask(`${guild}/player`, PROBLEM)
    api.music.failWith(null)
    expect([headers.get('retry-after'), body.retryAfter]).to.deep.equal([null, 3])
  })

  it('leads to a page that explains its code', async () => {
    const { status, body } = await api.call('GET', '/docs/errors', { key: null })
    expect(status).to.equal(200)
    for (const code of PUBLIC_CODES.filter((one) => one !== 'unauthorized')) expect(body).to.contain(`id="${code}"`)
  })
})
