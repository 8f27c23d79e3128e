import { expect } from 'chai'
import { openPostgres } from '../../../../db/engine/postgres/open-postgres.ts'
import { openSharedKeyReader } from '../../../../db/projects/shared-key-reader.ts'
import { createKeys, keyDigest } from '../../../../db/projects/keys.ts'
import { createProjects } from '../../../../db/projects/projects.ts'
import { readEnvironment } from '../../../../service/lavalink-node/environment.ts'
import { createLog } from '../../../../lib/log.ts'
import { hasPostgres, startPostgres, type PostgresServer } from '../../../support/postgres.ts'
import { eventually } from '../../../support/service.ts'
import { faultOf } from '../../../support/web.ts'

const log = createLog('silent')

describe('a Lavalink node that takes the keys of several services', () => {
  let server: PostgresServer
  let url: string
  before(async function () {
    if (!hasPostgres()) this.skip()
    server = await startPostgres()
    url = await server.database()
  })
  after(() => server?.close())

  it('says what is missing where no service has been, and finds and revokes their keys after that', async () => {
    expect((await faultOf(openSharedKeyReader(url, log))).message).to.contain('Start a service on it once')
    await using opened = new AsyncDisposableStack()
    const service = opened.adopt(await openPostgres(url, log), (it) => it.close())
    const reader = opened.adopt(await openSharedKeyReader(url, log), (it) => it.close())
    const { id: projectId } = await createProjects(service.store).create({ name: 'Harbour radio', plan: 'advanced' })
    const keys = createKeys(service.store)
    const { id, key } = await keys.create({ projectId })
    const find = () => reader.findByDigest(keyDigest(key))
    expect(await find()).to.deep.include({ id, projectId, plan: 'advanced', revokedAtMs: null })
    await keys.revoke(projectId, id)
    await eventually(find, (found) => typeof found?.revokedAtMs === 'number')
  })

  it('needs DATABASE_URL and none of the secrets of services, and reads it for their keys alone', () => {
    const env = { LAVALINK_PASSWORD: 'long enough', DATABASE_URL: 'postgres://reader:secret-word@db.test/band' }
    const config = readEnvironment({ ...env, LAVALINK_SERVICE_KEYS: 'on' })
    expect(config.database.url).to.equal(env.DATABASE_URL)
    expect(config.secrets).to.include('secret-word')
    expect(readEnvironment({ ...env, LAVALINK_SERVICE_KEYS: 'off' }).database.url).to.equal(null)
  })
})
