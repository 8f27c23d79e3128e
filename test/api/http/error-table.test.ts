import { expect } from 'chai'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FAULT_RESPONSES } from '../../../api/http/errors.ts'
import { Fault, type FaultCode } from '../../../lib/errors.ts'
import { keys, startApi, unknownKey, type TestApi } from '../../support/api.ts'
import { guildId } from '../../support/fake-music.ts'
import { exchangeBytes, parseAnswers } from '../../support/raw.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PLAYER = `/v1/music/guilds/${guildId}/player`

/** Each row of the table of docs/api.md as `404 not_found`. */
const table = [...readFileSync(join(ROOT, 'docs/api.md'), 'utf8').matchAll(/^\| (\d{3}) +\| `(\w+)` +\|/gm)].map(
  ([, status, code]) => `${status} ${code}`,
)

/** Takes seconds or a file to provoke; other tests do. */
const ELSEWHERE = ['408 bad_request', '416 bad_request']

describe('the table of errors of docs/api.md', () => {
  let api: TestApi
  before(async () => {
    api = await startApi()
  })
  after(() => api.close())

  const called = async (...request: Parameters<TestApi['call']>) => {
    const { status, body } = await api.call(...request)
    return `${status} ${body.error.code}`
  }

  const sent = async (head: string) => {
    const [answer] = parseAnswers(await exchangeBytes(api.port, `${head}\r\nHost: x\r\nConnection: close\r\n\r\n`))
    return `${answer?.status} ${answer?.body.error.code}`
  }

  /** Returns the response of a route to an error of the player. */
  const failed = async (error: Error) => {
    api.music.failWith(error)
    const told = await called('GET', PLAYER)
    api.music.failWith(null)
    return told
  }

  async function spent(): Promise<string> {
    const path = '/v1/tools/binary/encode?text=a'
    let last = await api.call('GET', path, { key: keys.free })
    for (let i = 0; i < 100 && last.status === 200; i += 1) last = await api.call('GET', path, { key: keys.free })
    return `${last.status} ${last.body.error.code}`
  }

  it('has a row for each error that requests meet, and no other', async () => {
    const faults: readonly FaultCode[] = [
      'player_limit',
      'conflict',
      'precondition_failed',
      'upstream_failed',
      'service_unavailable',
      'timed_out',
    ]
    const met = [
      await sent('GET /v1/status HTTP/1.1\r\nno header'),
      await called('GET', PLAYER, { key: unknownKey }),
      await called('GET', PLAYER, { key: keys.revoked }),
      await called('GET', PLAYER, { key: keys.unlinked }),
      await called('GET', '/v1/nowhere'),
      await called('DELETE', '/v1/status'),
      await called('GET', '/v1/music/guilds/1/player'),
      await called('GET', '/v1/events'),
      await sent(`GET /v1/status?${'x'.repeat(140_000)} HTTP/1.1`),
      await sent('GET /v1/status HTTP/1.1\r\nExpect: miracles'),
      await sent(`GET /v1/status HTTP/1.1\r\nX-Pad: ${'x'.repeat(17_000)}`),
      await failed(new Error('a bug')),
      await spent(),
    ]
    for (const code of faults) met.push(await failed(new Fault(code, 'Told by a test.')))
    expect(met.concat(ELSEWHERE).toSorted()).to.deep.equal(table.toSorted())
  })

  it('has a row for each that the code could answer', () => {
    const outcomes = Object.values(FAULT_RESPONSES).map(({ status, code }) => `${status} ${code}`)
    expect(outcomes.filter((outcome) => !table.includes(outcome))).to.deep.equal([])
    const statuses = sources().flatMap((text) => [...text.matchAll(/new HttpRefusal\(\s*(\d{3})/g)].map(([, it]) => it))
    expect(statuses.length).to.be.above(8)
    for (const row of ELSEWHERE) expect(statuses).to.include(row.slice(0, 3))
    const known = new Set(table.map((row) => row.slice(0, 3)))
    expect(statuses.filter((status) => !known.has(status ?? ''))).to.deep.equal([])
  })
})

function sources(): string[] {
  const files = readdirSync(join(ROOT, 'api'), { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.ts')).map((file) => readFileSync(join(ROOT, 'api', file), 'utf8'))
}
