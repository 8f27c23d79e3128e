import { expect } from 'chai'
import sharp from 'sharp'
import type { RequestListener } from 'node:http'
import { JobFailure } from '../../../jobs/job.ts'
import { openStudio, type Studio } from '../../support/studio.ts'
import { serve, type Listening } from '../../support/web.ts'

describe('screenshots', () => {
  let site: Listening
  let studio: Studio
  let answer: RequestListener

  before(async function () {
    this.timeout(40_000)
    site = await serve((asked, reply) => answer(asked, reply))
    studio = await openStudio({ allowHosts: [`127.0.0.1:${site.port}`] })
  })
  after(async () => {
    await studio?.close()
    await site?.close()
  })

  const html = (body: string, head = ''): RequestListener => {
    return (_, reply) => {
      reply.setHeader('content-type', 'text/html; charset=utf-8')
      reply.end(`<!doctype html><meta name=viewport content="width=device-width">${head}<body style="margin:0">${body}`)
    }
  }
  async function failure(promise: Promise<unknown>): Promise<JobFailure> {
    const outcome = await promise.then(
      () => null,
      (error: unknown) => error,
    )
    expect(outcome).to.be.instanceOf(JobFailure)
    return outcome as JobFailure
  }
  async function colourAt(bytes: Buffer, left: number, top: number): Promise<string> {
    const { data } = await sharp(bytes)
      .extract({ left, top, width: 1, height: 1 })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return data.toString('hex')
  }

  it('shows a page as a desktop and as a phone see it', async () => {
    const seen: (string | undefined)[] = []
    answer = (asked, reply) => {
      seen.push(asked.headers['user-agent'])
      html('<style>body{background:#00f}@media(max-width:600px){body{background:#f00}}</style>')(asked, reply)
    }
    const desktop = await studio.shoot(site.url)
    const mobile = await studio.shoot(site.url, { device: 'mobile' })
    expect(desktop).to.include({ contentType: 'image/png', width: 1280, height: 800 })
    expect(mobile).to.include({ contentType: 'image/png', width: 1082, height: 2402 })
    expect(await colourAt(desktop.bytes, 640, 400)).to.equal('0000ff')
    expect(await colourAt(mobile.bytes, 500, 1200)).to.equal('ff0000')
    expect(seen[0]).to.match(/Linux x86_64.* Chrome\/\d{3}\.0\.0\.0 Safari/)
    expect(seen.at(-1)).to.match(/Android.* Chrome\/\d{3}\.0\.0\.0 Mobile Safari/)
  })
})
