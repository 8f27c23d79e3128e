import { expect } from 'chai'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import * as envelopes from '../../../api/http/envelopes.ts'
import { route } from '../../../api/http/route.ts'
import { exchangeBytes, parseAnswers } from '../../support/raw.ts'
import { keys, startApi, type TestApi } from '../../support/api.ts'

const LIMIT_BYTES = 1024 * 1024

const upload = route('testUpload', 'POST /v1/test/upload', {
  summary: 'Gives the files back',
  tag: 'Tools',
  class: 'cheap',
  envelope: envelopes.data,
  upload: true,
  data: z.array(z.string()),
  example: { data: ['YQ=='] },
  handle: async (request) => (await request.files(LIMIT_BYTES, 2)).map((file) => file.toString('base64')),
})

const file = (content: Buffer | string, fields = 'Content-Type: image/png\r\n', name = 'a') =>
  Buffer.concat([
    Buffer.from(`Content-Disposition: form-data; name="f"; filename="${name}"\r\n${fields}\r\n`),
    Buffer.from(content),
  ])
const form = (...parts: readonly Buffer[]) =>
  Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from('--b\r\n'), part, Buffer.from('\r\n')]),
    Buffer.from('--b--\r\n'),
  ])
const head = `POST /v1/test/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.linked}\r\nConnection: close\r\n`
const ofForm = 'Content-Type: multipart/form-data; boundary=b\r\n'

describe('a form of files', () => {
  let api: TestApi
  before(async () => {
    api = await startApi({ routes: [upload] })
  })
  after(() => api.close())

  async function send(body: Buffer | string, type = 'multipart/form-data; boundary=b') {
    const response = await fetch(`${api.baseUrl}/v1/test/upload`, {
      method: 'POST',
      body: Buffer.from(body) as never,
      headers: { authorization: `Bearer ${keys.linked}`, 'content-type': type },
    })
    const { data, error } = (await response.json()) as any
    return {
      status: response.status,
      error,
      files: data?.map((text: string) => Buffer.from(text, 'base64').toString()),
    }
  }

  it('is refused where no body was sent, of no stated length', async () => {
    for (const type of ['', 'Content-Type: image/png\r\n', ofForm]) {
      const [answer] = parseAnswers(await exchangeBytes(api.port, `${head}${type}\r\n`))
      expect([answer?.status, answer?.body.error?.message], type).to.deep.equal([
        422,
        'Send the file as the body, or in a multipart form.',
      ])
    }
  })

  it('gives its files in order, no matter what stands around them', async () => {
    for (const [body, files, type] of [
      [form(file('one'), file('two\r\n--other', '', '')), ['one', 'two\r\n--other']],
      [form(file('x')), ['x'], 'multipart/form-data; charset=utf-8; boundary="b"'],
      [Buffer.concat([Buffer.from('preamble\r\n'), form(file('x'))]), ['x']],
      [form(file(''), file('x')), ['x']],
      [form(Buffer.from('\r\n'), file('x')), ['x']],
      [form(file('x', 'Content-Type: text/plain\r\nContent-Length: 1\r\n')), ['x']],
      [form(file('b25l', 'Content-Transfer-Encoding: Base64\r\n')), ['one']],
    ] as const) {
      const answer = await send(body, type)
      expect(answer, body.toString()).to.deep.equal({ status: 200, error: undefined, files })
    }
  })

  it('gives each file whole, byte by byte, also where it looks like a boundary', async () => {
    const lookalikes = Buffer.from('\r\n--bX\r\n--\r\n-\r\n--'.repeat(5000))
    const sent = Buffer.concat([lookalikes, randomBytes(500_000), lookalikes])
    const bytes = form(file(sent), file('second'))
    const [answer] = parseAnswers(
      await exchangeBytes(
        api.port,
        Buffer.concat([Buffer.from(`${head}${ofForm}Content-Length: ${bytes.length}\r\n\r\n`), bytes]),
      ),
    )
    expect(answer?.status).to.equal(200)
    const [first, second] = (answer?.body.data ?? []) as string[]
    expect(Buffer.from(first ?? '', 'base64').equals(sent)).to.equal(true)
    expect(Buffer.from(second ?? '', 'base64').toString()).to.equal('second')
  })

  it('is refused as a body when it is broken, or has too many parts or too long a head', async () => {
    const whole = form(file('x'))
    for (const [body, words, type] of [
      ['', /Send the file/],
      ['--b', /isn't valid/],
      ['--b\r\n', /isn't valid/],
      ['--b\r\nno end', /isn't valid/],
      [`--b\r\n${file('x').toString()}`, /isn't valid/],
      ['--c--', /isn't valid/],
      [form(Buffer.from('\r\n')), /Send the file/],
      [whole, /isn't valid/, 'multipart/form-data'],
      [form(...Array.from({ length: 17 }, () => file('x'))), /16 parts/],
      [form(file('x'), file('x'), file('x')), /2 files at most/],
      [form(file('x', 'Content-Transfer-Encoding: gzip\r\n')), /isn't valid/],
      [form(file('x', `X-Pad: ${'x'.repeat(5000)}\r\n`)), /isn't valid/],
      [form(file(Buffer.alloc(LIMIT_BYTES + 1))), /1 MiB/],
      [form(file(Buffer.alloc(LIMIT_BYTES * 3))), /1 MiB/],
    ] as const) {
      const { status, error } = await send(body, type)
      const what = body.toString().slice(0, 200)
      expect([status, error?.code, error?.details?.[0].field], what).to.deep.equal([422, 'validation_error', 'body'])
      expect(error.message, what).to.match(words)
    }
  })

  it('is refused by the name of a field that is no file', async () => {
    for (const fields of ['', 'Content-Type: text/plain\r\n']) {
      const field = Buffer.from(`Content-Disposition: form-data; name="radius"\r\n${fields}\r\n5`)
      const { status, error } = await send(form(file('x'), field))
      expect([status, error.details[0].field]).to.deep.equal([422, 'body.radius'])
    }
  })

  it('costs little time where the head of a part is made to cost much', async () => {
    const before = process.cpuUsage()
    for (const piece of ['filename="', 'name="', '\\', ' ']) {
      const { status } = await send(form(file('x', `Content-Disposition: ${piece.repeat(150_000)}\r\n`)))
      expect(status).to.equal(422)
    }
    expect(process.cpuUsage(before).user / 1000).to.be.lessThan(1500)
  })

  it('is refused when it comes in many thousands of tiny pieces', async () => {
    const letters = form(file('x'.repeat(10_000))).toString()
    const chunks = letters.replaceAll(/./gs, (letter) => `1\r\n${letter}\r\n`)
    const [answer] = parseAnswers(
      await exchangeBytes(api.port, `${head}${ofForm}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`),
    )
    expect([answer?.status, answer?.body.error.message]).to.deep.equal([
      422,
      'The body arrives in too many small chunks. Send larger ones.',
    ])
  })

  it('whose sender goes away in the middle leaves the service working', async () => {
    const bytes = `${head}${ofForm}Content-Length: 5000\r\n\r\n--b\r\n${file('x').toString()}`
    await exchangeBytes(api.port, bytes, (socket) => setTimeout(() => socket.resetAndDestroy(), 30))
    expect((await send(form(file('x')))).status).to.equal(200)
    expect(api.log.filter(({ level }) => level === 'error')).to.deep.equal([])
  })
})
