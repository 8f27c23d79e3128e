import { expect } from 'chai'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Middleware } from 'koa'
import { loadMiddleware } from '../../../service/middleware.ts'
import { closing } from '../../support/closing.ts'
import { blocksOf } from '../../support/code-blocks.ts'
import { temporaryFolder } from '../../support/database.ts'
import { exchangeBytes, parseAnswers } from '../../support/raw.ts'
import { keys, startApi } from '../../support/api.ts'
import { projects } from '../../support/projects.ts'

const root = join(import.meta.dirname, '..', '..', '..')

describe('the middleware of an operator', () => {
  const keep = closing()
  const folder = temporaryFolder()
  const start = async (...middleware: Middleware[]) => keep(await startApi({ middleware }))
  after(() => folder.remove())
  const load = (name: string, code: string) => {
    const path = join(folder.path, name)
    writeFileSync(path, code)
    return loadMiddleware(path)
  }

  it('sees every request and every answer, also those that are refused', async () => {
    const seen: unknown[] = []
    const api = await start(async (ctx, next) => {
      ctx.set('X-Before', 'yes')
      await next()
      ctx.set('X-After', 'yes')
      const { route, caller, requestId } = ctx.state
      seen.push([
        ctx.method,
        ctx.path,
        ctx.status,
        route?.id,
        caller?.projectId,
        requestId === ctx.response.get('X-Request-Id'),
      ])
    })
    for (const [method, path, key] of [
      ['GET', '/v1/tools/binary/encode?text=a', keys.linked],
      ['GET', '/v1/tools/binary/encode', keys.linked],
      ['GET', '/v1/music/players', null],
      ['GET', '/v1/nowhere', null],
      ['PUT', '/v1/status', null],
      ['OPTIONS', '/v1/status', null],
      ['GET', '/docs', null],
      ['GET', '/healthz', null],
      ['GET', '/nowhere', null],
    ] as const) {
      const { headers } = await api.call(method, path, { key })
      expect([headers.get('x-before'), headers.get('x-after')], path).to.deep.equal(['yes', 'yes'])
    }
    expect(seen).to.deep.equal([
      ['GET', '/v1/tools/binary/encode', 200, 'encodeBinary', projects.one, true],
      ['GET', '/v1/tools/binary/encode', 400, 'encodeBinary', projects.one, true],
      ['GET', '/v1/music/players', 401, 'listPlayers', undefined, true],
      ['GET', '/v1/nowhere', 404, undefined, undefined, true],
      ['PUT', '/v1/status', 405, undefined, undefined, true],
      ['OPTIONS', '/v1/status', 204, undefined, undefined, true],
      ['GET', '/docs', 200, undefined, undefined, true],
      ['GET', '/healthz', 200, undefined, undefined, true],
      ['GET', '/nowhere', 404, undefined, undefined, true],
    ])
  })

  it('sees WebSocket handshakes, and what is refused before any route is looked for', async () => {
    const seen: unknown[] = []
    const api = await start(async (ctx, next) => {
      ctx.set('X-Before', 'yes')
      await next()
      seen.push([ctx.method, ctx.status])
    })
    const head = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'
    const own = `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n`
    const ask = async (bytes: string) => {
      const text = await exchangeBytes(api.port, bytes, (socket) => socket.once('data', () => socket.destroy()))
      expect(text.toLowerCase(), bytes.slice(0, 100)).to.contain('x-before: yes')
    }
    await ask(`GET /v1/events?key=${keys.linked} HTTP/1.1\r\n${head}${own}\r\n`)
    await ask(`GET /v1/events?key=${keys.linked} HTTP/1.1\r\n${head}\r\n`)
    await ask(`GET /v1/events HTTP/1.1\r\n${head}${own}\r\n`)
    await ask('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n')
    await ask(`GET /v1/status HTTP/1.1\r\nHost: x\r\nX-Pad: ${'x'.repeat(17_000)}\r\n\r\n`)
    expect(seen).to.deep.equal([
      ['GET', 101],
      ['GET', 400],
      ['GET', 401],
      ['CONNECT', 405],
      ['GET', 431],
    ])
  })

  it('may refuse a request, change an answer, or answer on its own', async () => {
    const api = await start(async (ctx, next) => {
      if (ctx.path === '/v1/status') ctx.throw(403, 'Not from here.')
      if (ctx.path === '/hello') {
        ctx.body = 'hello'
        return
      }
      await next()
      if (ctx.status === 404) ctx.body = 'gone'
    })
    const refused = await api.call('GET', '/v1/status')
    expect([refused.status, refused.body.error]).to.deep.equal([403, { code: 'forbidden', message: 'Not from here.' }])
    expect((await api.call('GET', '/hello')).body).to.equal('hello')
    expect(await (await fetch(`${api.baseUrl}/nowhere`)).text()).to.equal('gone')
  })

  it('may wait for the end of a request without a body', async () => {
    const api = await start(async (ctx, next) => {
      ctx.req.resume()
      await once(ctx.req, 'end')
      await next()
    })
    for (const path of ['/v1/status', '/healthz'])
      expect((await fetch(`${api.baseUrl}${path}`)).status, path).to.equal(200)
  })

  it('may answer with a text, an object, bytes, a stream or nothing, under any status', async () => {
    const bodies: Readonly<Record<string, () => unknown>> = {
      '/text': () => 'hello',
      '/object': () => ({ hello: 1 }),
      '/bytes': () => Buffer.from('hello'),
      '/stream': () => Readable.from(['hel', 'lo']),
      '/nothing': () => null,
    }
    const api = await start((ctx) => {
      if (ctx.query['status']) ctx.status = Number(ctx.query['status'])
      ctx.body = bodies[ctx.path]?.()
    })
    const ask = async (path: string, method = 'GET') => {
      const response = await fetch(`${api.baseUrl}${path}`, { method })
      const { status, headers } = response
      return [status, headers.get('content-type'), headers.get('content-length'), await response.text()]
    }
    expect(await ask('/text')).to.deep.equal([200, 'text/plain; charset=utf-8', '5', 'hello'])
    expect(await ask('/text', 'HEAD')).to.deep.equal([200, 'text/plain; charset=utf-8', '5', ''])
    expect(await ask('/text?status=201')).to.deep.equal([201, 'text/plain; charset=utf-8', '5', 'hello'])
    expect(await ask('/text?status=204')).to.deep.equal([204, null, null, ''])
    expect(await ask('/object')).to.deep.equal([200, 'application/json; charset=utf-8', '11', '{"hello":1}'])
    expect(await ask('/bytes')).to.deep.equal([200, 'application/octet-stream', '5', 'hello'])
    expect(await ask('/stream')).to.deep.equal([200, 'application/octet-stream', null, 'hello'])
    expect(await ask('/nothing')).to.deep.equal([204, null, null, ''])
  })

  it('that throws is a 500 which shows nothing of it, and the log has the whole story', async () => {
    const api = await start(() => {
      throw new Error('the secret inside')
    })
    const { status, body } = await api.call('GET', '/v1/status')
    expect([status, body.error.code]).to.deep.equal([500, 'internal_error'])
    expect(JSON.stringify(body)).not.to.contain('secret')
    const line = api.log.find(({ msg, requestId }) => msg === 'request failed' && requestId === body.requestId)
    expect(JSON.stringify(line)).to.contain('the secret inside')
  })

  it('works as the guide shows it', async () => {
    const block = blocksOf(root, 'docs/operations.md').find(({ code }) => code.includes('KOA_MIDDLEWARE'))
    const api = await start(...(await load('guide.mjs', block?.code ?? '')))
    const { status, headers } = await api.call('GET', '/v1/status')
    expect([status, headers.get('x-served-by')]).to.deep.equal([200, 'machine-1'])
    expect((await api.call('GET', '/dashboard')).status).to.equal(403)
    const parsed = parseAnswers(await exchangeBytes(api.port, 'GET /dashboard HTTP/1.0\r\nX-Internal: yes\r\n\r\n'))
    expect(parsed[0]?.status).to.equal(404)
  })

  it('is read from a module, one or a list; a module that is none stops the start with the name of the setting', async () => {
    expect(await loadMiddleware(null)).to.deep.equal([])
    expect(await load('one.mjs', 'export default () => {}')).to.have.length(1)
    expect(await load('list.mjs', 'export default [() => {}, () => {}]')).to.have.length(2)
    for (const [name, code] of [
      ['text.mjs', 'export default "text"'],
      ['none.mjs', 'export const own = () => {}'],
      ['empty.mjs', 'export default []'],
      ['broken.mjs', 'export default ('],
      ['throws.mjs', 'throw new Error("no")'],
    ] as const) {
      const refusal = await load(name, code).catch((error: Error) => error)
      expect((refusal as Error).message, name).to.match(/^KOA_MIDDLEWARE: .*\.mjs /)
    }
    const missing = await loadMiddleware('./nowhere.mjs').catch((error: Error) => error)
    expect((missing as Error).message).to.match(/^KOA_MIDDLEWARE: The import of \.\/nowhere\.mjs failed/)
  })
})
