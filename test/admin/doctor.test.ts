import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Finding } from '../../admin/doctor/check.ts'
import { lockDataDir } from '../../db/lock.ts'
import { admin as run } from '../support/admin.ts'
import { temporaryFolder } from '../support/database.ts'

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

  async function examine(name: string, more: Record<string, string> = {}) {
    const { code, stdout } = await run(['doctor', '--json'], {
      dataDir: join(folder.path, name),
      env: { ...env, ...more },
    })
    const findings = JSON.parse(stdout) as readonly Finding[]
    const verdicts = Object.fromEntries(findings.map(({ name: of, verdict }) => [of, verdict]))
    const found = Object.fromEntries(findings.map(({ name: of, found: what }) => [of, what]))
    return { code, findings, verdicts, found }
  }

  it('finds a new folder ready, and changes nothing in it', async () => {
    const { code, verdicts, found } = await examine('new')
    expect(code).to.equal(0)
    for (const name of ['node', 'ffmpeg', 'data folder', 'database', 'token key', 'service', 'discord', 'clock'])
      expect(verdicts[name], name).to.equal('ok')
    expect(found['data folder']).to.include('will be made')
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

  it('minds an absent Discord only where real bots would need it', async () => {
    const away = { DISCORD_API_URL: 'http://127.0.0.1:1/api' }
    expect((await examine('away', away)).verdicts['discord']).to.equal('warn')
    expect((await examine('away', { ...away, SANDBOX: 'off' })).verdicts['discord']).to.equal('fail')
  })
})
