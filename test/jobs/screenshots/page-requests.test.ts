import { expect } from 'chai'
import { job, JobFailure } from '../../../jobs/queue/job.ts'
import { renders } from '../../../jobs/queue/job-types.ts'
import { FigureRequest } from '../../../jobs/figures/figure-request.ts'
import { ScreenshotRequest } from '../../../jobs/screenshots/page-requests.ts'
import { POSES } from '../../../packages/figures/model/poses.ts'

describe('job declarations', () => {
  it('name every type once, with a time limit and at least one attempt', () => {
    expect(new Set(renders.map(({ type }) => type)).size).to.equal(renders.length)
    for (const { timeoutMs, attempts } of renders) {
      expect(timeoutMs).to.be.within(1000, 70_000)
      expect(attempts).to.be.within(1, 5)
    }
  })

  it('take requests through JSON unchanged', () => {
    const screenshot = { url: 'https://example.com/', device: 'mobile', fullpage: true, dark: false, delayMs: 0 }
    const clip = { x: 0, y: 10, width: 20, height: 30 }
    const pixels = { width: 800, height: null, scale: 2 }
    const rest = { waitFor: '#main', format: 'webp', quality: 50, blockAds: true, hideBanners: false, sealed: 'x' }
    const asked = { ...screenshot, ...pixels, ...rest, selector: null, clip }
    expect(ScreenshotRequest.parse(JSON.parse(JSON.stringify(asked)))).to.deep.equal(asked)
    for (const render of POSES) {
      const figure = { render, scale: 4, skin: { byDefault: 'alex' }, model: null, capeUrl: null }
      expect(FigureRequest.parse(JSON.parse(JSON.stringify(figure)))).to.deep.equal(figure)
    }
  })

  it('fail with what the caller is told', async () => {
    const refusing = job({
      type: 'blockgame.render',
      data: FigureRequest,
      timeoutMs: 1000,
      attempts: 2,
      run: () => Promise.reject(new JobFailure('bad_request', 'The skin is no PNG.')),
    })
    const failure = await refusing.run({} as never, {} as never).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(JobFailure)
    expect(failure).to.include({ code: 'bad_request', message: 'The skin is no PNG.' })
  })
})
