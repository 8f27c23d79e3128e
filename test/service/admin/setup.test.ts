import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import { startSandbox, type Sandbox } from 'bandstand-sandbox'
import { addApplication, createApplication, getGuild } from 'bandstand-sandbox/world'
import { admin } from '../../support/admin.ts'
import { temporaryFolder } from '../../support/database.ts'

describe('setup', () => {
  const folder = temporaryFolder()
  let discord: Sandbox
  let dataDir: string
  let env: Record<string, string>
  before(async () => {
    discord = await startSandbox({ port: 0, stateFile: null, limits: false, log: pino({ level: 'silent' }) })
    env = { DISCORD_API_URL: `${discord.url}/api`, SANDBOX: 'off' }
  })
  beforeEach(() => (dataDir = join(folder.path, String(Math.random()))))
  after(async () => {
    await discord.close()
    folder.remove()
  })

  const setup = (stdin: string, ...args: string[]) =>
    admin(['setup', '--token-stdin', '--json', ...args], { dataDir, stdin, env })

  it('makes project, bot and key of a token, and says how to invite the bot and what to do then', async () => {
    const { applicationId, botToken, guildId } = discord.demo
    const { code, json, stderr } = await setup(`${botToken}\n`)
    expect(code).to.equal(0)
    expect(json.bot.id).to.equal(applicationId)
    expect(json.key).to.match(/^svc\./)
    expect(json.guilds[0].id).to.equal(guildId)
    expect(json.isRunning).to.equal(false)
    expect(json.sources.find(({ name }: { name: string }) => name === 'soundcloud').state).to.equal('ready')
    const invite = new URL(json.inviteUrl)
    expect(invite.searchParams.get('client_id')).to.equal(applicationId)
    expect(invite.searchParams.get('scope')).to.equal('bot applications.commands')
    const [connect, speak] = [1n << 20n, 1n << 21n]
    const permissions = BigInt(invite.searchParams.get('permissions') ?? '0')
    expect(permissions & (connect | speak)).to.equal(connect | speak)
    expect(stderr).to.contain(json.inviteUrl)
    const bots = await admin(['bot', 'list', '--json'], { dataDir, env })
    expect(bots.json).to.have.length(1)
    expect(bots.json[0]).to.include({ id: applicationId, projectId: json.projectId, sandbox: false })
  })

  it('makes nothing twice', async () => {
    const first = await setup(discord.demo.botToken)
    const second = await setup(discord.demo.botToken)
    expect([second.code, second.json.projectId, second.json.key]).to.deep.equal([0, first.json.projectId, null])
    const projects = await admin(['project', 'list', '--json'], { dataDir, env })
    expect(projects.json).to.have.length(1)
  })

  it('waits until the bot is in a server, and for no longer than it may', async function () {
    this.timeout(15_000)
    const application = createApplication(discord.world, { name: 'Newcomer' })
    const waited = await setup(application.token, '--wait', '0')
    expect([waited.code, waited.json.guilds]).to.deep.equal([0, []])
    const pending = setup(application.token, '--wait', '10')
    await sleep(500)
    addApplication(discord.world, getGuild(discord.world, discord.demo.guildId), application)
    expect((await pending).json.guilds[0].id).to.equal(discord.demo.guildId)
  })

  it('refuses a token that Discord does not know, and changes nothing', async () => {
    const { code, stderr } = await setup('not.the.token.of.a.bot')
    expect([code, stderr.includes('rejected this token')]).to.deep.equal([1, true])
    expect(existsSync(join(dataDir, 'bandstand.db'))).to.equal(false)
  })

  it('says in words for a person what to type in Discord', async () => {
    const { stdout } = await admin(['setup', '--wait', '0'], { dataDir, stdin: discord.demo.botToken, env })
    expect(stdout).to.match(/Start Bandstand: npm start\nThen, in Discord: join a voice channel in .+ and type \/play/)
  })
})
