import { once } from 'node:events'
import { expect } from 'chai'
import { Events, type Client } from 'discord.js'
import type { Sandbox } from 'bandstand-sandbox'
import { until } from '../../../test/support/bots.ts'
import { createCaller, logIn, openSandbox, type Rest } from './stage.ts'

/** The events of a stream, as they came. */
interface Stream {
  readonly events: any[]
  of(type: string): any[]
  close(): void
}

describe('what the sandbox tells its pages', () => {
  let sandbox: Sandbox
  let client: Client<true>
  let call: Rest
  let rest: Rest
  const streams: Stream[] = []

  before(async () => {
    sandbox = await openSandbox()
    client = await logIn(sandbox)
    call = createCaller(`${sandbox.url}/sandbox`)
    rest = createCaller(`${sandbox.url}/api/v10`, sandbox.demo.botToken)
  })
  after(async () => {
    for (const stream of streams) stream.close()
    await client.destroy()
    await sandbox.close()
  })
  afterEach(() => call('PATCH', '/rules', { restFailedPercent: 0, restLimitedPercent: 0, restDelayMs: 0 }))

  async function listen(query = ''): Promise<Stream> {
    const stopping = new AbortController()
    const { body } = await fetch(`${sandbox.url}/sandbox/events${query}`, { signal: stopping.signal })
    const events: any[] = []
    const stream = {
      events,
      of: (type: string) => events.filter((one) => one.type === type),
      close: () => stopping.abort(),
    }
    streams.push(stream)
    void read(body, events).catch(() => undefined)
    await until('the whole has come', () => stream.of('hello').length > 0)
    return stream
  }

  it('begins with the whole guild and continues with what differs', async () => {
    const { guildId, textChannelId, memberIds } = sandbox.demo
    const stream = await listen()
    const [hello] = stream.of('hello')
    expect(hello.guild.id).to.equal(guildId)
    expect(hello.guild.roles.map(({ name }: { name: string }) => name)).to.include('DJ')
    expect(hello.applications).to.deep.include({ id: client.user.id, name: 'Bandstand', online: true })
    expect(hello.suggestions[0]).to.deep.include({ command: 'library album', options: { name: 'Seaside Concert' } })
    expect(hello.suggestions).to.deep.include({ command: 'play', options: { query: 'paper lanterns' } })
    await call('POST', `/guilds/${guildId}/channels/${textChannelId}/messages`, { userId: memberIds[0], content: 'hi' })
    await call('POST', `/guilds/${guildId}/members/${memberIds[0]}/mute`, { muted: true })
    await until('both are told', () => stream.of('message').length > 0 && stream.of('voice').length > 0)
    expect(stream.of('message')[0].message).to.include({ content: 'hi', channelId: textChannelId })
    expect(stream.of('voice')[0].state).to.include({ userId: memberIds[0], selfMute: true })
    expect(stream.of('hello')).to.have.length(1)
  })

  it('tells of links, of faults that are switched, and of bots that go', async () => {
    const stream = await listen()
    sandbox.setLinks([{ name: 'docs', url: 'http://127.0.0.1:1/docs' }])
    await call('PUT', '/dave', { version: 0 })
    await until('the rules are told', () => stream.of('network').some(({ network }) => network.dave.version === 0))
    expect(stream.of('network').at(-1).links).to.deep.equal([{ name: 'docs', url: 'http://127.0.0.1:1/docs' }])
    await call('PUT', '/dave', { version: 1 })
    const back = once(client, Events.ShardResume)
    await call('POST', `/applications/${client.user.id}/gateway`, { action: 'drop' })
    const isTold = (online: boolean) =>
      stream.of('applications').some(({ applications }) => applications[0].online === online)
    await until('it is gone', () => isTold(false))
    await back
    await until('it is back', () => stream.of('applications').at(-1).applications[0].online === true)
  })

  it('keeps members in their channel while the voice server is away, and connects them to the next one', async () => {
    const { guildId, voiceChannelId, memberIds } = sandbox.demo
    const where = async () => (await call('GET', `/guilds/${guildId}/members/${memberIds[0]}/voice`)).body
    await until('they are connected', async () => (await where())?.connected)
    await call('PATCH', `/guilds/${guildId}`, { voiceAway: true })
    await until('they are cut off', async () => !(await where())?.connected)
    expect((await where())?.channelId).to.equal(voiceChannelId)
    await call('PATCH', `/guilds/${guildId}`, { voiceAway: false })
    await until('they are back', async () => (await where())?.connected)
    expect((await where())?.channelId).to.equal(voiceChannelId)
  })

  it('hands over traffic only where it is asked for, and no tokens', async () => {
    const [quiet, curious] = [await listen(), await listen('?traffic=true')]
    await rest('GET', `/guilds/${sandbox.demo.guildId}`)
    const entries = () => curious.of('traffic').flatMap((one) => one.entries)
    await until('the request is told', () =>
      entries().some(({ name }) => name === `GET /guilds/${sandbox.demo.guildId}`),
    )
    expect(entries().length).to.be.at.most(200 + 10)
    expect(quiet.of('traffic')).to.have.length(0)
    expect(JSON.stringify(entries())).not.to.include(sandbox.demo.botToken)
  })

  it('answers REST requests with 503 or 429, or late, where it is told to', async () => {
    const path = `/guilds/${sandbox.demo.guildId}`
    await call('PATCH', '/rules', { restFailedPercent: 100 })
    expect((await rest('GET', path)).status).to.equal(503)
    await call('PATCH', '/rules', { restFailedPercent: 0, restLimitedPercent: 100 })
    const limited = await rest('GET', path)
    expect([limited.status, limited.body.retry_after, limited.headers.get('retry-after')]).to.deep.equal([429, 1, '1'])
    await call('PATCH', '/rules', { restLimitedPercent: 0, restDelayMs: 300 })
    const startedAtMs = performance.now()
    expect((await rest('GET', path)).status).to.equal(200)
    expect(performance.now() - startedAtMs).to.be.at.least(295)
    expect((await call('GET', `/guilds/${sandbox.demo.guildId}/network`)).body.rules.restDelayMs).to.equal(300)
  })

  it('serves its page with a content policy, and nothing beside it', async () => {
    const page = await fetch(`${sandbox.url}/sandbox/`, { headers: { accept: 'text/html' } })
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).to.include("default-src 'none'").and.not.include('unsafe')
    const scripts = [...(await page.text()).matchAll(/href="(\/sandbox\/page\/[^"]+)"/g)].map(([, path]) => path ?? '')
    expect(scripts.length).to.be.above(30)
    for (const path of [...scripts, '/sandbox/page/js/main.js']) {
      expect((await fetch(sandbox.url + path)).status, path).to.equal(200)
    }
    for (const path of ['serve.ts', '../demo.ts', '%2e%2e/demo.ts', 'js']) {
      expect((await fetch(`${sandbox.url}/sandbox/page/${path}`)).status, path).to.be.oneOf([404, 422])
    }
    const again = await fetch(`${sandbox.url}/sandbox/page/js/main.js`, {
      headers: { 'if-none-match': (await fetch(`${sandbox.url}/sandbox/page/js/main.js`)).headers.get('etag') ?? '' },
    })
    expect(again.status).to.equal(304)
  })
})

async function read(body: Response['body'], events: any[]): Promise<void> {
  let rest = ''
  for await (const chunk of (body?.pipeThrough(new TextDecoderStream() as never) ?? []) as AsyncIterable<string>) {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) if (block.startsWith('data: ')) events.push(JSON.parse(block.slice(6)))
  }
}
