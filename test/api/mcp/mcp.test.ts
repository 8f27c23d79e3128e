import { expect } from 'chai'
import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { exclusionOf } from '../../../api/mcp/tools.ts'
import { routes } from '../../../api/routes/index.ts'
import type { Images } from '../../../jobs/images/images.ts'
import { bots, keys, startApi, unknownKey, type TestApi } from '../../support/api.ts'
import { channelId, guildId, songs } from '../../support/fake-music.ts'
import { connectAgent, type Agent } from '../../support/mcp.ts'

const MANY = 150

const accept = 'application/json, text/event-stream'

function initialize(protocolVersion: string) {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  return { jsonrpc: '2.0', id: 0, method: 'initialize', params }
}

function list(id: number): object {
  return { jsonrpc: '2.0', id, method: 'tools/list' }
}

describe('an agent by the Model Context Protocol', () => {
  let test: TestApi
  let agent: Agent
  const uses: { routeClass: string; status: number }[] = []
  let pictureBytes = 100
  const images: Images = {
    apply: async () => ({ format: 'png', width: 1, height: 1, frames: 1, data: Buffer.alloc(pictureBytes) }),
  }
  before(async () => {
    test = await startApi({ app: { images, usage: { count: (use) => void uses.push(use) } } })
    agent = await connectAgent(test.baseUrl, keys.linked)
  })
  after(async () => {
    await agent.close()
    await test.close()
  })

  it('finds a track, plays it, skips, and tells what is next in five calls', async () => {
    const own = await connectAgent(test.baseUrl, keys.otherBot)
    const found = await own.call('searchTracks', { q: 'night ferry', limit: 3 })
    const [{ encoded, title }] = found.data
    const played = await own.call('play', { guildId, channelId, track: { encoded } })
    expect(played.data.track.title).to.equal(title)
    await own.call('play', { guildId, query: songs[1].title })
    const skipped = await own.call('skip', { guildId })
    expect(skipped.data.track.title).to.equal(songs[1].title)
    const { data: queue } = await own.call('getQueue', { guildId })
    expect([queue.current.title, queue.queue]).to.deep.equal([songs[1].title, []])
    await own.call('closePlayer', { guildId })
    await own.close()
  })

  it('has a tool for every route, but for those that are left out for a reason', async () => {
    const { tools } = await agent.client.listTools()
    const names = new Set(tools.map(({ name }) => name))
    for (const route of routes) {
      const reason = exclusionOf(route)
      expect(names.has(route.id), `${route.id}: ${reason}`).to.equal(reason === null)
    }
    expect(names.size).to.equal(routes.filter((route) => exclusionOf(route) === null).length)
    expect(names).to.include.members(['play', 'updatePlayer', 'getStatus', 'takeScreenshot', 'filterSepia'])
  })

  it("describes each tool's arguments by a schema that takes the example of its route", async () => {
    const { tools } = await agent.client.listTools()
    const ajv = addFormats.default(new Ajv.default({ strict: false, coerceTypes: true }))
    for (const tool of tools) {
      const example = routes.find(({ id }) => id === tool.name)?.example
      const args = { ...example?.path, ...example?.query, ...(example?.body as object) }
      const validate = ajv.compile(tool.inputSchema)
      expect(validate(args), `${tool.name}: ${JSON.stringify(validate.errors)}`).to.equal(true)
      expect(tool.description?.length, tool.name).to.be.within(10, 2000)
    }
  })

  it('marks what only reads, what destroys, and what may be asked twice', async () => {
    const { tools } = await agent.client.listTools()
    const hints = Object.fromEntries(
      tools.map(({ name, annotations: its }) => [name, [its?.readOnlyHint, its?.destructiveHint, its?.idempotentHint]]),
    )
    expect(hints['getQueue']).to.deep.equal([true, false, true])
    expect(hints['play']).to.deep.equal([false, false, false])
    expect(hints['updatePlayer']).to.deep.equal([false, false, true])
    expect(hints['clearQueue']).to.deep.equal([false, true, true])
    expect(hints['removeFromQueue']).to.deep.equal([false, true, false])
    expect(hints['translate']).to.deep.equal([true, false, true])
  })

  it('is listed only what its key may use, and is refused the rest as by the API', async () => {
    const fetching = await connectAgent(test.baseUrl, keys.fetchOnly)
    const { tools } = await fetching.client.listTools()
    const classes = new Set(tools.map(({ name }) => routes.find(({ id }) => id === name)?.class))
    expect([...classes]).to.have.members(['fetch', 'open'])
    const refused = await fetching.call('getQueue', { guildId })
    expect([refused.isError, refused.texts[0]]).to.deep.equal([
      true,
      "forbidden (403)\nThis key can't call player routes.",
    ])
    await fetching.close()
    const free = await connectAgent(test.baseUrl, keys.free)
    const listed = (await free.client.listTools()).tools.map(({ name }) => name)
    expect(listed).to.include('play')
    expect(listed).not.to.include('takeScreenshot')
    await free.close()
    const unlinked = await connectAgent(test.baseUrl, keys.unlinked)
    expect((await unlinked.client.listTools()).tools.map(({ name }) => name)).not.to.include('play')
    await unlinked.close()
  })

  it('can ask for the tools of some areas alone', async () => {
    const musical = await connectAgent(test.baseUrl, keys.linked, '/mcp?areas=music,jobs')
    const { tools } = await musical.client.listTools()
    const tags = new Set(tools.map(({ name }) => routes.find(({ id }) => id === name)?.tag))
    expect([...tags]).to.have.members(['Jobs', 'Music'])
    await musical.close()
    const wrong = await test.call('POST', '/mcp?areas=musik', { body: {} })
    expect([wrong.status, wrong.body.error.details[0].field]).to.deep.equal([422, 'query.areas'])
  })

  it('reaches no player of another project, and has its own counted and metered as requests are', async () => {
    await agent.call('play', { guildId, channelId, query: songs[0].title })
    const other = await connectAgent(test.baseUrl, keys.otherProject)
    const seen = await other.call('listPlayers')
    expect(seen.data).to.deep.equal([])
    expect((await other.call('getQueue', { guildId })).isError).to.equal(true)
    await other.close()
    expect((await agent.call('listPlayers')).data.map(({ botId }: any) => botId)).to.deep.equal([bots.first])
    await agent.call('closePlayer', { guildId })

    uses.length = 0
    const small = await connectAgent(test.baseUrl, keys.freeToo)
    const last = []
    for (let i = 0; i < 61; i++) last.push(await small.call('encodeBinary', { text: 'Hi' }))
    expect(last[59]?.isError).to.equal(false)
    expect(last[60]?.texts[0]).to.match(
      /^rate_limited \(429\)\nOver the limit for class cheap: 60 requests per minute\.\nWait 1 s/,
    )
    expect(uses.map(({ status }) => status)).to.deep.equal([...Array.from({ length: 60 }, () => 200), 429])
    await small.close()
  })

  it('is told by the names of its arguments what is wrong with them', async () => {
    const bad = await agent.call('play', { guildId: '12', query: 'x', channelId: 'lounge' })
    expect(bad.isError).to.equal(true)
    expect(bad.texts[0]).to.match(/^validation_error \(422\)\nguildId: .*\nchannelId: /)
    const misspelled = await agent.call('play', { guildId, qery: 'x', channelId })
    expect(misspelled.texts[0]).to.include('qery: Unknown field. Did you mean query?')
    const strange = await agent.call('skip', { guildId, track: 2 })
    expect(strange.texts[0]).to.match(/^track: Unknown field/)
    const missing = await agent.call('getQueue', {})
    expect([missing.isError, missing.texts]).to.deep.equal([true, ['guildId: This is required.']])
    const dots = await agent.call('getQueue', { guildId: '..' })
    expect(dots.isError).to.equal(true)
    const none = await agent.call('getQueue', { guildId })
    expect(none.isError).to.equal(true)
    expect(none.texts[0]).to.match(/^not_found \(404\)\n[A-Z].*play/)
    const failure = await agent.client.callTool({ name: 'dance' }).catch((error: Error) => error.message)
    expect(failure).to.include('Unknown tool dance')
  })

  it('reads a long queue in parts', async () => {
    await agent.call('play', { guildId, channelId, query: songs[0].title })
    for (let i = 0; i < MANY; i++) {
      const body = { query: songs[i % 3]?.title }
      expect((await test.call('POST', `/v1/music/guilds/${guildId}/play`, { body })).status).to.equal(200)
    }
    const titles: string[] = []
    let cursor: string | undefined
    let calls = 0
    do {
      const part = await agent.call('getQueue', { guildId, ...(cursor && { cursor }) })
      expect(part.texts.join('').length).to.be.below(13_000)
      titles.push(...part.data.queue.map(({ title }: any) => title))
      cursor = /cursor "(queue:\d+)"/.exec(part.texts[1] ?? '')?.[1]
      calls += 1
    } while (cursor && calls < 20)
    expect(titles).to.deep.equal(Array.from({ length: MANY }, (_, i) => songs[i % 3]?.title))
    expect(calls).to.be.within(2, 6)
    for (const wrong of ['x', 'past:5', ':5', 'current:1']) {
      expect((await agent.call('getQueue', { guildId, cursor: wrong })).texts[0], wrong).to.match(/^cursor: /)
    }
    await agent.call('closePlayer', { guildId })
  })

  it('gets small pictures as pictures, and large ones as links', async () => {
    const small = await agent.call('filterSepia', { url: 'https://example.com/cat.png' })
    expect(small.content.map(({ type, mimeType }) => [type, mimeType])).to.deep.equal([['image', 'image/png']])
    pictureBytes = 257 * 1024
    const large = await agent.call('filterSepia', { url: 'https://example.com/cat.png' })
    expect(large.texts[0]).to.include('The image has 257 KiB')
    expect(large.content[1]).to.include({ type: 'resource_link', mimeType: 'image/png' })
    expect(large.content[1].uri).to.equal(
      `${test.baseUrl}/v1/image/filters/sepia?url=https%3A%2F%2Fexample.com%2Fcat.png`,
    )
  })

  it('leaves a line of the log for each tool call, under the id of its answer', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'getStatus', arguments: {} } }
    const headers = { accept, 'x-request-id': 'from-the-agent' }
    const { status, body } = await test.call('POST', '/mcp', { body: message, headers })
    expect([status, JSON.parse(body.result.content[0].text).version]).to.deep.equal([200, '1.2.3'])
    const lines = test.log.filter(({ requestId }) => requestId === 'from-the-agent')
    expect(lines.map(({ path }) => path)).to.deep.equal(['/v1/status', '/mcp'])
  })
})

