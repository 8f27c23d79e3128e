import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { createClient, openEvents, type Bandstand } from '../../client/index.ts'
import type { BandstandEvent } from '../../client/events.ts'
import { clientStamp } from '../../scripts/client-document.ts'
import { bots, keys, startApi, type TestApi } from '../support/api.ts'

const guildId = '81384788765712384'

async function failureOf(events: AsyncIterable<BandstandEvent>, onReady = () => {}): Promise<string | null> {
  try {
    for await (const { type } of events) if (type === 'ready') onReady()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** A server that answers with these statuses, one after the other, and counts. */
async function answering(...statuses: readonly number[]) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    request.resume()
    const status = statuses[Math.min(asked.length, statuses.length - 1)] ?? 500
    asked.push(request.method ?? '')
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' }).end('{"data":{}}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = createClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: keys.linked,
  })
  return { client, asked, close: () => server.close() }
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
    const [stamp] = readFileSync(join(import.meta.dirname, '..', '..', 'client', 'schema.d.ts'), 'utf8').split('\n')
    expect(stamp, 'Run `npm run schema`.').to.equal(clientStamp())
  })

  it('plays a track and reads the player, as their types say', async () => {
    const path = { guildId }
    const body = { query: 'night ferry', channelId: '81384788765712385' }
    const { data: played } = await bandstand.POST('/v1/music/guilds/{guildId}/play', { params: { path }, body })
    expect(played?.data.added).to.equal(1)
    const { data: player } = await bandstand.GET('/v1/music/guilds/{guildId}/player', { params: { path } })
    expect(player?.data.current?.title).to.equal(played?.data.track.title)
  })

  it('hands over a refusal with its code and what is wrong', async () => {
    const { data, error, response } = await bandstand.GET('/v1/music/search', { params: { query: { q: '' } } })
    expect([data, response.status]).to.deep.equal([undefined, 422])
    expect(error && 'error' in error && typeof error.error === 'object' && error.error.code).to.equal(
      'validation_error',
    )
  })

  it('ends its event stream with what the server said when the key is none', async () => {
    const events = openEvents({ baseUrl: test.baseUrl, key: `svc.${'00'.repeat(32)}` })
    expect(await failureOf(events)).to.equal('This key does not exist.')
  })

  it('ends its event stream when the key is revoked', async () => {
    const quick = await startApi({ events: { keyCheckEveryMs: 20, tickMs: 10 } })
    const events = openEvents({ baseUrl: quick.baseUrl, key: keys.linked })
    const failure = failureOf(events, () => quick.changeKey('linked', { revokedAtMs: 0 }))
    expect(await failure).to.equal('The key no longer works.')
    await quick.close()
  })

  it('hears what happens, and connects anew when the service comes back', async () => {
    const { port } = test
    const events = openEvents({ baseUrl: test.baseUrl, key: keys.linked, events: ['queueEmptied'] })
    const heard: BandstandEvent[] = []
    let restarts = 0
    for await (const event of events) {
      heard.push(event)
      if (event.type === 'ready') {
        const emptied = { type: 'queueEmptied', guildId, botId: bots.first } as const
        test.events.emit({ projectId: 'one', event: emptied })
      } else if (restarts++ === 0) {
        await test.close()
        test = await startApi({ port })
      } else events.close()
    }
    expect(heard.map(({ type }) => type)).to.deep.equal(['ready', 'queueEmptied', 'ready', 'queueEmptied'])
  })
})

describe("the client's retries", () => {
  const path = { guildId }
  const body = { query: 'x' }

  it('wait and try again after a 429, whatever was asked', async () => {
    const { client, asked, close } = await answering(429, 200)
    const { response } = await client.POST('/v1/music/guilds/{guildId}/play', { params: { path }, body })
    close()
    expect([response.status, asked]).to.deep.equal([200, ['POST', 'POST']])
  })

  it('ask again after a passing failure only where that cannot do a thing twice', async () => {
    const { client, asked, close } = await answering(503)
    const read = await client.GET('/v1/status')
    const write = await client.POST('/v1/music/guilds/{guildId}/play', { params: { path }, body })
    close()
    expect([read.response.status, write.response.status]).to.deep.equal([503, 503])
    expect(asked).to.deep.equal(['GET', 'GET', 'GET', 'POST'])
  })
})
