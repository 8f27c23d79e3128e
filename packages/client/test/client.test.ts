import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { ApiError, ConnectionError, createClient, type Bandstand, type BandstandEvent } from '../index.ts'
import { clientStamp } from '../../../api/docs/client-document.ts'
import { bots, keys, startApi, type TestApi } from '../../../test/support/api.ts'
import { projects } from '../../../test/support/projects.ts'

const guildId = '81384788765712384'
const channelId = '81384788765712385'

async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => expect.fail('It did not fail.'),
    (error: Error) => error,
  )
}

async function listenTo(events: AsyncIterable<BandstandEvent>, onReady = () => {}): Promise<void> {
  for await (const { type } of events) if (type === 'ready') onReady()
}

interface Scripted {
  /** 0: the connection is cut. */
  readonly status: number
  readonly body?: unknown
  readonly retryAfter?: string
}

interface Asked {
  readonly method: string
  readonly url: string
  readonly key: string | undefined
  readonly headers: IncomingMessage['headers']
}

/** A server that answers by its script, repeats the last entry, and records its requests. */
async function answering(...script: readonly (number | Scripted)[]) {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    request.resume()
    const { method = '', url = '', headers } = request
    const line = script[Math.min(asked.length, script.length - 1)] ?? 500
    const { status, body = { data: {} }, retryAfter } = typeof line === 'number' ? { status: line } : line
    asked.push({ method, url, key: headers['idempotency-key'] as string | undefined, headers })
    if (status === 0) return void response.destroy()
    const wait = retryAfter ?? (status >= 400 ? '0' : undefined)
    response.writeHead(status, { 'content-type': 'application/json', ...(wait && { 'retry-after': wait }) })
    response.end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    client: createClient({ baseUrl, key: keys.linked }),
    asked,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

describe('the client', () => {
  let test: TestApi
  let bandstand: Bandstand
  beforeEach(async () => {
    test = await startApi()
    bandstand = createClient({ baseUrl: `${test.baseUrl}/`, key: keys.linked })
  })
  afterEach(() => test.close())

  it('has the types of the API as it is now', () => {
    const [stamp] = readFileSync(join(import.meta.dirname, '..', 'schema.d.ts'), 'utf8').split('\n')
    expect(stamp, 'Run `npm run schema`.').to.equal(clientStamp())
  })

  it('plays a track and reads the player, as their types say', async () => {
    const path = { guildId }
    const body = { query: 'night ferry', channelId }
    const { data: played } = await bandstand.POST('/v1/music/guilds/{guildId}/play', { path, body })
    expect(played.added).to.equal(1)
    const { data: player } = await bandstand.GET('/v1/music/guilds/{guildId}/player', { path })
    expect(player.current?.title).to.equal(played.track.title)
    expect((await bandstand.GET('/v1/status')).version).to.equal('1.2.3')
    const { headers } = await bandstand.request('GET', '/v1/music/guilds/{guildId}/queue', { path })
    expect(headers.get('etag')).to.be.a('string')
  })

  it('queues a track once, though the answer was lost and it asked again', async () => {
    let attempts = 0
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (init?.method !== 'POST' || attempts++ > 0) return response
      await response.body?.cancel()
      throw new TypeError('The connection was lost.')
    }
    const unlucky = createClient({ baseUrl: test.baseUrl, key: keys.linked, fetch: losing })
    const path = { guildId }
    await bandstand.POST('/v1/music/guilds/{guildId}/play', { path, body: { query: 'night ferry', channelId } })
    const body = { query: 'glass harbour' }
    const { data: played } = await unlucky.POST('/v1/music/guilds/{guildId}/play', { path, body })
    expect([attempts, played.position]).to.deep.equal([2, 1])
    const { data } = await bandstand.GET('/v1/music/guilds/{guildId}/queue', { path })
    expect(data.queue.map(({ title }) => title)).to.deep.equal(['Glass Harbour'])
  })

  it('sends a file, and gets a picture as bytes', async () => {
    const body = new Uint8Array([1, 2, 3])
    const picture = await bandstand.POST('/v1/image/filters/sepia', { body, as: 'arrayBuffer' })
    expect(Buffer.from(picture).subarray(1, 4).toString()).to.equal('PNG')
    const { data } = await bandstand.POST('/v1/image/filters/sepia', { body: new Blob([body]) })
    expect(data.contentType).to.equal('image/png')
  })

  it('throws a refusal with its code, what is wrong, and the id of the request', async () => {
    const error = await failureOf(bandstand.GET('/v1/music/search', { query: { q: '' } }))
    if (!(error instanceof ApiError)) throw error
    expect([error.status, error.code, error.details[0]?.field]).to.deep.equal([422, 'validation_error', 'query.q'])
    expect(error.requestId).to.match(/^[0-9a-f-]{36}$/)
    const none = await failureOf(bandstand.GET('/v1/music/guilds/{guildId}/player', { path: { guildId: '' } }))
    expect(none.message).to.equal('The path /v1/music/guilds/{guildId}/player needs `guildId`.')
  })

  it('ends its events with what the server said when the key is none', async () => {
    const stranger = createClient({ baseUrl: test.baseUrl, key: `svc.${'00'.repeat(32)}` })
    const error = await failureOf(listenTo(stranger.events()))
    expect([error instanceof ApiError && error.code, error.message]).to.deep.equal([
      'invalid_api_key',
      "This key doesn't exist. Check it, or create another one.",
    ])
  })

  it('ends its events when the key is revoked', async () => {
    const quick = await startApi({ events: { keyCheckEveryMs: 20, tickMs: 10 } })
    const events = createClient({ baseUrl: quick.baseUrl, key: keys.linked }).events()
    const error = await failureOf(listenTo(events, () => quick.changeKey('linked', { revokedAtMs: 0 })))
    expect(error instanceof ApiError && error.code).to.equal('api_key_revoked')
    await quick.close()
  })

  it('ends its events with the signal of their reader', async () => {
    const ending = new AbortController()
    await listenTo(bandstand.events({ signal: ending.signal }), () => ending.abort())
    await listenTo(bandstand.events({ signal: ending.signal }), () => expect.fail('It had ended.'))
  })

  it('hears what happens, and connects again when the service comes back', async () => {
    const { port } = test
    const events = bandstand.events({ events: ['queueEmptied'] })
    const heard: BandstandEvent[] = []
    let restarts = 0
    for await (const event of events) {
      heard.push(event)
      if (event.type === 'ready') {
        const emptied = { type: 'queueEmptied', guildId, botId: bots.first } as const
        test.events.emit({ projectId: projects.one, event: emptied })
      } else if (restarts++ === 0) {
        await test.close()
        test = await startApi({ port })
      } else events.close()
    }
    expect(heard.map(({ type }) => type)).to.deep.equal(['ready', 'queueEmptied', 'ready', 'queueEmptied'])
  })
})

