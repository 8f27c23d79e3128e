import { fork, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { pino } from 'pino'
import { openDatabase } from '../../db/engine/open.ts'
import { createSqliteStore } from '../../db/engine/sqlite-store.ts'
import { createPlayerStates } from '../../db/music/players.ts'
import { startSandbox, type Sandbox } from 'bandstand-sandbox'
import { connectMember, type MemberVoice } from 'bandstand-sandbox/voice'
import { enterVoice, getGuild, removeFromVoice, type Guild } from 'bandstand-sandbox/world'
import { isRunning, untilGone } from '../bot/audio/processes.ts'
import { readOggPackets } from '../../packages/sandbox/test/voice/ogg-reader.ts'
import { admin } from '../support/admin.ts'
import { ffmpegOnce, pinkNoise } from '../support/made-once.ts'
import { eventually, makeDataDir } from '../support/service.ts'

const ROOT = join(import.meta.dirname, '..', '..')

interface Running {
  readonly process: ChildProcess
  readonly baseUrl: string
}

/** Waits until something is so, and names it when it never is. */
function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<string> {
  return eventually(
    async () => ((await isSo()) ? what : `not yet: ${what}`),
    (now) => now === what,
  )
}

/**
 * A Discord that outlives the service, as the real one does: it keeps showing the bot in its channel after a crash. The
 * service is what an operator runs, with DISCORD_TOKEN; a member listens and knows every frame of the track.
 */
describe('a service that ends in the middle of a track', () => {
  let dataDir: string
  let sandbox: Sandbox
  let guild: Guild
  let projectId: string
  let key: string
  let frames: ReadonlyMap<string, number>
  let running: Running | null = null
  const members: MemberVoice[] = []

  before(async () => {
    dataDir = makeDataDir()
    sandbox = await startSandbox({
      port: 0,
      stateFile: null,
      limits: false,
      demoMember: false,
      log: pino({ level: 'silent' }),
    })
    guild = getGuild(sandbox.world, sandbox.demo.guildId)
    writeFileSync(join(dataDir, 'discord.pem'), sandbox.certificate)
    const path = join(dataDir, 'library', 'pink-noise.opus')
    mkdirSync(join(dataDir, 'library'))
    copyFileSync(await pinkNoise(), path)
    const brown = 'anoisesrc=color=brown:sample_rate=48000:duration=60:seed=1'
    const file = join(dataDir, 'library', 'brown-noise.mp3')
    ffmpegOnce(['-f', 'lavfi', '-i', brown], file)
    frames = new Map(readOggPackets(readFileSync(path)).map(({ bytes }, at) => [bytes.toString('base64'), at]))
    running = await start()
    const { botId } = { botId: sandbox.demo.applicationId }
    projectId = (await admin(['project', 'list', '--json'], { dataDir })).json[0].id
    const made = await admin(['key', 'create', '--project', projectId, '--bot', botId, '--name', 'test', '--json'], {
      dataDir,
    })
    key = made.json.key
  })
  afterEach(() => {
    for (const member of members.splice(0)) leave(member)
  })
  after(async () => {
    await end('SIGTERM')
    await sandbox.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** Starts the service and waits until its bot is connected. */
  async function start(): Promise<Running> {
    const child = fork(join(ROOT, 'main.ts'), {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: {
        ...process.env,
        PORT: '0',
        DATA_DIR: dataDir,
        SANDBOX: 'off',
        MUSIC_SOURCES: 'library,http',
        DISCORD_TOKEN: sandbox.demo.botToken,
        DISCORD_API_URL: `${sandbox.url}/api`,
        NODE_EXTRA_CA_CERTS: join(dataDir, 'discord.pem'),
        LOG_LEVEL: 'info',
        RENDER_CONCURRENCY: '0',
      },
    })
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await eventually(
      () => output,
      (text) => text.includes('"bot connected"'),
    )
    const { baseUrl } = JSON.parse(output.split('\n').find((line) => line.includes('"service started"')) ?? '{}')
    return { process: child, baseUrl }
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const it = running?.process
    running = null
    if (!it) return null
    const gone = once(it, 'exit')
    it.kill(signal)
    const [code] = await gone
    return code
  }

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${running?.baseUrl}/v1/music/guilds/${guild.id}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as any }
  }
  const player = async () => (await call('GET', '/player')).body.data
  const own = () => guild.voice.get(sandbox.demo.applicationId) ?? null

  async function listen() {
    const [userId = ''] = sandbox.demo.memberIds
    const { voiceChannelId: channelId } = sandbox.demo
    const seat = enterVoice(sandbox.world, guild, { userId, channelId, sessionId: 'listener' })!
    const { token, sessionId } = seat
    const { endpoint } = sandbox.voice
    const where = { endpoint, certificate: sandbox.certificate, guildId: guild.id, channelId }
    const member = await connectMember({ ...where, token, sessionId, userId })
    members.push(member)
    const heard: number[] = []
    member.onOpus((_, opus) => {
      const frame = frames.get(opus.toString('base64'))
      if (frame !== undefined) heard.push(frame * 20)
    })
    return { member, heard }
  }
  function leave(member: MemberVoice): void {
    removeFromVoice(sandbox.world, guild, member.userId, null)
    member.close()
  }
  async function play() {
    const { voiceChannelId: channelId } = sandbox.demo
    await call('DELETE', '/player')
    for (const query of ['pink noise', 'brown noise']) {
      const { status, body } = await call('POST', '/play', { query, channelId })
      expect(status, JSON.stringify(body)).to.equal(200)
    }
    await call('PATCH', '/player', { loop: 'queue', positionMs: 10_000 })
  }
  /** Saved position, to which a crash would return the player. */
  async function savedMs(): Promise<number> {
    const db = openDatabase({ dataDir })
    try {
      const [saved] = await createPlayerStates(createSqliteStore(db)).list(projectId, sandbox.demo.applicationId)
      return saved?.positionMs ?? 0
    } finally {
      db.close()
    }
  }
  it('continues within 3 s where it was saved last after kill -9, while someone still listens', async () => {
    const { heard } = await listen()
    await play()
    await until('its place is saved', async () => (await savedMs()) > 11_000)
    const leastMs = await savedMs()
    await end('SIGKILL')
    const lastMs = heard.at(-1) ?? 0
    const { length } = heard
    expect(own()?.channelId, 'Discord still shows it').to.equal(sandbox.demo.voiceChannelId)
    running = await start()
    const atMs = performance.now()
    await until('it is heard again', () => heard.length > length + 10)
    expect(performance.now() - atMs, 'from the login to the sound').to.be.below(10_000)
    expect(heard[length], 'the place in the track').to.be.within(leastMs - 500, lastMs + 2000)
    const { loop, current, queue } = await player()
    expect([loop, current.title, queue.length]).to.deep.equal(['queue', 'pink-noise', 1])
  })

  it('queues a track once, however often its POST is sent with one key and whenever kill -9 comes between', async () => {
    await listen()
    await play()
    const { voiceChannelId: channelId } = sandbox.demo
    const attempt = randomUUID()
    const send = (name: string) =>
      call('POST', '/play', { query: 'pink noise', channelId }, { 'idempotency-key': `${name} of ${attempt}` })
    // While it runs, and when it has been answered.
    const moments = [() => setTimeout(4), async (sent: Promise<unknown>) => void (await sent)]
    for (const [round, moment] of moments.entries()) {
      const name = `play ${round}`
      const sent = send(name).catch(() => null)
      await moment(sent)
      await end('SIGKILL')
      await sent
      running = await start()
      // A bot that is on its way back says so.
      const { status } = await eventually(
        () => send(name),
        (answer) => answer.status !== 503,
      )
      expect(status, name).to.equal(200)
      const again = await send(name)
      expect([again.status, again.headers.get('idempotent-replayed')], name).to.deep.equal([200, 'true'])
      // A repetition is answered from what was kept, also while the player is on its way back.
      const { current, queue } = await eventually(player, (it) => it !== undefined)
      // The loop lets none run out.
      expect(
        [current, ...queue].filter(({ title }) => title === 'pink-noise'),
        name,
      ).to.have.length(round + 2)
    }
  })

  it('leaves the channel that Discord still shows it in when no one listens any more', async () => {
    const { member } = await listen()
    await play()
    await end('SIGKILL')
    leave(member)
    expect(own()?.channelId).to.equal(sandbox.demo.voiceChannelId)
    running = await start()
    await until('Discord shows it nowhere', () => own() === null)
    expect((await call('GET', '/player')).status).to.equal(404)
  })

  it('leaves a channel of which it knows nothing, however many listen there', async () => {
    await listen()
    await end('SIGTERM')
    const { applicationId: userId, voiceChannelId: channelId } = sandbox.demo
    enterVoice(sandbox.world, guild, { userId, channelId, sessionId: 'of a process that is gone' })
    running = await start()
    await until('Discord shows it nowhere', () => own() === null)
  })

  it('saves everything at SIGTERM, leaves nothing behind, and is back as if nothing had happened', async () => {
    const { heard } = await listen()
    await play()
    await call('PATCH', '/player', { volume: 50 })
    await until('it is transcoded', () => isRunning(join(dataDir, 'library')))
    await call('PATCH', '/player', { volume: 100 })
    const { length } = heard
    await until('it plays', () => heard.length > length + 25)
    expect(await end('SIGTERM'), 'exit code').to.equal(0)
    const lastMs = heard.at(-1) ?? 0
    expect(own(), 'Discord shows it nowhere').to.equal(null)
    expect(guild.statuses.size, 'status lines').to.equal(0)
    await untilGone(dataDir)
    const count = heard.length
    running = await start()
    await until('it is heard again', () => heard.length > count + 10)
    expect((heard[count] ?? 0) - lastMs, 'the place in the track').to.be.within(-500, 500)
  })
})
