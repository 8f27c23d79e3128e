import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect } from 'chai'
import sharp from 'sharp'
import { EFFECTS } from '../../../packages/images/catalogue.ts'
import { createImages, type ImageRequest, type Images } from '../../../jobs/images/images.ts'
import { createRandom } from '../../../lib/random/seeded-random.ts'
import { createLog } from '../../../lib/log.ts'
import { createEgress } from '../../../upstream/egress/egress-guard.ts'
import { exchangeBytes, parseAnswers } from '../../support/raw.ts'
import { keys, startApi, type TestApi } from '../../support/api.ts'
import { blackPng, frameOf, HALVES, movingOf, pngOf, UNHURRIED_MS } from '../../support/pictures.ts'

type Body = NonNullable<RequestInit['body']>

/** Serves what a test puts there, with whatever type it likes. */
async function startFiles() {
  const files = new Map<string, { readonly data: Buffer; readonly type: string; readonly cut?: boolean }>()
  const server: Server = createServer((req, res) => {
    const file = files.get(req.url ?? '')
    if (req.url === '/moved') res.writeHead(302, { location: '/png' }).end()
    else if (!file) res.writeHead(404).end()
    else if (file.cut) {
      res.writeHead(200, { 'content-length': file.data.length + 10 }).write(file.data, () => res.destroy())
    } else res.writeHead(200, { 'content-type': file.type }).end(file.data)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { files, server, host: `127.0.0.1:${port}`, url: (path: string) => `http://127.0.0.1:${port}${path}` }
}

/** Returns the number of bytes in the response; sends and reads without another buffer. */
async function postQuietly({ port }: TestApi, path: string, picture: Buffer): Promise<number> {
  let answerBytes = 0
  const callback = (count: number) => {
    answerBytes += count
    return true
  }
  const socket = connect({ port, host: '127.0.0.1', onread: { buffer: QUIET, callback } })
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept: image/*\r\n`
  socket.write(`${head}Authorization: Bearer ${keys.linked}\r\nContent-Length: ${picture.length}\r\n\r\n`)
  socket.write(picture)
  await once(socket, 'close')
  return answerBytes
}

const QUIET = Buffer.alloc(64 * 1024)

const fieldsOf = (body: any) => body.error.details.map(({ field }: { field: string }) => field)

describe('the image routes', () => {
  let api: TestApi
  let web: Awaited<ReturnType<typeof startFiles>>
  let png: Buffer
  let closeAll: () => Promise<void>
  /** Hears of each request when its picture has come, and again when it is done. */
  let watch: { arrived(owner: string): Promise<void>; served(owner: string): void } | null = null
  const watched = async (images: Images, request: ImageRequest) => {
    const inputs = async () => {
      const read = await request.inputs()
      await watch?.arrived(request.owner)
      return read
    }
    const result = await images.apply({ ...request, inputs })
    watch?.served(request.owner)
    return result
  }
  before(async () => {
    web = await startFiles()
    png = await pngOf(HALVES)
    web.files.set('/png', { data: png, type: 'text/html' })
    const egress = createEgress({ allowHosts: [web.host] })
    const images = createImages({
      log: createLog('silent'),
      egress,
      workers: 1,
      jobMs: UNHURRIED_MS,
      waitMs: UNHURRIED_MS,
    })
    api = await startApi({ app: { images: { apply: (request) => watched(images, request) } } })
    closeAll = async () => {
      await api.close()
      await images.close()
      await egress.close()
      web.server.close()
    }
  })
  beforeEach(() => {
    api.clock.nowMs += 60_000
    watch = null
  })
  after(() => closeAll())

  const get = (path: string, url = web.url('/png'), headers: Record<string, string> = {}) =>
    api.call('GET', `${path}${path.includes('?') ? '&' : '?'}url=${encodeURIComponent(url)}`, { headers })
  const post = (path: string, body: Body, headers: Record<string, string> = {}) =>
    fetch(`${api.baseUrl}${path}`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${keys.linked}`, ...headers },
    })

  it('list every filter and every overlay with its parameters', async () => {
    const { body } = await api.call('GET', '/v1/image/filters')
    expect(body.data.map(({ name }: any) => name)).to.deep.equal(EFFECTS.filter.map(({ name }) => name))
    expect(body.data.length).to.be.at.least(27)
    expect(body.data.find(({ name }: any) => name === 'blur').parameters[1]).to.include({
      name: 'radius',
      type: 'number',
      minimum: 0.5,
      maximum: 50,
      default: 6,
    })
    const overlays = await api.call('GET', '/v1/image/overlays')
    expect(overlays.body.data).to.have.length(EFFECTS.overlay.length)
  })

  it('answer with a data URL of the picture at a URL', async () => {
    const { status, body, headers } = await get('/v1/image/filters/invert')
    expect([status, headers.get('x-ratelimit-class')]).to.deep.equal([200, 'canvas'])
    const { image, ...facts } = body.data
    const bytes = Buffer.from(image.replace('data:image/png;base64,', ''), 'base64')
    expect(facts).to.deep.equal({ contentType: 'image/png', width: 40, height: 30, bytes: bytes.length })
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
    expect([...data.subarray((20 * 40 + 10) * 4, (20 * 40 + 10) * 4 + 4)]).to.deep.equal([55, 215, 235, 255])
  })

  it('answer with the picture itself to anyone who prefers one', async () => {
    const response = await fetch(`${api.baseUrl}/v1/image/filters/invert?url=${web.url('/png')}&format=webp`, {
      headers: { authorization: `Bearer ${keys.linked}`, accept: 'image/avif,image/webp,image/*,*/*;q=0.8' },
    })
    expect(response.headers.get('content-type')).to.equal('image/webp')
    expect(response.headers.get('vary')).to.equal('Accept')
    expect((await sharp(await response.arrayBuffer()).metadata()).format).to.equal('webp')
  })

  it('answer with a JPEG on request, white where the picture was transparent and still where it moved', async () => {
    const clear = await pngOf(frameOf(8, 8, () => [0, 0, 0, 0]))
    for (const picture of [clear, await movingOf('gif', 3)]) {
      const response = await post('/v1/image/filters/flip?format=jpeg', picture as Body, { accept: 'image/*' })
      expect(response.headers.get('content-type')).to.equal('image/jpeg')
      const answer = await sharp(await response.arrayBuffer())
        .raw()
        .toBuffer({ resolveWithObject: true })
      expect([answer.info.channels, answer.info.height]).to.deep.equal([3, picture === clear ? 8 : answer.info.width])
      if (picture === clear) expect([...answer.data.subarray(0, 3)]).to.deep.equal([255, 255, 255])
    }
  })

  it('answer with the picture only to a caller who prefers one; of equals the first named wins', async () => {
    for (const [accept, isPicture] of [
      ['*/*', false],
      ['text/html', false],
      ['application/json', false],
      ['application/json, image/png', false],
      ['image/*;q=0.5, application/json', false],
      ['image/png;q=0', false],
      ['image/png;q=x', false],
      ['image/png', true],
      ['image/png, application/json', true],
      ['image/avif,image/webp,image/*,*/*;q=0.8', true],
      ['text/html,image/webp,*/*;q=0.8', true],
      ['application/json;q=0.2, image/*;q=0.9', true],
    ] as const) {
      const { headers } = await get('/v1/image/filters/invert', web.url('/png'), { accept })
      expect(headers.get('content-type')?.startsWith('image/'), accept).to.equal(isPicture)
      expect(headers.get('vary'), accept).to.match(/accept/i)
    }
  })

  it('take the picture as the body, no matter what its type is called, and as a file of a form', async () => {
    for (const type of ['image/png', 'application/json', 'application/x-www-form-urlencoded']) {
      const response = await post('/v1/image/filters/flip', png as Body, { 'content-type': type })
      expect(response.status, type).to.equal(200)
    }
    const form = new FormData()
    form.append('picture', new Blob([png]), 'cat "1".png')
    const { data } = (await (await post('/v1/image/filters/rounded?radius=50', form)).json()) as any
    expect([data.width, data.height]).to.deep.equal([40, 30])
  })

  it('leave no large buffer behind for the collector, whose walk through the heap would hold up the sound', async () => {
    const random = createRandom(1)
    const grain = () => Math.floor(random() * 256)
    const large = await pngOf(frameOf(512, 512, () => [grain(), grain(), grain(), 255]))
    expect(large.length).to.be.above(700_000)
    const before = process.memoryUsage().arrayBuffers
    for (let count = 0; count < 12; count++) {
      expect(await postQuietly(api, '/v1/image/filters/flip', large)).to.be.above(700_000)
    }
    // Each takes four times its size on its way: in chunks, in one, and the same back.
    expect(process.memoryUsage().arrayBuffers - before).to.be.below(12 * 700_000)
  })

  it('keep an animation moving, within bounds', async () => {
    for (const format of ['gif', 'webp'] as const) {
      const moving = await movingOf(format, 6)
      const response = await post('/v1/image/filters/blur', moving as Body, { accept: 'image/*' })
      const { pages, delay, format: kept } = await sharp(await response.arrayBuffer(), { pages: -1 }).metadata()
      expect([pages, kept, delay?.[0]]).to.deep.equal([6, format, 70])
    }
    const long = await post('/v1/image/filters/blur', (await movingOf('gif', 201, 8)) as Body)
    expect([long.status, fieldsOf(await long.json())]).to.deep.equal([422, ['body']])
  })

  it('name the field of anything that is refused', async () => {
    web.files.set('/page', { data: Buffer.from('<html>'), type: 'image/png' })
    web.files.set('/cut', { data: png.subarray(0, 60), type: 'image/png' })
    web.files.set('/short', { data: png, type: 'image/png', cut: true })
    web.files.set('/bomb', { data: blackPng(12_000, 9000), type: 'image/png' })
    web.files.set('/large', { data: Buffer.alloc(10 * 1024 * 1024 + 1), type: 'image/png' })
    for (const [path, words] of [
      ['/page', /isn't a PNG/],
      ['/cut', /corrupt or truncated/],
      ['/short', /didn't send the image in time/],
      ['/bomb', /40 megapixels/],
      ['/large', /10 MiB/],
      ['/none', /returned the status 404/],
    ] as const) {
      const { status, body } = await get('/v1/image/filters/invert', web.url(path))
      expect([status, fieldsOf(body)], path).to.deep.equal([422, ['query.url']])
      expect(body.error.message, path).to.match(words)
    }
    for (const url of ['http://127.0.0.1:1/x.png', 'http://169.254.169.254/', 'ftp://example.com/x', 'cat.png', '']) {
      const { status, body } = await get('/v1/image/filters/invert', url)
      expect([status, fieldsOf(body)], url).to.deep.equal([422, ['query.url']])
    }
    const both = await get('/v1/image/filters/blur?radius=99&size=1&format=bmp')
    expect(fieldsOf(both.body)).to.have.members(['query.radius', 'query.size', 'query.format'])
    expect(fieldsOf((await api.call('GET', '/v1/image/filters/blur')).body)).to.deep.equal(['query.url'])
    expect((await get('/v1/image/filters/unheard-of')).status).to.equal(404)
    expect((await get('/v1/image/filters/invert', web.url('/moved'))).status).to.equal(200)
  })

  it('refuse a body that comes in many thousands of tiny pieces, and take one that comes in a few', async () => {
    const head = `POST /v1/image/filters/invert HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.linked}\r\n`
    const messages: string[] = []
    for (const count of [10_000, 4000]) {
      const body = `${'1\r\nx\r\n'.repeat(count)}0\r\n\r\n`
      const bytes = `${head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${body}`
      const [answer] = parseAnswers(await exchangeBytes(api.port, bytes))
      expect(answer?.status).to.equal(422)
      messages.push(answer?.body.error.message)
    }
    expect(messages[0]).to.equal('The body arrives in too many small chunks. Send larger ones.')
    // This one was read whole, and is no picture.
    expect(messages[1]).not.to.contain('pieces')
  })

  it('refuse a body that is none, is too large or is no form', async () => {
    for (const [body, headers, words] of [
      ['', {}, /Send the file/],
      [Buffer.alloc(10 * 1024 * 1024 + 1), {}, /10 MiB/],
      ['nonsense', { 'content-type': 'multipart/form-data; boundary=x' }, /isn't valid/],
      ['--x\r\n\r\n\r\n--x--', { 'content-type': 'multipart/form-data; boundary=x' }, /Send the file/],
      [png, { 'content-encoding': 'gzip' }, /without a content encoding/],
    ] as const) {
      const response = await post('/v1/image/filters/invert', body as Body, headers)
      const answer = (await response.json()) as any
      expect([response.status, fieldsOf(answer)], String(words)).to.deep.equal([422, ['body']])
      expect(answer.error.message).to.match(words)
    }
    const form = new FormData()
    form.append('radius', '50')
    const body = (await (await post('/v1/image/filters/rounded', form)).json()) as any
    expect(fieldsOf(body)).to.deep.equal(['body.radius'])
    form.delete('radius')
    for (const name of ['one', 'two']) form.append(name, new Blob([png]), name)
    expect((await post('/v1/image/filters/invert', form)).status).to.equal(422)
  })

  it('serve another project in between while one sends a burst', async () => {
    // All are there before the first is begun, so that their order says nothing of how fast anything is.
    const all = Promise.withResolvers<void>()
    const arrived: string[] = []
    const served: string[] = []
    watch = {
      async arrived(owner) {
        arrived.push(owner)
        if (arrived.length === 13) all.resolve()
        await all.promise
      },
      served: (owner) => void served.push(owner),
    }
    const senders = [...Array.from({ length: 12 }, () => keys.linked), keys.otherProject]
    const answers = await Promise.all(
      senders.map((key) => post('/v1/image/filters/oil', png as Body, { authorization: `Bearer ${key}` })),
    )
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200))
    expect(served).to.have.length(13)
    expect(served.indexOf('two')).to.be.at.most(2)
  })
})
