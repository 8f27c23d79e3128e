import { expect } from 'chai'
import { readdirSync, readFileSync } from 'node:fs'
import sharp from 'sharp'
import { createImages } from '../../../jobs/images/images.ts'
import { createLog } from '../../../lib/log.ts'
import { createEgress } from '../../../upstream/egress/egress-guard.ts'
import { UNHURRIED_MS } from '../../support/pictures.ts'
import { keys, startApi, type TestApi } from '../../support/api.ts'
import { hostilePictures, laden, type Hostile } from '../../support/hostile-pictures.ts'

/** 39 megapixels, which is nearly what is accepted: decoded they have 117 MB. */
const large = { width: 6240, height: 6240, channels: 3, background: '#345' } as const
/** Half of what a worker may have before it is ended; measured are some 250 MiB. */
const PEAK_BYTES = 512 * 1024 * 1024

/** The most memory that our picture workers have ever had, as the kernel of Linux counts it. */
function workerPeaksBytes(): number[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const isOurs = readFileSync(`/proc/${pid}/status`, 'utf8').includes(`\nPPid:\t${process.pid}\n`)
      if (!isOurs || !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('jobs/images/pool/worker.ts')) return []
      return [Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024]
    } catch {
      return []
    }
  })
}

describe('hostile pictures', () => {
  let corpus: readonly Hostile[]
  let api: TestApi
  let closeAll: () => Promise<void>
  before(async () => {
    corpus = await hostilePictures()
    const egress = createEgress({ allowHosts: [] })
    const images = createImages({
      log: createLog('silent'),
      egress,
      workers: 1,
      jobMs: UNHURRIED_MS,
      waitMs: UNHURRIED_MS,
    })
    api = await startApi({ app: { images } })
    closeAll = async () => {
      await api.close()
      await images.close()
      await egress.close()
    }
  })
  beforeEach(() => void (api.clock.nowMs += 60_000))
  after(() => closeAll())

  const send = async (bytes: Buffer) => {
    // A minute of the hand clock each, so that the limits of the plan do not answer instead.
    api.clock.nowMs += 60_000
    const response = await fetch(`${api.baseUrl}/v1/image/filters/invert?size=512`, {
      method: 'POST',
      body: new Uint8Array(bytes),
      headers: { authorization: `Bearer ${keys.linked}`, 'content-type': 'application/octet-stream' },
    })
    return { status: response.status, body: (await response.json()) as any }
  }

  it('are each refused with a 422 that names the field and says why', async () => {
    expect(new Set(corpus.map(({ name }) => name)).size)
      .to.equal(corpus.length)
      .and.be.at.least(60)
    const wrong: string[] = []
    for (const { name, bytes } of corpus) {
      const { status, body } = await send(bytes)
      const details = body.error?.details
      // A worker that died or ran out of memory or time would have answered 503 or another sentence.
      const isClear =
        status === 422 &&
        details?.[0]?.field === 'body' &&
        /isn't a PNG|corrupt|megapixels|maximum is 200/.test(details[0].message)
      if (!isClear) wrong.push(`${name}: ${status} ${details?.[0]?.message ?? ''}`)
    }
    expect(wrong).to.deep.equal([])
  })

  it('leave the worker fit for the next picture, and ballast that is hidden in one is not unfolded', async () => {
    for (const { name, bytes } of await laden()) {
      const { status, body } = await send(bytes)
      expect(status, `${name}: ${JSON.stringify(body).slice(0, 300)}`).to.equal(200)
      const isGif = name.startsWith('a GIF')
      expect([body.data.width, body.data.height], name).to.deep.equal(isGif ? [24, 24] : [64, 48])
      expect(body.data.bytes, name).to.be.below(100_000)
    }
  })

  it('take no more memory than a large honest picture would, all of them together', async () => {
    const { status } = await send(await sharp({ create: large }).jpeg().toBuffer())
    expect(status).to.equal(200)
    const [peak] = workerPeaksBytes()
    expect(peak).to.be.a('number').and.be.below(PEAK_BYTES)
  })
})
