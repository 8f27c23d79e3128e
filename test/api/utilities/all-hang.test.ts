import { expect } from 'chai'
import { everyUpstream, WITHOUT_AN_ANSWER } from '../../../tools/stage/upstream-addresses.ts'
import { startStandIn, type StandIn } from '../../support/upstreams/stand-in.ts'
import { startUtilityApi, type UtilityApi } from '../../support/utilities.ts'

const TIMEOUT_MS = 400

/** Status of each route while no upstream answers. */
const DOCUMENTED: Readonly<Record<string, number>> = {
  ...WITHOUT_AN_ANSWER,
  // Routes without an upstream succeed.
  '/v1/translation/languages': 200,
  '/v1/fun/roleplay': 200,
  '/v1/translation/detect?text=Guten%20Morgen%2C%20wie%20geht%20es': 200,
  '/v1/holidays/DE?year=2026': 200,
  '/v1/holidays/countries': 200,
  '/v1/tools/binary/encode?text=a': 200,
}

for (const { name, isHanging } of [
  { name: 'every outside service hangs', isHanging: true },
  { name: 'there is no network', isHanging: false },
]) {
  describe(`when ${name}`, () => {
    let service: StandIn
    let api: UtilityApi
    before(async () => {
      service = await startStandIn(() => undefined)
      service.misbehave('hang')
      const url = isHanging ? service.url : 'http://127.0.0.1:1'
      api = await startUtilityApi({
        ...everyUpstream(() => url),
        UPSTREAM_TIMEOUT_MS: String(TIMEOUT_MS),
      })
    })
    after(async () => {
      await api.close()
      await service.close()
    })

    it('every route gives its documented answer within its bound, all asked at once, while the rest stays quick', async () => {
      const startedAt = performance.now()
      const asking = Promise.all(
        Object.entries(DOCUMENTED).map(async ([path, expected]) => {
          const { status: answered, body } = await api.call('GET', path)
          expect(answered, `${path}: ${JSON.stringify(body).slice(0, 300)}`).to.equal(expected)
          if (expected >= 500) expect(body.error.message, path).to.match(/is unreachable|didn't respond in time/)
        }),
      )
      const latencies: number[] = []
      for (let i = 0; i < 20; i++) latencies.push(await timeOfStatus(api))
      await asking
      // The longest bound is that of a translation, four times that of a call; the rest is for a busy machine.
      expect(performance.now() - startedAt).to.be.below(4 * TIMEOUT_MS + 8000)
      expect(latencies.toSorted((a, b) => a - b)[10]).to.be.below(1000)
    })

    it('a hundred callers at once cost no more than one', async () => {
      const before = service.received.length
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => api.call('GET', '/v1/tools/weather?city=Berlin')),
      )
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([500]))
      expect(service.received.length - before).to.be.at.most(1)
    })
  })
}

async function timeOfStatus(api: UtilityApi): Promise<number> {
  const startedAt = performance.now()
  expect((await api.call('GET', '/v1/status')).status).to.equal(200)
  return performance.now() - startedAt
}
