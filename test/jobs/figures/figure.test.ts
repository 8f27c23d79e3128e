import { expect } from 'chai'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:net'
import sharp from 'sharp'
import { JobFailure, type JobTools, type Picture, type Stage } from '../../../jobs/queue/job.ts'
import { createFigureJob } from '../../../jobs/figures/figure-job.ts'
import { defaultSkin } from '../../../packages/figures/skin/default-skin.ts'
import { FigureRequest } from '../../../jobs/figures/figure-request.ts'
import { createLog } from '../../../lib/log.ts'
import { createEgress } from '../../../upstream/egress/egress-guard.ts'
import { bareTools } from '../../support/bare-tools.ts'
import { closing } from '../../support/closing.ts'
import { hostileCases, hostileZone } from '../../support/hostile-addresses.ts'
import { animatedPng, hostilePictures, textBomb } from '../../support/hostile-pictures.ts'
import { blackPng } from '../../support/pictures.ts'
import { skinPng, tellingCape, tellingColour, tellingSkin } from '../../support/skins.ts'
import { listen, serve } from '../../support/web.ts'

const FETCH_MS = 400

describe('the job that draws figures', () => {
  const own = closing()
  const job = createFigureJob({ fetchMs: FETCH_MS })
  let files: Readonly<Record<string, Buffer>>
  let requested: string[] = []
  let web: string
  let close: () => Promise<void>

  const answer: RequestListener = ({ url = '' }, response) => {
    requested.push(url)
    const file = files[url.slice(1)]
    if (file) return void response.setHeader('content-type', 'text/plain').end(file)
    if (url === '/gone') return void response.writeHead(410).end()
    if (url === '/broken') return void response.writeHead(500).end()
    if (url === '/inward') return void response.writeHead(302, { location: 'http://169.254.169.254/skin' }).end()
    if (url === '/around') return void response.writeHead(302, { location: '/around' }).end()
    if (url === '/slow') return void response.write(Buffer.from([0x89]))
    if (url === '/claims') return void response.writeHead(200, { 'content-length': 2 ** 31 }).write('x')
    if (url === '/endless') return pour(response)
    if (url !== '/never') response.writeHead(404).end()
  }
  before(async () => {
    files = {
      classic: await skinPng(tellingSkin('classic')),
      slim: await skinPng(tellingSkin('slim')),
      old: await sharp(await skinPng(tellingSkin('classic')))
        .extract({ left: 0, top: 0, width: 64, height: 32 })
        .png()
        .toBuffer(),
      large: await sharp(await skinPng(tellingSkin('classic')))
        .resize(512, 512, { kernel: 'nearest' })
        .png({ palette: true })
        .toBuffer(),
      cape: await skinPng(tellingCape()),
      narrow: await sharp(await skinPng(tellingCape()))
        .extract({ left: 0, top: 0, width: 22, height: 17 })
        .png()
        .toBuffer(),
    }
    const server = await serve(answer)
    web = server.url
    close = () => server.close()
  })
  after(() => close())
  beforeEach(() => void (requested = []))

  const ask = async (wish: Partial<FigureRequest>, tools: Partial<JobTools> = {}): Promise<Picture> => {
    const data = FigureRequest.parse({
      render: 'wave',
      scale: 1,
      skin: { url: `${web}/classic` },
      model: null,
      capeUrl: null,
      ...wish,
    })
    const egress = own(createEgress({ allowHosts: [new URL(web).host], lookup: hostileZone() }))
    const signal = new AbortController().signal
    return job.run(data, {
      ...bareTools,
      signal,
      progress: () => {},
      browser: null,
      egress,
      log: createLog('silent'),
      ...tools,
    })
  }
  const failureOf = async (wish: Partial<FigureRequest>): Promise<JobFailure> => {
    const outcome = await ask(wish).catch((error: unknown) => error)
    expect(outcome, JSON.stringify(wish)).to.be.instanceOf(JobFailure)
    return outcome as JobFailure
  }

  it('draws what is at the addresses, whatever type their server claims, and tells how far it is', async () => {
    const stages: Stage[] = []
    const wish = { capeUrl: `${web}/cape`, render: 'showing_behind', scale: 2 } as const
    const picture = await ask(wish, { progress: (stage) => stages.push(stage) })
    expect([picture.contentType, picture.width, picture.height]).to.deep.equal(['image/png', 832, 1344])
    const { format, width, height, hasAlpha } = await sharp(picture.bytes).metadata()
    expect([format, width, height, hasAlpha]).to.deep.equal(['png', 832, 1344, true])
    expect(stages).to.deep.equal(['rendering', 'encoding'])
    expect(requested.toSorted()).to.deep.equal(['/cape', '/classic'])
  })

  it('gives identical bytes for identical input, drawn again or remembered, and others for others', async () => {
    const [first, again] = [await ask({}), await ask({})]
    const stages: Stage[] = []
    await ask({}, { progress: (stage) => stages.push(stage) })
    expect(stages).to.deep.equal([])
    const anew = createFigureJob({ fetchMs: FETCH_MS })
    const egress = own(createEgress({ allowHosts: [new URL(web).host] }))
    const signal = new AbortController().signal
    const tools = { ...bareTools, signal, progress: () => {}, browser: null, egress, log: createLog('silent') }
    const wish = { render: 'wave', scale: 1, skin: { url: `${web}/classic` }, model: null, capeUrl: null } as const
    const third = await anew.run(wish, tools)
    expect(Buffer.compare(first.bytes, again.bytes)).to.equal(0)
    expect(Buffer.compare(first.bytes, third.bytes)).to.equal(0)
    const others = [
      await ask({ render: 'standing' }),
      await ask({ model: 'slim' }),
      await ask({ capeUrl: `${web}/cape` }),
    ]
    for (const other of others) expect(Buffer.compare(first.bytes, other.bytes)).to.not.equal(0)
  })

  it('takes the arms that are asked for, else those that the skin shows', async () => {
    const slim = { url: `${web}/slim` }
    const [told, seen, other] = [
      await ask({ skin: slim, model: 'slim' }),
      await ask({ skin: slim }),
      await ask({ skin: slim, model: 'classic' }),
    ]
    expect(Buffer.compare(told.bytes, seen.bytes)).to.equal(0)
    expect(Buffer.compare(told.bytes, other.bytes)).to.not.equal(0)
  })

  it('draws old, large and palette skins, capes of all sizes, and default skins of its own', async () => {
    const [plain, large] = [await ask({}), await ask({ skin: { url: `${web}/large` } })]
    const difference = await meanDifference(plain.bytes, large.bytes)
    expect(difference).to.be.below(0.5)
    expect((await ask({ skin: { url: `${web}/old` } })).width).to.equal(448)
    const [wide, narrow] = [await ask({ capeUrl: `${web}/cape` }), await ask({ capeUrl: `${web}/narrow` })]
    expect(Buffer.compare(wide.bytes, narrow.bytes)).to.equal(0)
    const defaults = [await ask({ skin: { byDefault: 'steve' } }), await ask({ skin: { byDefault: 'alex' } })]
    expect(Buffer.compare(defaults[0]!.bytes, defaults[1]!.bytes)).to.not.equal(0)
    expect((await defaultSkin('slim')).rgba.some((value, i) => i % 4 === 3 && value > 0)).to.equal(true)
  })

  it('tells the caller what is wrong with an address, and retries none of it', async () => {
    const wanted = {
      missing: ['not_found', /^127\.0\.0\.1:\d+ has no skin at this URL/],
      gone: ['not_found', /410/],
      broken: ['upstream_failed', /returned the status 500 instead of a skin/],
      inward: ['bad_request', /(?:has no|isn't a) public address/],
      around: ['bad_request', /redirects more than 3 times/],
      never: ['upstream_failed', /within 0\.4 s/],
      slow: ['upstream_failed', /within 0\.4 s/],
      claims: ['bad_request', /larger than 1024 KiB/],
      endless: ['bad_request', /larger than 1024 KiB/],
    } as const
    for (const [path, [code, message]] of Object.entries(wanted)) {
      const skin = await failureOf({ skin: { url: `${web}/${path}` } })
      expect([path, skin.code]).to.deep.equal([path, code])
      expect(skin.message).to.match(message)
      const cape = await failureOf({ capeUrl: `${web}/${path}` })
      expect([cape.code, /cape|redirects|public|within|127/.test(cape.message)]).to.deep.equal([code, true])
    }
  })

  it('refuses files that are no honest skin or cape, each with a sentence that says why', async () => {
    const corpus = await hostilePictures()
    const animated = { name: 'an animated PNG', bytes: animatedPng(files['classic']!) }
    const sizes = [
      [63, 64],
      [64, 65],
      [128, 32],
      [1024, 1024],
      [32, 32],
      [64, 16],
    ].map(([width = 0, height = 0]) => ({
      name: `${width} × ${height}`,
      bytes: blackPng(width, height),
    }))
    const before = process.memoryUsage().rss
    for (const { name, bytes } of [...corpus, animated, ...sizes, { name: 'ballast', bytes: await textBomb() }]) {
      files = { ...files, hostile: bytes }
      const { code, message } = await failureOf({ skin: { url: `${web}/hostile` } })
      expect([name, code]).to.deep.equal([name, 'bad_request'])
      expect(message, name).to.match(/isn't a PNG|is corrupt|pixels; it must have 64 × 64|is animated|is larger than/)
    }
    expect((process.memoryUsage().rss - before) / 1024 / 1024).to.be.below(200)
  })

  it('unpacks nothing of a skin but its picture', async () => {
    const { bytes } = await ask({ skin: { url: `${web}/classic` } })
    files = { ...files, heavy: await textBomb(files['classic']) }
    const heavy = await ask({ skin: { url: `${web}/heavy` } })
    expect(Buffer.compare(bytes, heavy.bytes)).to.equal(0)
  })

  it('reaches no private address for a skin or a cape, whatever the table of hostile addresses tries', async () => {
    let packets = 0
    own(await listen(createServer(() => packets++)))
    const egress = own(createEgress({ allowHosts: [], lookup: hostileZone() }))
    for (const { id, via, target } of hostileCases().filter(
      (each) => each.expect === 'blocked' && each.via !== 'page',
    )) {
      // The first answer of these is a public address; what counts is the one that is dialled.
      if (target.includes('.rebind.test')) await egress.check(target).catch(() => {})
      for (const wish of [{ skin: { url: target } }, { skin: { byDefault: 'steve' as const }, capeUrl: target }]) {
        const outcome = await ask(wish, { egress }).catch((error: unknown) => error)
        expect(outcome, `${id} ${via} ${target}`).to.be.instanceOf(JobFailure).with.property('code', 'bad_request')
      }
    }
    expect(packets).to.equal(0)
  })

  it('stops when the worker must', async () => {
    const stop = new AbortController()
    const outcome = ask({ skin: { url: `${web}/never` } }, { signal: stop.signal }).catch((error: unknown) => error)
    setTimeout(() => stop.abort(new Error('time is up')), 20)
    expect(await outcome).to.have.property('message', 'time is up')
  })

  it('uses every colour of a telling skin only once', () => {
    const colours = (['head', 'body', 'leftLeg'] as const).flatMap((part) => [
      tellingColour(part, 'front'),
      tellingColour(part, 'front', true),
    ])
    expect(new Set(colours).size).to.equal(colours.length)
  })
})

function pour(response: Parameters<RequestListener>[1]): void {
  const block = Buffer.alloc(64 * 1024)
  const more = () => {
    while (!response.destroyed && response.write(block));
  }
  response.on('drain', more)
  more()
}

async function meanDifference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([one, other].map((each) => sharp(each).raw().toBuffer()))
  let sum = 0
  for (let i = 0; i < a!.length; i++) sum += Math.abs(a![i]! - b![i]!)
  return sum / a!.length
}
