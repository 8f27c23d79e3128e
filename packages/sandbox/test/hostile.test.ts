import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { expect } from 'chai'
import type { Sandbox } from 'bandstand-sandbox'
import { openSandbox } from './stage.ts'

/** Deterministic, so that a failure can be seen again. */
function createDice(seed: number) {
  let state = seed
  return (n: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % n
  }
}

describe('the stand-in under hostile input', () => {
  let sandbox: Sandbox
  before(async () => {
    sandbox = await openSandbox({ demoMember: false })
  })
  after(() => sandbox.close())

  async function send(method: string, path: string, body: string, headers: Record<string, string>): Promise<number> {
    const { port } = new URL(sandbox.url)
    const out = request({ host: '127.0.0.1', port, method, path, headers })
    // A GET has no body; Node would send one without saying so.
    out.end(method === 'GET' ? undefined : body)
    const [response] = await once(out, 'response')
    response.resume()
    await once(response, 'end')
    return response.statusCode
  }

  it('answers nonsense to every corner of it without a 5xx, but for 501 where Discord has a route and it has not', async () => {
    const dice = createDice(7)
    const pick = <T>(of: readonly T[]): T => of[dice(of.length)]!
    const { guildId, textChannelId, voiceChannelId, applicationId, botToken, memberIds } = sandbox.demo
    const words =
      'api v10 sandbox guilds channels messages members join move speak interactions command webhooks applications ' +
      'commands callback @me @original voice-states users packets connect 1 %00 %2e%2e %E4%B8%AD'
    const ids = [guildId, textChannelId, voiceChannelId, applicationId, memberIds[0]!]
    const parts = [...words.split(' '), ...ids, 'x'.repeat(300), '']
    const bodies = ['', '{}', '[]', 'null', '1', '"x"', '{', '[[[[', '{"__proto__":{"a":1}}', '{"content":"x"}']
    const values = ['', null, 1, -1, 1e308, 'x', [], {}, [[]], { a: null }, true, 'x'.repeat(5000), '9'.repeat(30)]
    const names = [
      'content',
      'name',
      'type',
      'data',
      'channelId',
      'userId',
      'command',
      'options',
      'embeds',
      'components',
      'channel_id',
    ]
    const statuses = new Map<number, number>()
    for (let i = 0; i < 1500; i += 1) {
      const roots = [
        '/api/v10',
        `/api/v10/guilds/${guildId}`,
        `/sandbox/guilds/${guildId}`,
        `/api/v10/channels/${textChannelId}`,
        '/sandbox',
      ]
      const path = [pick(roots), ...Array.from({ length: dice(4) }, () => pick(parts))].join('/')
      const made = JSON.stringify(
        Object.fromEntries(Array.from({ length: 1 + dice(5) }, () => [pick(names), pick(values)])),
      )
      const type = pick(['application/json', 'multipart/form-data; boundary=x', 'text/plain', 'application/json'])
      const method = pick(['GET', 'POST', 'PATCH', 'PUT', 'POST'])
      if (path.endsWith('.ogg') || path.endsWith('/events')) continue
      const status = await send(method, path, dice(3) === 0 ? pick(bodies) : made, {
        authorization: `Bot ${botToken}`,
        'content-type': type,
      })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status !== 501) expect(status, `${method} ${path} ${made}`).to.be.lessThan(500)
    }
    expect([...statuses.keys()]).to.include.members([200, 400, 404])
  })

  it('refuses request targets that are no URL, and upgrades from elsewhere', async () => {
    const { port } = new URL(sandbox.url)
    const raw = async (text: string) => {
      const socket = connect(Number(port), '127.0.0.1')
      socket.end(text)
      let answer = ''
      for await (const chunk of socket) answer += chunk
      return answer.split('\r\n')[0]
    }
    expect(await raw(`GET // HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`)).to.match(/ 400 /)
    const upgrade =
      'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'
    const own = `localhost:${port}`
    for (const [host, origin] of [
      ['evil.example', null],
      ['localhost', null],
      ['localhost:1', null],
      [own, 'http://localhost:8080'],
      [own, `http://127.0.0.1:${port}`],
      [own, 'null'],
    ]) {
      const head = `GET / HTTP/1.1\r\nhost: ${host}\r\n${origin === null ? '' : `origin: ${origin}\r\n`}`
      expect(await raw(head + upgrade), `${host} ${origin}`).to.match(/ 403 /)
    }
  })
})
