import { expect } from 'chai'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { createEgress } from '../../../upstream/egress/egress-guard.ts'
import { closing } from '../../support/closing.ts'
import { serve } from '../../support/web.ts'

const TEXT = 'A page that repeats itself. '.repeat(4000)
const PLAIN = Buffer.from(TEXT)

describe('egress and what hosts compress unasked', () => {
  const own = closing()
  const local = () => own(createEgress({ allowHosts: ['127.0.0.1'] }))

  for (const [coding, bytes] of [
    ['gzip', gzipSync(PLAIN)],
    ['X-GZIP', gzipSync(PLAIN)],
    ['deflate', deflateSync(PLAIN)],
    ['deflate', deflateRawSync(PLAIN)],
    ['br', brotliCompressSync(PLAIN)],
    ['zstd', zstdCompressSync(PLAIN)],
    ['deflate, gzip', gzipSync(deflateSync(PLAIN))],
    ['gzip, deflate', deflateSync(gzipSync(PLAIN))],
    ['identity', PLAIN],
    ['utf-8', PLAIN],
  ] as const) {
    it(`gives out what came as "${coding}" (${bytes.length} bytes) as it was before`, async () => {
      const headers = { 'content-encoding': coding, 'content-length': bytes.length }
      const server = own(await serve((_, response) => response.writeHead(200, headers).end(bytes)))
      const answer = await local().open(server.url)
      expect(await text(answer.body)).to.equal(TEXT)
      if (bytes !== PLAIN) expect(answer.headers).to.not.have.any.keys('content-encoding', 'content-length')
    })
  }

  it('reads an empty body as one, whatever its coding', async () => {
    for (const coding of ['gzip', 'deflate', 'br', 'zstd']) {
      const server = own(await serve((_, response) => response.writeHead(200, { 'content-encoding': coding }).end()))
      expect(await text((await local().open(server.url)).body), coding).to.equal('')
    }
  })

  it('fails where a compressed body is cut off or damaged', async () => {
    const whole = gzipSync(PLAIN)
    for (const bytes of [whole.subarray(0, whole.length - 20), Buffer.from('no gzip at all')]) {
      const server = own(
        await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes)),
      )
      const failure = await text((await local().open(server.url)).body).catch((error: unknown) => error)
      expect(failure).to.be.instanceOf(Error)
    }
  })

  it('decompresses no more of a bomb than is read of it', async () => {
    const closed = Promise.withResolvers<void>()
    const bomb = gzipSync(Buffer.alloc(30_000_000))
    const server = own(
      await serve((_, response) => {
        response.once('close', () => closed.resolve())
        // The response never ends, so only the reader can close it.
        response.writeHead(200, { 'content-encoding': 'gzip' }).write(bomb)
      }),
    )
    const { body } = await local().open(server.url)
    let bytes = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > 1_000_000) break
    }
    await closed.promise
    expect(bytes).to.be.below(1_200_000)
    expect(body.destroyed).to.equal(true)
  })

  it('asks for all where a host answers a range with a part of what it compressed', async () => {
    const whole = gzipSync(PLAIN)
    const ranges: (string | undefined)[] = []
    const server = own(
      await serve(({ headers: { range } }, response) => {
        ranges.push(range)
        const part = { 'content-range': `bytes 0-99/${whole.length}` }
        response.writeHead(range ? 206 : 200, { 'content-encoding': 'gzip', ...(range ? part : {}) })
        response.end(range ? whole.subarray(0, 100) : whole)
      }),
    )
    const answer = await local().open(server.url, { headers: { range: 'bytes=0-99' } })
    expect(answer.status).to.equal(200)
    expect(await text(answer.body)).to.equal(TEXT)
    expect(ranges).to.deep.equal(['bytes=0-99', undefined])
  })
})

describe('egress and redirects as odd hosts send them', () => {
  const own = closing()

  it('follows twenty, and not one more', async () => {
    const server = own(
      await serve(({ url = '' }, response) => {
        const left = Number(url.slice(1))
        if (left === 0) response.end('here')
        else response.writeHead(302, { location: `/${left - 1}` }).end()
      }),
    )
    const out = own(createEgress({ allowHosts: ['127.0.0.1'] }))
    expect(await text((await out.open(`${server.url}/20`)).body)).to.equal('here')
    const failure = await out.open(`${server.url}/21`).catch((error: unknown) => error)
    expect(failure).to.have.property('message').that.includes('more than 20 times')
  })

  for (const [is, bytes, path] of [
    ['UTF-8', Buffer.from('/música/東京 ?q=ñ'), '/m%C3%BAsica/%E6%9D%B1%E4%BA%AC%20?q=%C3%B1'],
    ['UTF-8 that is encoded already', Buffer.from('/m%C3%BAsica'), '/m%C3%BAsica'],
    ['Latin-1', Buffer.from('/m\u00fasica', 'latin1'), '/m%FAsica'],
  ] as const) {
    it(`asks for the path whose bytes the host sent as ${is}`, async () => {
      const asked: (string | undefined)[] = []
      const server = own(
        await serve(({ url }, response) => {
          asked.push(url)
          if (url === '/') response.writeHead(302, { location: bytes.toString('latin1') }).end()
          else response.end('here')
        }),
      )
      const out = own(createEgress({ allowHosts: ['127.0.0.1'] }))
      expect(await text((await out.open(`${server.url}/`)).body)).to.equal('here')
      expect(asked).to.deep.equal(['/', path])
    })
  }
})
