import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Finding } from '../../../service/admin/doctor/check.ts'
import { createBotRecords } from '../../../db/projects/bots.ts'
import { lockDataDir } from '../../../db/engine/lock.ts'
import { openDatabase } from '../../../db/engine/open.ts'
import { createSqliteStore } from '../../../db/engine/sqlite-store.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { createSourceFailures } from '../../../db/music/source-failures.ts'
import { createVault } from '../../../db/engine/vault.ts'
import { admin as run } from '../../support/admin.ts'
import { temporaryFolder } from '../../support/database.ts'
import { serve } from '../../support/web.ts'

describe('doctor', () => {
  const folder = temporaryFolder()
  let discord: Server
  let date: string
  let env: Record<string, string>
  before(async () => {
    discord = createServer((_, response) => response.setHeader('date', date).end('{"url":"wss://…"}'))
    discord.listen(0, '127.0.0.1')
    await once(discord, 'listening')
    const apiUrl = `http://127.0.0.1:${(discord.address() as AddressInfo).port}/api`
    env = { DISCORD_API_URL: apiUrl, PORT: '0', PATH: process.env['PATH'] ?? '' }
  })
  beforeEach(() => (date = new Date().toUTCString()))
  after(() => {
    discord.close()
    folder.remove()
  })

  async function examine(name: string, more: Record<string, string> = {}, options: readonly string[] = []) {
    const { code, stdout } = await run(['doctor', '--json', ...options], {
      dataDir: join(folder.path, name),
      env: { ...env, ...more },
    })
    const findings = JSON.parse(stdout) as readonly Finding[]
    const verdicts = Object.fromEntries(findings.map(({ name: of, verdict }) => [of, verdict]))
    const found = Object.fromEntries(findings.map(({ name: of, found: what }) => [of, what]))
    return { code, findings, verdicts, found }
  }

  async function see(more: Record<string, string>): Promise<Finding | undefined> {
    const { findings } = await examine('browser', more)
    return findings.find(({ name }) => name === 'chromium')
  }

  it('finds a new folder ready, and changes nothing in it', async () => {
    const { code, verdicts, found } = await examine('new')
    expect(code).to.equal(0)
    for (const name of ['node', 'ffmpeg', 'data folder', 'database', 'token key', 'service', 'discord', 'clock'])
      expect(verdicts[name], name).to.equal('ok')
    expect(found['data folder']).to.include("doesn't exist yet")
  })

  it('lists each source of music with its state', async () => {
    const { verdicts, found } = await examine('new', {
      MUSIC_SOURCES: 'library,youtube',
      YTDLP_PATH: '/nowhere/yt-dlp',
    })
    expect(found).to.include({ 'source library': 'ready', 'source youtube': 'needs yt-dlp', 'source spotify': 'off' })
    expect(verdicts).to.include({ 'source library': 'ok', 'source youtube': 'warn', 'source spotify': 'ok' })
  })

  it('says which sources the service found failing, since when, and what to do', async () => {
    const dataDir = join(folder.path, 'failing')
    const db = openDatabase({ dataDir })
    const sinceMs = Date.UTC(2026, 10, 22, 14)
    await createSourceFailures(createSqliteStore(db)).save({ name: 'bandcamp', failure: 'refused', sinceMs })
    db.close()
    const { findings } = await examine('failing', { MUSIC_SOURCES: 'library,bandcamp' })
    const bandcamp = findings.find(({ name }) => name === 'source bandcamp')
    expect(bandcamp).to.include({ verdict: 'warn', found: 'blocks this service since 2026-11-22T14:00:00.000Z' })
    expect(bandcamp?.advice).to.include('until it recovers')
  })

  it('says by which way YouTube plays, and why it does not by the others', async () => {
    const dataDir = join(folder.path, 'ways')
    const db = openDatabase({ dataDir })
    const failure = { name: 'youtube visionos', failure: 'refused', sinceMs: 1 } as const
    await createSourceFailures(createSqliteStore(db)).save(failure)
    db.close()
    const env = { MUSIC_SOURCES: 'youtube', YOUTUBE_CLIENTS: 'youtubei' }
    const { found } = await examine('ways', { ...env, YOUTUBE_TOKEN_PROVIDER_URL: 'http://127.0.0.1:4416' })
    expect(found['youtube audio']).to.equal('plays by sabr; visionos blocks this service')
    expect((await examine('ways', env)).found['youtube audio']).to.equal('plays by ios; visionos blocks this service')
  })

  it('knows a service that runs', async () => {
    const dataDir = join(folder.path, 'running')
    const lock = lockDataDir(dataDir)
    const { found } = await examine('running')
    lock.release()
    expect(found['service']).to.include(`process ${process.pid}`)
  })

  it('says of all that is wrong what to do, and fails', async () => {
    const dataDir = join(folder.path, 'wrong')
    mkdirSync(dataDir, { mode: 0o700 })
    writeFileSync(join(dataDir, 'bandstand.db'), Buffer.alloc(9000, 7))
    writeFileSync(join(dataDir, 'token.key'), 'ab'.repeat(32), { mode: 0o644 })
    date = new Date(Date.now() - 3_600_000).toUTCString()
    const { code, findings, verdicts, found } = await examine('wrong', {
      REDIS_URL: 'redis://:hidden@127.0.0.1:1',
      PATH: folder.path,
    })
    expect(code).to.equal(1)
    expect(verdicts).to.include({ database: 'fail', 'token key': 'fail', redis: 'fail', clock: 'warn' })
    expect(found['clock']).to.match(/^36\d\d s ahead of Discord's$/)
    expect(JSON.stringify(findings)).to.not.include('hidden')
    for (const { verdict, advice, name } of findings)
      if (verdict !== 'ok') expect(advice, name).to.be.a('string').with.length.above(10)
  })

  it('looks at the database that services share, without a word of its password', async () => {
    const { verdicts, findings } = await examine('shared', {
      DATABASE_URL: 'postgres://bandstand:hidden@127.0.0.1:1/bandstand',
      REDIS_URL: 'redis://127.0.0.1:1',
      SERVICES_KEY: 'ab'.repeat(32),
      TOKEN_KEY: 'cd'.repeat(32),
    })
    const postgres = findings.find(({ name }) => name === 'postgres')
    expect([verdicts['postgres'], postgres?.advice]).to.deep.equal([
      'fail',
      'Start PostgreSQL, or change DATABASE_URL.',
    ])
    expect(JSON.stringify(findings)).to.not.include('hidden')
  })

  it('starts the browser as a renderer would, and says of each that does not do what to do', async () => {
    const broken = join(folder.path, 'broken-browser')
    writeFileSync(broken, '#!/bin/sh\necho cannot open shared object file >&2\nexit 127\n', { mode: 0o755 })
    const blind = join(folder.path, 'blind-browser')
    writeFileSync(blind, '#!/bin/sh\n[ "$1" = --version ] && echo "Chromium 1.2.3"\nexit 0\n', { mode: 0o755 })
    // Fails to start with its sandbox, like Chromium without user namespaces.
    const unboxed = join(folder.path, 'unboxed-browser')
    const script =
      'case "$*" in --version) echo "Chromium 1.2.3";; *--no-sandbox*) echo "<p>it-works</p>";; *) exit 1;; esac'
    writeFileSync(unboxed, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    expect(await see({ CHROMIUM_PATH: broken })).to.include({ verdict: 'fail', found: `${broken} doesn't start` })
    expect(await see({ CHROMIUM_PATH: blind })).to.include({
      verdict: 'fail',
      found: "Chromium 1.2.3; it doesn't render pages",
    })
    const refused = await see({ CHROMIUM_PATH: unboxed, CHROMIUM_SANDBOX: 'on' })
    expect(refused?.verdict).to.equal('fail')
    expect(refused?.advice).to.include('CHROMIUM_SANDBOX=off')
    expect(await see({ CHROMIUM_PATH: unboxed, CHROMIUM_SANDBOX: 'off' })).to.include({ verdict: 'ok' })
    expect(await see({ CHROMIUM_PATH: 'none' })).to.include({ verdict: 'ok' })
    expect(await see({ CHROMIUM_PATH: join(folder.path, 'nowhere') })).to.include({ verdict: 'fail' })
  })

  it('tells when the tokens in the database were sealed with another key, and so does a restore', async () => {
    const dataDir = join(folder.path, 'other-key')
    const admin = (...args: string[]) => run(args, { dataDir })
    await admin('project', 'create', 'One')
    const db = openDatabase({ dataDir })
    const [project] = await createProjects(createSqliteStore(db)).list()
    const bots = createBotRecords(createSqliteStore(db), createVault({ tokenKey: null, dataDir }))
    await bots.add({
      id: '81384788765712384',
      projectId: project!.id,
      name: 'A bot',
      token: 'a.token.of.it',
      sandbox: false,
    })
    db.close()
    expect((await examine('other-key')).verdicts['token key']).to.equal('ok')
    const file = join(folder.path, 'before.db')
    await admin('backup', file)
    const former = readFileSync(join(dataDir, 'token.key'), 'utf8')
    await admin('token-key', 'rotate')
    const { stderr } = await admin('restore', file)
    expect(stderr).to.include('Another key encrypted 1 secrets of this backup')
    const { verdicts, found } = await examine('other-key')
    expect([verdicts['token key'], found['token key']]).to.deep.equal([
      'fail',
      'another key encrypted 1 secret in the database',
    ])
    // The advice in the message helps.
    appendFileSync(join(dataDir, 'token.key'), former)
    expect((await examine('other-key')).verdicts['token key']).to.equal('warn')
    expect((await admin('token-key', 'rotate')).code).to.equal(0)
    expect((await examine('other-key')).verdicts['token key']).to.equal('ok')
  })

  it('minds an absent Discord only where real bots would need it', async () => {
    const away = { DISCORD_API_URL: 'http://127.0.0.1:1/api' }
    expect((await examine('away', away)).verdicts['discord']).to.equal('warn')
    expect((await examine('away', { ...away, SANDBOX: 'off' })).verdicts['discord']).to.equal('fail')
  })

  it('looks at a Lavalink node: its address, password and version, and whether UDP gets out', async () => {
    let semver = '4.2.2'
    const node = await serve((request, response) => {
      const isAccepted = request.headers.authorization === 'quay and tide'
      response.statusCode = isAccepted ? 200 : 403
      response.end(JSON.stringify({ version: { semver, major: Number(semver[0]) }, plugins: [{ name: 'one' }] }))
    })
    const stun = createSocket('udp4').bind(0, '127.0.0.1')
    await once(stun, 'listening')
    // A binding answer has the cookie and transaction of its request.
    stun.on('message', (request, from) => {
      stun.send(Buffer.concat([Buffer.from([1, 1, 0, 0]), request.subarray(4)]), from.port, from.address)
    })
    const options = ['--node', node.url, '--stun', `127.0.0.1:${stun.address().port}`]
    const look = (password: string) => examine('new', { LAVALINK_PASSWORD: password }, options)
    try {
      const accepted = await look('quay and tide')
      expect(accepted.verdicts).to.include({ lavalink: 'ok', 'lavalink password': 'ok', udp: 'ok' })
      expect(accepted.found['lavalink version']).to.equal('4.2.2, with one')
      const refused = await look('something else')
      expect(refused.verdicts).to.include({ lavalink: 'ok', 'lavalink password': 'fail' })
      expect(refused.code).to.equal(1)
      semver = '3.7.0'
      expect((await look('quay and tide')).verdicts['lavalink version']).to.equal('fail')
    } finally {
      await node.close()
      stun.close()
    }
    expect((await examine('new', {}, ['--node', node.url])).verdicts['lavalink']).to.equal('fail')
  })
})