/** A page of the list of requests. */
function page(next: string | null, ...ids: readonly string[]): Scripted {
  return { status: 200, body: { data: ids.map((requestId) => ({ requestId })), next } }
}

describe("the client's lists", () => {
  it('read page after page, as their items are wanted', async () => {
    const { client, asked, close } = await answering(page('b', '1', '2'), page('c', '3'), page(null, '4'))
    const seen: string[] = []
    for await (const { requestId } of client.list('/v1/requests', { query: { limit: 2 } })) seen.push(requestId)
    expect(seen).to.deep.equal(['1', '2', '3', '4'])
    const urls = ['', '&cursor=b', '&cursor=c'].map((cursor) => `/v1/requests?limit=2${cursor}`)
    expect(asked.map(({ url }) => url)).to.deep.equal(urls)
    for await (const { requestId } of client.list('/v1/requests')) if (requestId === '4') break
    close()
    expect(asked).to.have.length(4)
  })

  it('read a queue and the players by pages of the service', async () => {
    const test = await startApi()
    const bandstand = createClient({ baseUrl: test.baseUrl, key: keys.linked })
    const path = { guildId }
    const body = { query: 'night ferry', channelId }
    for (let i = 0; i < 4; i++) await bandstand.POST('/v1/music/guilds/{guildId}/play', { path, body })
    const titles: string[] = []
    for await (const { title } of bandstand.list('/v1/music/guilds/{guildId}/queue', { path, query: { limit: 2 } })) {
      titles.push(title)
    }
    expect(titles).to.deep.equal(['Night Ferry', 'Night Ferry', 'Night Ferry'])
    const guilds: string[] = []
    for await (const player of bandstand.list('/v1/music/players', { query: { limit: 1 } })) guilds.push(player.guildId)
    expect(guilds).to.deep.equal([guildId])
    await test.close()
  })
})

