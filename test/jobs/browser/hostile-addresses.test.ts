import { expect } from 'chai'
import { probeUrl } from '../../../bot/sources/http/probe.ts'
import { Fault } from '../../../lib/errors.ts'
import { createImages } from '../../../jobs/images/images.ts'
import { JobFailure } from '../../../jobs/queue/job.ts'
import { createLog } from '../../../lib/log.ts'
import { hostileCases, type HostileCase } from '../../support/hostile-addresses.ts'
import { openHostileBed, type HostileBed } from '../../support/hostile-bed.ts'
import { openStudio, type Studio } from '../../support/studio.ts'

const soon = () => AbortSignal.timeout(60_000)

describe('whatever fetches what callers name', () => {
  let cases: readonly HostileCase[]
  let bed: HostileBed
  let studio: Studio

  before(async () => {
    // Public hosts, but on ports and names where the bed has nothing.
    cases = hostileCases().filter(({ id, expect: wanted }) => wanted === 'blocked' || /^.64$/.test(id))
    bed = await openHostileBed(cases)
    studio = await openStudio(bed)
  })
  after(async () => {
    await studio?.close()
    await bed?.close()
  })

  const of = (...ways: readonly string[]) => cases.filter(({ via }) => ways.includes(via)).map((it) => bed.place(it))

  it('would be noticed by the private listeners', async () => {
    const blind = await openStudio({ ...bed, allowHosts: [...bed.allowHosts, 'localhost', '127.0.0.1'] })
    const script = cases.find(({ id }) => id === 'p14')!
    await blind.shoot(bed.place(script).url)
    await blind.close()
    expect(bed.hits.join()).to.contain('GET /c/p14')
    ;(bed.hits as string[]).length = 0
  })

  it('refuses to make a screenshot of every hostile address and redirect, with a reason', async () => {
    await eachOf(of('url', 'redirect', 'server-fetch'), 4, async ({ id, url, expect: wanted }) => {
      const outcome = await studio.shoot(url).catch((error: unknown) => error)
      if (wanted === 'allowed') return expect(outcome, id).to.include({ width: 1280 })
      expect(outcome, `${id} ${url}`).to.be.instanceOf(JobFailure)
      expect((outcome as JobFailure).code, `${id} ${url}`).to.equal('bad_request')
      expect((outcome as JobFailure).message, `${id} ${url}`).to.match(REASON)
    })
    expect(bed.hits).to.deep.equal([])
  })

  it('keeps the browser itself from them, without a look at the address before', async () => {
    await eachOf(of('url'), 4, async ({ url }) => {
      await studio.browser.withPage({}, soon(), (it) => it.goto(url, { timeout: 4000 }).catch(() => null))
    })
    expect(bed.hits).to.deep.equal([])
  })

  it('keeps every page from reaching them, with anything it can do', async () => {
    await eachOf(of('page'), 4, async ({ url, html = '' }) => {
      const delayMs = /RTC|fetchLater|prefetch|prerender/.test(html) ? 500 : 0
      await studio.shoot(url, { delayMs }).catch((error: unknown) => expect(error).to.be.instanceOf(JobFailure))
    })
    expect(bed.hits).to.deep.equal([])
  })

  it('refuses them for pictures and for music alike', async () => {
    const images = createImages({ log: createLog('silent'), egress: studio.egress })
    await eachOf(of('url', 'redirect', 'server-fetch'), 8, async ({ id, url, expect: wanted }) => {
      if (wanted === 'allowed') return
      const params = {}
      const asked = { kind: 'filter', effect: 'invert', params, format: null, size: 64, owner: id } as const
      const inputs = async () => [{ name: 'query.url', url }]
      for (const outcome of [
        await images.apply({ ...asked, inputs, signal: soon() }).catch((error: unknown) => error),
        await probeUrl(url, { egress: studio.egress, signal: soon() }).catch((it: unknown) => it),
      ]) {
        expect(outcome, `${id} ${url}`).to.be.instanceOf(Fault)
        expect((outcome as Fault).code, `${id} ${url}`).to.equal('validation_error')
        expect((outcome as Fault).message, `${id} ${url}`).to.match(REASON)
      }
    })
    await images.close()
    expect(bed.hits).to.deep.equal([])
  })
})

/** Reasons of a refusal. */
const REASON =
  /(?:has no|isn't a) public address|must start with http|Port \d+ is blocked|control character|username|isn't a complete/

async function eachOf<T>(all: readonly T[], atOnce: number, run: (it: T) => Promise<unknown>): Promise<void> {
  const left = [...all]
  const lane = async () => {
    for (let it = left.shift(); it !== undefined; it = left.shift()) await run(it)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}
