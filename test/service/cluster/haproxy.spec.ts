import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { MemberVoice } from 'bandstand-sandbox/voice'
import { createVisitor, PASSWORD } from '../../support/dashboard.ts'
import { startInstallation, type Installation, type InstalledService } from '../../support/installation.ts'
import { hasPostgres } from '../../support/postgres.ts'
import { hasRedis } from '../../support/redis.ts'
import { eventually, fetchJson } from '../../support/service.ts'
import { openEvents, type Opened } from '../../support/socket.ts'
import { serve } from '../../support/web.ts'

const CONFIGURATION = join(import.meta.dirname, '..', '..', '..', 'deploy', 'cluster', 'haproxy.cfg')
const FIRST_LINK = /http\S+(\/dashboard\/enter\?token=\w{64})/
const DRAIN_SECONDS = '5'

/** Debian's path, or the command in `PATH`. */
const HAPROXY = ['/usr/sbin/haproxy', 'haproxy'].find((path) => spawnSync(path, ['-v']).status === 0)

const requestsAt = (service: InstalledService) => service.output().split('"request answered"').length

describe('three services behind HAProxy, as configured in deploy/', () => {
  let installed: Installation
  let proxy: ChildProcess | null = null
  let baseUrl: string
  let proxyLog = ''
  const sockets: Opened[] = []
  /** Players without listeners do not come back at another service. */
  let listeners: readonly MemberVoice[] = []

  before(async function () {
    if (!hasPostgres() || !hasRedis() || HAPROXY === undefined) this.skip()
    this.timeout(180_000)
    // Held until the proxy starts: the services open dozens of ports meanwhile.
    const held = await serve(() => undefined)
    const { port } = held
    baseUrl = `http://127.0.0.1:${port}`
    const env = { BASE_URL: baseUrl, TRUST_PROXY: '127.0.0.1', DRAIN_SECONDS }
    installed = await startInstallation({ services: 3, shards: 3, env })
    const addresses = installed.services.map((one, at) => [`SERVICE_${at + 1}`, new URL(one.baseUrl).host])
    await held.close()
    proxy = spawn(HAPROXY, ['-db', '-f', CONFIGURATION], {
      env: { ...process.env, BIND: `127.0.0.1:${port}`, ...Object.fromEntries(addresses) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [proxy.stdout, proxy.stderr]) stream?.on('data', (chunk) => (proxyLog += String(chunk)))
    await eventually(
      async () => proxy?.exitCode ?? (await fetch(`${baseUrl}/readyz`).catch(() => null))?.status,
      (status) => status === 200 || proxy?.exitCode !== null,
    )
    expect(proxy.exitCode, proxyLog).to.equal(null)
    listeners = await Promise.all(installed.venues.map((venue) => installed.sit(venue)))
    await installed.play(installed.venues[0]!)
  })
  after(async () => {
    for (const socket of sockets) socket.close()
    for (const listener of listeners) listener.close()
    if (proxy?.exitCode === null) {
      const gone = once(proxy, 'exit')
      proxy.kill('SIGKILL')
      await gone
    }
    await installed?.close()
  })

  const call = (method: string, path: string, body?: unknown) =>
    fetchJson(baseUrl + path, method, body, { authorization: `Bearer ${installed.key}` })
  it('answers for each player, whichever service the proxy asks, and logs the address of the caller', async () => {
    for (const venue of installed.venues) {
      const { guild, channelId } = venue
      const played = await call('POST', `/v1/music/guilds/${guild.id}/play`, { query: 'noise', channelId })
      expect(played.status, JSON.stringify(played.body)).to.equal(200)
    }
    for (let round = 0; round < 3; round += 1) {
      const { status, body } = await call('GET', '/v1/music/players')
      expect([status, body.data.length]).to.deep.equal([200, 3])
    }
    expect(installed.services.filter((one) => requestsAt(one) > 1)).to.have.length.of.at.least(2)
  })

  it('creates the first account and signs it in, though each page is served by another service', async () => {
    const file = join(installed.services[0]?.dataDir ?? '', 'dashboard-link.txt')
    const [, path = ''] = FIRST_LINK.exec(readFileSync(file, 'utf8')) ?? []
    const first = createVisitor(baseUrl, null)
    const token = new URL(path, baseUrl).searchParams.get('token') ?? ''
    const made = await first.post('/dashboard/enter', { token, name: 'ada', password: PASSWORD }, { page: path })
    expect([made.status, made.location]).to.deep.equal([303, '/dashboard'])
    const again = createVisitor(baseUrl, null)
    const signedIn = await again.post('/dashboard/sign-in', { name: 'ada', password: PASSWORD })
    expect([signedIn.status, signedIn.location]).to.deep.equal([303, '/dashboard'])
    const { location } = await again.get('/dashboard')
    for (let at = 0; at < 6; at += 1) expect((await again.get(location ?? '')).status, String(location)).to.equal(200)
  })

  it('brings events to sockets at all services, once', async () => {
    for (let at = 0; at < 3; at += 1) sockets.push(await openEvents(baseUrl, installed.key, '?events=trackStarted'))
    await Promise.all(sockets.map(({ message }) => message(0)))
    const { guild } = installed.venues[0]!
    const { status } = await call('POST', `/v1/music/guilds/${guild.id}/play`, { query: 'noise', when: 'now' })
    expect(status).to.equal(200)
    for (const { message } of sockets) expect(await message(1)).to.include({ type: 'trackStarted', guildId: guild.id })
    for (const { messages } of sockets) expect(messages.filter(({ type }) => type !== 'ping')).to.have.length(2)
  })

  it('takes a service out that stops, and no caller notices', async () => {
    const [victim, ...others] = installed.services
    const stopped = victim!.kill('SIGTERM')
    const statuses = new Set<number>()
    const over = new AbortController()
    const asking = (async () => {
      while (!over.signal.aborted) statuses.add((await call('GET', '/v1/music/players')).status)
    })()
    expect(await stopped).to.equal(0)
    expect(proxyLog).to.match(/Server services\/service-1 is DOWN, reason: Layer7 wrong status, code: 503/)
    const { guild } = installed.venues[0]!
    const { status } = await call('GET', `/v1/music/guilds/${guild.id}/player`)
    over.abort()
    await asking
    expect(status).to.equal(200)
    expect([...statuses]).to.deep.equal([200])
    expect(others).to.have.length(2)
  })

  it('takes it back when it is ready again', async () => {
    const [victim] = installed.services
    await victim!.start()
    await eventually(
      () => proxyLog,
      (log) => log.includes('Server services/service-1 is UP'),
    )
    const before = requestsAt(victim!)
    await eventually(
      async () => {
        await call('GET', '/v1/music/players')
        return requestsAt(victim!)
      },
      (count) => count > before,
    )
  })
})
