import { expect } from 'chai'
import type { Middleware } from 'koa'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import * as envelopes from '../../../api/http/envelopes.ts'
import { route } from '../../../api/http/route.ts'
import { routes } from '../../../api/routes/index.ts'
import { closing } from '../../support/closing.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { eventually } from '../../support/service.ts'
import { projects } from '../../support/projects.ts'

/** Holds a handler until a test lets it continue. */
let gate = Promise.withResolvers<void>()

const wait = route('testWait', 'GET /v1/test/wait/{how}', {
  summary: 'A route that takes its time',
  tag: 'Tools',
  class: 'cheap',
  envelope: envelopes.data,
  path: z.object({ how: z.enum(['gated', 'listening']) }),
  data: z.string(),
  example: { path: { how: 'gated' }, data: 'done' },
  async handle({ path: { how }, signal }, { log }) {
    log.info('handler begun')
    if (how === 'gated') await gate.promise
    if (how === 'listening') {
      await sleep(20_000, undefined, { signal }).catch((error: unknown) => {
        log.info({ why: (signal.reason as Error).message }, 'handler stopped')
        throw error
      })
    }
    return 'done'
  },
})

function begun(api: TestApi) {
  return eventually(
    () => api.log.some(({ msg }) => msg === 'handler begun'),
    (is) => is,
  )
}

describe('closing the API', () => {
  const keep = closing()
  const start = (graceMs: number) => startApi({ routes: [...routes, wait], graceMs }).then(keep)
  beforeEach(() => {
    gate = Promise.withResolvers()
  })

  it('lets the request in flight finish, and its connection end', async () => {
    const api = await start(5000)
    const pending = api.call('GET', '/v1/test/wait/gated')
    await begun(api)
    const closed = api.close()
    gate.resolve()
    const { status, headers, body } = await pending
    expect([status, body]).to.deep.equal([200, { data: 'done' }])
    expect(headers.get('connection')).to.equal('close')
    await closed
    const refused = await fetch(`${api.baseUrl}/v1/status`).catch((error: Error) => error)
    expect(refused).to.be.instanceOf(Error)
  })

  it('lets a page that is being made come out, and does not wait for the next request behind it', async () => {
    const begin = Promise.withResolvers<void>()
    const page: Middleware = async (ctx) => {
      begin.resolve()
      await gate.promise
      ctx.body = 'a page'
    }
    const api = await startApi({ graceMs: 60_000, pages: () => page }).then(keep)
    const pending = fetch(`${api.baseUrl}/slow`)
    await begin.promise
    const closed = api.close()
    gate.resolve()
    expect(await (await pending).text()).to.equal('a page')
    await closed
  })

  it('tells a handler that waits, whose caller is told to come again', async () => {
    const api = await start(60_000)
    const pending = api.call('GET', '/v1/test/wait/listening')
    await begun(api)
    await api.close()
    const { status, headers, body } = await pending
    expect([status, body.error.code]).to.deep.equal([503, 'service_unavailable'])
    const line = api.log.find(({ msg }) => msg === 'handler stopped')
    expect(line).to.include({ requestId: body.requestId, projectId: projects.one })
    expect(headers.get('retry-after')).to.equal('5')
  })

  it('cuts what has not ended in time', async () => {
    const api = await start(100)
    const pending = fetch(`${api.baseUrl}/v1/test/wait/gated`, {
      headers: { authorization: `Bearer svc.${'a1'.repeat(32)}` },
    }).catch((error: Error) => error)
    await begun(api)
    await api.close()
    expect(await pending).to.be.instanceOf(Error)
  })

  it('is not needed to stop a handler whose caller went away', async () => {
    const api = await start(1000)
    const caller = new AbortController()
    const pending = fetch(`${api.baseUrl}/v1/test/wait/listening`, {
      headers: { authorization: `Bearer svc.${'a1'.repeat(32)}` },
      signal: caller.signal,
    }).catch(() => null)
    await begun(api)
    caller.abort()
    await pending
    await eventually(
      () => api.log.find(({ msg }) => msg === 'handler stopped'),
      (line) => line?.['why'] === 'The client closed the connection.',
    )
    expect(api.log.filter(({ level }) => level === 'error')).to.deep.equal([])
  })
})
