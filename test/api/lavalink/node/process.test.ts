import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { openDatabase } from '../../../../db/engine/open.ts'
import { createSqliteStore } from '../../../../db/engine/sqlite-store.ts'
import { createKeys } from '../../../../db/projects/keys.ts'
import { createProjects } from '../../../../db/projects/projects.ts'
import { temporaryFolder } from '../../../support/database.ts'
import { text } from 'node:stream/consumers'
import { eventually } from '../../../support/service.ts'
import { launchNode, type RunningNode } from '../../../support/lavalink-node.ts'
import { serve, type Listening } from '../../../support/web.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const GUILD = '100000000000000001'
const OTHER_GUILD = '100000000000000002'

describe('the Lavalink node as a process', () => {
  const folder = temporaryFolder()
  const db = openDatabase({ dataDir: folder.path })
  const store = createSqliteStore(db)
  const keys = createKeys(store)
  const settings = { LAVALINK_KEYS: 'shop:7d1c2f0a9b, radio:5e8b44c1d7:1', LAVALINK_SERVICE_KEYS: 'on' }
  /** Bodies that an OpenTelemetry collector received. */
  const exported: string[] = []
  let collector: Listening
  let node: RunningNode
  let projectId: string

  before(async () => {
    projectId = (await createProjects(store).create({ name: 'Harbour radio', plan: 'free' })).id
    collector = await serve((request, response) => {
      void text(request).then((body) => exported.push(body))
      response.setHeader('content-type', 'application/json').end('{}')
    })
    node = await launchNode(folder.path, {
      ...settings,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_METRIC_EXPORT_INTERVAL: '500',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    })
  })
  after(async () => {
    await node.kill('SIGKILL')
    await collector.close()
    db.close()
    folder.remove()
  })

  it('does not start without a key, and says which settings make one', async () => {
    const env = { PATH: process.env['PATH'], DATA_DIR: folder.path, LAVALINK_PORT: '0' }
    const child = spawn(process.execPath, ['service/lavalink-node/main.ts'], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const [code] = await once(child, 'close')
    expect(code).to.equal(1)
    for (const name of ['LAVALINK_PASSWORD', 'LAVALINK_KEYS', 'LAVALINK_SERVICE_KEYS']) expect(said).to.include(name)
  })

  it('answers what monitoring asks, and routes with a key alone', async () => {
    expect((await fetch(`${node.url}/healthz`)).status).to.equal(200)
    // The library may still be loading on a busy machine.
    await eventually(
      () => node.call('GET', '/readyz'),
      ({ body }) => body.status === 'ok',
    )
    expect((await node.call('GET', '/v4/stats')).status).to.equal(401)
    expect((await node.call('GET', '/v4/stats', { password: 'youshallnotpass' })).status).to.equal(403)
    expect((await node.call('GET', '/v4/stats', { password: '7d1c2f0a9b' })).body).to.include({ players: 0 })
    const version = await fetch(`${node.url}/version`, { headers: { authorization: '7d1c2f0a9b' } })
    expect(version.headers.get('content-type')).to.equal('text/plain;charset=ISO-8859-1')
    expect(await version.text()).to.match(/^4\.2\./)
    const metrics = await (await fetch(`${node.url}/metrics`)).text()
    expect(metrics).to.include('bandstand_lavalink_sessions 0').and.include('route="lavalink.stats"')
    expect(metrics).to.include('bandstand_audio_node_up{node="audio-1"} 1')
  })

  it('exports its metrics and the spans of its requests to OpenTelemetry', async () => {
    await node.call('GET', '/v4/stats', { password: '7d1c2f0a9b' })
    for (const [kind, what] of [
      ['resourceSpans', 'lavalink.stats'],
      ['resourceMetrics', 'bandstand_lavalink_sessions'],
    ] as const) {
      await eventually(
        () => exported.some((body) => [kind, what, 'bandstand-node'].every((part) => body.includes(part))),
        (found) => found,
      )
    }
  })

  it('keeps the clients of its keys apart, each with a ceiling of its own', async () => {
    const shop = await node.connect('7d1c2f0a9b')
    const radio = await node.connect('5e8b44c1d7')
    const change = (password: string, sessionId: string, guildId: string) =>
      node.call('PATCH', `/v4/sessions/${sessionId}/players/${guildId}`, { password, body: { volume: 50 } })
    expect((await change('7d1c2f0a9b', radio.sessionId, GUILD)).status).to.equal(404)
    expect((await change('5e8b44c1d7', radio.sessionId, GUILD)).status).to.equal(200)
    const refused = await change('5e8b44c1d7', radio.sessionId, OTHER_GUILD)
    expect(refused.status).to.equal(403)
    expect(refused.body.message).to.include('Player limit reached (1)')
    for (const guildId of [GUILD, OTHER_GUILD]) {
      expect((await change('7d1c2f0a9b', shop.sessionId, guildId)).status).to.equal(200)
    }
    for (const client of [shop, radio]) client.close()
    await Promise.all([shop.closed, radio.closed])
  })

  it('takes the API keys of the service in its folder, until they are revoked: then their sockets close', async () => {
    const { id, key } = await keys.create({ projectId })
    const client = await node.connect(key)
    const other = await node.connect('7d1c2f0a9b')
    await keys.revoke(projectId, id)
    expect(await client.closed).to.equal(4001)
    expect((await node.call('GET', '/v4/stats', { password: key })).status).to.equal(403)
    const path = `/v4/sessions/${other.sessionId}/players`
    expect((await node.call('GET', path, { password: '7d1c2f0a9b' })).body).to.deep.equal([])
    other.close()
  })

  it('refuses a second node on its folder, so that neither deletes the tracks of the other', async () => {
    const failure = await launchNode(folder.path, { LAVALINK_PASSWORD: 'another password' }).then(
      () => 'started',
      (error: Error) => error.message,
    )
    expect(failure).to.include("didn't start").and.include(join(folder.path, 'node'))
  })

  it('says goodbye to its clients at SIGTERM, and ends', async () => {
    // A failed first attempt may have stopped the node.
    if (node.process.exitCode !== null) node = await launchNode(folder.path, settings)
    const client = await node.connect('7d1c2f0a9b')
    await node.kill('SIGTERM')
    expect(await client.closed).to.equal(1001)
    expect(node.process.exitCode).to.equal(0)
    await node.logged('node stopped')
    expect(node.output()).not.to.include('7d1c2f0a9b')
  })
})