describe('POST /mcp', () => {
  let test: TestApi
  async function statusFor(origin: string, method = 'POST') {
    const body = method === 'POST' ? initialize('2025-11-25') : undefined
    return (await test.call(method, '/mcp', { body, headers: { accept, origin } })).status
  }
  before(async () => (test = await startApi({ mcpOrigins: ['https://agents.example.org'] })))
  after(() => test.close())

  it('needs a key that works', async () => {
    for (const key of [null, unknownKey, keys.revoked, keys.expired]) {
      const { status, headers } = await test.call('POST', '/mcp', { key, body: initialize('2025-11-25') })
      expect([status, headers.get('www-authenticate')]).to.deep.equal([401, 'Bearer'])
    }
    const elsewhere = await test.call('POST', '/mcp', { key: keys.elsewhere, body: initialize('2025-11-25') })
    expect(elsewhere.status).to.equal(403)
  })

  it('agrees with a client on a version of the protocol, and refuses later messages with an unknown one', async () => {
    for (const [asked, agreed] of [
      ['2025-06-18', '2025-06-18'],
      ['2025-03-26', '2025-03-26'],
      ['1999-01-01', '2025-11-25'],
    ] as const) {
      const { body } = await test.call('POST', '/mcp', { body: initialize(asked), headers: { accept } })
      expect(body.result.protocolVersion).to.equal(agreed)
    }
    const headers = { accept, 'mcp-protocol-version': '1999-01-01' }
    const refused = await fetch(`${test.baseUrl}/mcp`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${keys.linked}`, 'content-type': 'application/json' },
      body: JSON.stringify(list(1)),
    })
    expect(refused.status).to.equal(400)
  })

  it('lists the tools once per request, by a text that is made once for keys of the same rights', async () => {
    const ping = { jsonrpc: '2.0', id: 'ping', method: 'ping' }
    const { status, body } = await test.call('POST', '/mcp', { body: [list(1), ping], headers: { accept } })
    expect(status).to.equal(200)
    const first = body.find(({ id }: { id: unknown }) => id === 1)
    const again = await test.call('POST', '/mcp', { body: list(2), headers: { accept } })
    expect(again.body.result).to.deep.equal(first.result)
    expect(again.body.result.tools.length).to.be.greaterThan(50)
    const music = await test.call('POST', '/mcp?areas=music', { body: list(3), headers: { accept } })
    expect(music.body.result.tools.length).to.be.lessThan(again.body.result.tools.length)
    const twice = await test.call('POST', '/mcp', { body: [list(1), list(2)], headers: { accept } })
    expect([twice.status, twice.body.error.details[0].message]).to.deep.equal([
      422,
      'Send `tools/list` once per request.',
    ])
  })

  it('keeps no sessions: reading a stream and ending one are not allowed', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, headers } = await test.call(method, '/mcp')
      expect([status, headers.get('allow')]).to.deep.equal([405, 'POST, OPTIONS'])
    }
  })

  it('takes pages of this machine and those that are named, and no others', async () => {
    expect(await statusFor('http://localhost:6274')).to.equal(200)
    expect(await statusFor('https://agents.example.org')).to.equal(200)
    expect(await statusFor('https://agents.example.org', 'OPTIONS')).to.equal(204)
    for (const origin of ['https://evil.example', 'null', 'https://agents.example.org.evil.example']) {
      expect(await statusFor(origin), origin).to.equal(403)
    }
  })

  it('bounds what it reads', async () => {
    const long = await test.call('POST', '/mcp', { body: { text: 'x'.repeat(70_000) } })
    expect([long.status, long.body.error.details[0].field]).to.deep.equal([422, 'body'])
    const many = await test.call('POST', '/mcp', { body: Array.from({ length: 11 }, () => initialize('2025-11-25')) })
    expect(many.status).to.equal(422)
  })
})
