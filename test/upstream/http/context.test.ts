import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { z } from 'zod'
import { createLog } from '../../../lib/log.ts'
import { createUpstream } from '../../../upstream/http/client.ts'
import { openUpstreamContext } from '../../../upstream/http/context.ts'
import { createUpstreamCounters } from '../../support/upstreams/counters.ts'
import { failureOf } from '../../support/upstreams/context.ts'
import { startStandIn } from '../../support/upstreams/stand-in.ts'

describe('the way to outside services', () => {
  it('leads through the proxy for https, and past it for http on the own network', async () => {
    const wanted: string[] = []
    const proxy = createServer().on('connect', (request, socket) => {
      wanted.push(request.url ?? '')
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const near = await startStandIn(() => ({ json: {} }))
    const opened = openUpstreamContext({
      settings: {
        userAgent: 'Bandstand/1.2.3 (https://bot.example)',
        retries: 0,
        proxyUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      },
      log: createLog('silent'),
      metrics: createUpstreamCounters(),
      now: Date.now,
      date: Date.now,
    })
    const ask = (baseUrl: string) =>
      createUpstream(opened.context, { name: 'It', id: 'it', baseUrl, timeoutMs: 2000 }).get({
        path: '/',
        shape: z.object({}),
      })

    await ask(near.url)
    expect(near.received[0]?.headers['user-agent']).to.equal('Bandstand/1.2.3 (https://bot.example)')
    expect((await failureOf(ask('https://far.example'))).kind).to.equal('unreachable')
    expect(wanted).to.deep.equal(['far.example:443'])

    await opened.close()
    await near.close()
    proxy.close()
  })
})