describe("the client's retries", () => {
  const play = '/v1/music/guilds/{guildId}/play'
  const path = { guildId }
  const body = { query: 'x' }

  it('wait and try again after a 429, no matter what was asked', async () => {
    const { client, asked, close } = await answering(429, 200)
    await client.PATCH('/v1/music/guilds/{guildId}/player', { path, body: { volume: 50 } })
    close()
    expect(asked.map(({ method }) => method)).to.deep.equal(['PATCH', 'PATCH'])
  })

  it('send a POST again after a lost connection and a failure of the server, under one key', async () => {
    const { client, asked, close } = await answering(0, 503, 200)
    await client.POST(play, { path, body })
    await client.POST(play, { path, body })
    close()
    const [first, second, third, other] = asked.map(({ key }) => key)
    expect(first).to.match(/^[0-9a-f]{32}$/)
    expect([second, third]).to.deep.equal([first, first])
    expect(other)
      .to.match(/^[0-9a-f]{32}$/)
      .and.not.equal(first)
  })

  it('wait for the first request of a key that still runs', async () => {
    const running = { error: { code: 'conflict', message: 'Still running.' } }
    const { client, asked, close } = await answering({ status: 409, body: running, retryAfter: '0' }, 200)
    await client.POST(play, { path, body, idempotencyKey: 'mine' })
    close()
    expect(asked.map(({ key }) => key)).to.deep.equal(['mine', 'mine'])
  })

  it('give up after two more attempts, and read under no key', async () => {
    const { client, asked, close } = await answering(503)
    const error = await failureOf(client.DELETE('/v1/music/guilds/{guildId}/queue', { path }))
    const read = await failureOf(client.GET('/v1/status'))
    close()
    expect([error, read].map((one) => one instanceof ApiError && one.status)).to.deep.equal([503, 503])
    expect(asked.map(({ method }) => method)).to.deep.equal(['DELETE', 'DELETE', 'DELETE', 'GET', 'GET', 'GET'])
    expect(new Set(asked.slice(0, 3).map(({ key }) => key)).size).to.equal(1)
    expect(asked.slice(3).map(({ key }) => key)).to.deep.equal([undefined, undefined, undefined])
  })

  it('do not ask again what was refused for what it is', async () => {
    const { client, asked, close } = await answering(422, { status: 409, body: {}, retryAfter: '0' })
    expect(await failureOf(client.GET('/v1/status'))).to.be.instanceOf(ApiError)
    close()
    expect(asked).to.have.length(1)
  })

  it('leave a longer wait than was allowed to the caller, who is told how long it is', async () => {
    const { client, asked, close } = await answering({ status: 429, retryAfter: '61' })
    const error = await failureOf(client.GET('/v1/status'))
    close()
    expect([error instanceof ApiError && error.retryAfterMs, asked.length]).to.deep.equal([61_000, 1])
  })

  it('give up an attempt that takes too long, and make another', async () => {
    let asked = 0
    const hang: typeof fetch = (_, init) => {
      asked += 1
      return new Promise((__, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('cut'))))
    }
    const hasty = createClient({
      baseUrl: 'http://127.0.0.1',
      key: keys.linked,
      timeoutMs: 20,
      retries: 1,
      fetch: hang,
    })
    const error = await failureOf(hasty.GET('/v1/status'))
    expect([error instanceof ConnectionError && error.isTimeout, asked]).to.deep.equal([true, 2])
    const ending = new AbortController()
    const aborted = failureOf(hasty.GET('/v1/status', { signal: ending.signal, timeoutMs: 60_000 }))
    ending.abort(new Error('enough'))
    expect((await aborted).message).to.equal('enough')
  })
})
