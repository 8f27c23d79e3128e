import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { openDatabase } from '../../../db/engine/open.ts'
import { createSqliteStore } from '../../../db/engine/sqlite-store.ts'
import { createBotRecords } from '../../../db/projects/bots.ts'
import { createVault } from '../../../db/engine/vault.ts'
import { Fault } from '../../../lib/errors.ts'
import { identifyBot } from '../../../upstream/discord/discord.ts'
import { admin as run } from '../../support/admin.ts'
import { temporaryFolder } from '../../support/database.ts'

const TOKEN = 'MTExMTExMTExMTExMTExMTEx.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb'
const BAND = { id: '111111111111111111', username: 'Band', bot: true }

/** The two answers of a Discord that these commands need: `/gateway`, and `/users/@me` for the tokens it knows. */
async function startDiscord(users: Readonly<Record<string, unknown>>): Promise<{ url: string; server: Server }> {
  return serve((request, response) => {
    const user = users[request.headers.authorization?.replace(/^Bot /, '') ?? '']
    const isKnown = request.url === '/api/v10/gateway' || (request.url === '/api/v10/users/@me' && user !== undefined)
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isKnown ? (user ?? { url: 'wss://…' }) : { message: '401: Unauthorized', code: 0 }))
  })
}

async function serve(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

describe('bot commands', () => {
  const folder = temporaryFolder()
  const dataDir = folder.path
  const open: Server[] = []
  let env: Record<string, string>
  let project: string

  const admin = (args: readonly string[], stdin = '') => run(args, { dataDir, stdin, env })
  const add = (stdin: string) => admin(['bot', 'add', '--project', project, '--json'], stdin)

  async function discord(users: Readonly<Record<string, unknown>>) {
    const { url, server } = await startDiscord(users)
    open.push(server)
    return url
  }

  before(async () => {
    env = { DISCORD_API_URL: `${await discord({ [TOKEN]: BAND })}/api`, SANDBOX: 'off' }
    project = (await admin(['project', 'create', 'Test', '--json'])).json.id
  })
  after(() => {
    for (const server of open) {
      server.close()
      server.closeAllConnections()
    }
    folder.remove()
  })

  it('adds a bot whose token Discord knows, sealed, and finds its id and name on its own', async () => {
    const { code, json } = await add(`${TOKEN}\n`)
    expect(code).to.equal(0)
    expect(json).to.include({ id: BAND.id, name: 'Band', projectId: project, sandbox: false })
    const db = openDatabase({ dataDir })
    const bots = createBotRecords(createSqliteStore(db), createVault({ tokenKey: null, dataDir }))
    expect(await bots.token(project, BAND.id)).to.equal(TOKEN)
    db.close()
  })

  it('takes a token as people copy it', async () => {
    expect((await add(`  Bot ${TOKEN} \r\n`)).code).to.equal(0)
  })

  it('lists and removes bots', async () => {
    const { json } = await admin(['bot', 'list', '--project', project, '--json'])
    expect(json).to.have.length(1)
    expect((await admin(['bot', 'list', '--json'])).json).to.deep.equal(json)
    expect((await admin(['bot', 'list'])).stdout)
      .to.include('Discord')
      .and.not.to.include(TOKEN)
    expect((await admin(['bot', 'remove', BAND.id, '--json'])).json).to.deep.equal({
      id: BAND.id,
      projectId: project,
      removed: true,
    })
    expect((await admin(['bot', 'list', '--json'])).json).to.deep.equal([])
  })

  it('keeps no token that Discord does not know', async () => {
    const { code, stdout, stderr } = await add('MTIzNDU2Nzg5MDEyMzQ1Njc4.reset')
    expect(code).to.equal(1)
    expect(stdout).to.equal('')
    expect(stderr)
      .to.match(/Discord rejected this token/)
      .and.not.to.include('reset\n')
    expect((await admin(['bot', 'list', '--json'])).json).to.deep.equal([])
  })

  it('says what is missing when nothing or nonsense comes in', async () => {
    expect((await add('')).stderr).to.include('Standard input has no token')
    expect((await add('two words')).stderr).to.include("This isn't a bot token")
    expect((await add('x'.repeat(10_000))).stderr).to.include('longer than 8192 bytes')
  })

  it("refuses a person's token", async () => {
    const url = await discord({ [TOKEN]: { ...BAND, bot: undefined } })
    const { code, stderr } = await run(['bot', 'add', '--project', project], {
      dataDir,
      stdin: TOKEN,
      env: { ...env, DISCORD_API_URL: `${url}/api` },
    })
    expect(code).to.equal(1)
    expect(stderr).to.match(/token of a user/)
  })

  describe('while the service runs in the sandbox', () => {
    const OTHER = TOKEN.replace('aaaaaa', 'cccccc')
    const STAND_IN = { id: '999999999999999999', username: 'Demo', bot: true }

    before(async () => {
      env = { ...env, SANDBOX: 'auto' }
      const sandboxUrl = await discord({ [OTHER]: STAND_IN })
      const ids = ['projectId', 'botId', 'guildId', 'voiceChannelId', 'secondVoiceChannelId', 'textChannelId']
      const rest = { baseUrl: '', keys: { linked: '', unlinked: '' }, queries: [] }
      const demo = { ...Object.fromEntries(ids.map((name) => [name, ''])), ...rest, sandboxUrl }
      writeFileSync(join(dataDir, 'demo.json'), JSON.stringify(demo))
    })

    it('finds a bot of the stand-in by the address that the service left', async () => {
      expect((await add(OTHER)).json).to.include({ id: STAND_IN.id, sandbox: true })
    })

    it('finds a bot of the real Discord too, and says until when the sandbox is beside it', async () => {
      const { json, stderr } = await add(TOKEN)
      expect(json).to.include({ id: BAND.id, sandbox: false })
      expect(stderr).to.include('until the next restart')
    })

    it('asks the stand-in alone with SANDBOX=on, and not at all with SANDBOX=off', async () => {
      env['SANDBOX'] = 'on'
      expect((await add(TOKEN)).stderr).to.include('The sandbox rejected')
      env['SANDBOX'] = 'off'
      expect((await add(OTHER)).stderr).to.include('error: Discord rejected')
    })

    it('does without the stand-in when it has ended, unless SANDBOX=on demands it', async () => {
      for (const server of open.splice(-1)) {
        server.close()
        server.closeAllConnections()
      }
      env['SANDBOX'] = 'auto'
      expect((await add(TOKEN)).code).to.equal(0)
      env['SANDBOX'] = 'on'
      expect((await add(TOKEN)).stderr).to.include('no sandbox runs')
    })
  })

  describe('when Discord misbehaves', () => {
    const answers: readonly (readonly [what: string, listener: RequestListener, says: RegExp])[] = [
      ['a server error', (_, response) => response.writeHead(503).end(), /returned the status 503/],
      ['nonsense', (_, response) => response.end('<html>'), /returned no user/],
      ['a redirect', (_, response) => response.writeHead(302, { location: '/' }).end(), /is unreachable/],
      ['an endless answer', (_, response) => response.end('x'.repeat(100_000)), /is unreachable/],
      ['no answer', () => undefined, /didn't respond within 0\.1 s/],
    ]
    for (const [what, listener, says] of answers) {
      it(`says so of ${what}`, async () => {
        const { url, server } = await serve(listener)
        open.push(server)
        const failure = await identifyBot({
          apiUrl: `${url}/api`,
          token: TOKEN,
          timeoutMs: what === 'no answer' ? 100 : 5000,
        }).catch((error: unknown) => error)
        expect(failure).to.be.instanceOf(Fault).with.property('message').that.matches(says)
      })
    }
  })
})
