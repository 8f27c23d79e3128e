import { expect } from 'chai'
import { createImages } from '../../../jobs/images/images.ts'
import { createLog } from '../../../log.ts'
import { createEgress } from '../../../upstream/egress.ts'
import { keys, startApi, type TestApi } from '../../support/api.ts'
import { hostilePictures, textBomb, type Hostile } from '../../support/hostile-pictures.ts'

describe('hostile pictures', () => {
  let corpus: readonly Hostile[]
  let api: TestApi
  let closeAll: () => Promise<void>
  before(async function () {
    this.timeout(30_000)
    corpus = await hostilePictures()
    const egress = createEgress({ allowHosts: [] })
    const images = createImages({ log: createLog('silent'), egress, workers: 1 })
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
        /no PNG|damaged|goes on|megapixels|200 frames/.test(details[0].message)
      if (!isClear) wrong.push(`${name}: ${status} ${details?.[0]?.message ?? ''}`)
    }
    expect(wrong).to.deep.equal([])
  }).timeout(60_000)

  it('leave the worker fit for the next picture, and hidden ballast is not unfolded into the answer', async () => {
    const { status, body } = await send(await textBomb())
    expect([status, body.data.width, body.data.height]).to.deep.equal([200, 64, 48])
    expect(body.data.bytes).to.be.below(100_000)
  }).timeout(20_000)
})
