import { expect } from 'chai'
import { openDatabase, type Database } from '../../db/engine/open.ts'
import { createSqliteStore } from '../../db/engine/sqlite-store.ts'
import { createProjects } from '../../db/projects/projects.ts'
import { createVault } from '../../db/engine/vault.ts'
import { createWebhooks, WEBHOOK_EVENTS } from '../../db/webhooks/webhooks.ts'
import { eventually, startService, type RunningService } from '../support/service.ts'
import { isSignedBy, startReceiver, type Receiver } from '../support/webhooks.ts'

describe('a webhook of a running service', () => {
  let service: RunningService
  let receiver: Receiver
  let stranger: Receiver
  let db: Database
  let status = 503
  const env = { EGRESS_ALLOW_HOSTS: '127.0.0.1', LOG_LEVEL: 'info', RENDER_CONCURRENCY: '0' }

  before(async () => {
    receiver = await startReceiver((response) => response.writeHead(status).end())
    stranger = await startReceiver()
    service = await startService({ env })
    db = openDatabase({ dataDir: service.dataDir })
  })
  after(async () => {
    db.close()
    await service.stop()
    await receiver.close()
    await stranger.close()
  })

  it('gets what was not delivered when the service was killed, and what its stop tells, each signed', async () => {
    const { dataDir, demo } = service
    const webhooks = createWebhooks(createSqliteStore(db), createVault({ tokenKey: null, dataDir }))
    const choice = { url: receiver.url, description: '', events: WEBHOOK_EVENTS, botIds: null }
    const { secret } = await webhooks.create(demo.projectId, choice)
    const other = await createProjects(createSqliteStore(db)).create({ name: 'Other', plan: 'free' })
    await webhooks.create(other.id, { ...choice, url: stranger.url })
    const body = { query: demo.queries[0], channelId: demo.voiceChannelId }
    await service.call('POST', `/v1/music/guilds/${demo.guildId}/play`, { body })
    const [refused] = await receiver.count(1)
    expect(JSON.parse(refused?.body ?? '')).to.deep.include({ type: 'trackStarted' })
    await service.kill('SIGKILL')
    const logged = service.output()
    status = 200
    receiver.received.length = 0
    service = await startService({ dataDir, env })
    const ids = () => receiver.received.map(({ headers }) => headers['webhook-id'])
    await eventually(ids, (all) => all.includes(refused?.headers['webhook-id']))
    await service.kill('SIGTERM')
    expect(receiver.received.map((one) => JSON.parse(one.body).type)).to.include('botStopped')
    for (const one of receiver.received) expect(await isSignedBy(secret, one)).to.equal(true)
    expect(stranger.received).to.deep.equal([])
    expect(logged + service.output()).not.to.include(secret)
  })
})
