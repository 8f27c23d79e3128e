import { expect } from 'chai'
import { admin as run } from '../support/admin.ts'
import { eventually, startService, type RunningService } from '../support/service.ts'

/** Commands of an operator while the service runs. */
describe('the command line beside the running service', () => {
  let service: RunningService
  let projectId: string
  before(async () => {
    service = await startService()
    projectId = (await admin('project', 'create', 'Beside', '--json')).json.id
  })
  after(() => service.stop())

  const admin = (...args: string[]) => run(args, { dataDir: service.dataDir })
  const newKey = async () => (await admin('key', 'create', '--project', projectId, '--json')).json
  const encode = (key: string) => service.call('GET', '/v1/tools/binary/encode?text=a', { key })

  it('makes keys that work and revokes them, within a second', async () => {
    const { id, key } = await newKey()
    await eventually(
      () => encode(key),
      ({ status }) => status === 200,
      1000,
    )
    await admin('key', 'revoke', id)
    const { body } = await eventually(
      () => encode(key),
      ({ status }) => status === 401,
      1000,
    )
    expect(body.error.code).to.equal('api_key_revoked')
  })

  it('changes the plan of a project within a second', async () => {
    const { key } = await newKey()
    await admin('project', 'plan', projectId, 'advanced')
    const { headers } = await eventually(
      () => encode(key),
      (answer) => answer.headers.get('x-ratelimit-plan') === 'advanced',
      1000,
    )
    expect(headers.get('x-ratelimit-limit')).to.equal('1200')
  })

  it('shows the requests of the last seconds, and when a key was last used', async () => {
    const { id, key } = await newKey()
    for (let i = 0; i < 3; i++) await encode(key)
    await eventually(
      async () => (await admin('usage', '--project', projectId, '--by', 'key', '--json')).json.rows,
      (rows: { group: string; requests: number }[]) => rows.some((row) => row.group === id && row.requests === 3),
    )
    const keys = (await admin('key', 'list', '--project', projectId, '--json')).json
    const used = keys.find((it: { id: string }) => it.id === id).lastUsedAt
    expect(Date.now() - Date.parse(used)).to.be.within(0, 120_000)
  })

  it('adds a bot of the sandbox by its token, and removes it', async () => {
    const made = await service.sandbox('POST', '/sandbox/applications', { name: 'Second' })
    const stdin = made.body.token
    const args = ['bot', 'add', '--project', projectId, '--json']
    const added = await run(args, { dataDir: service.dataDir, stdin })
    expect(added.stderr).to.equal('')
    expect(added.json).to.include({ name: 'Second', sandbox: true, projectId })
    expect((await admin('bot', 'remove', added.json.id)).code).to.equal(0)
  })

  it('leaves keys and limits as they were when the service is killed with -9', async () => {
    const { key } = await newKey()
    await admin('project', 'plan', projectId, 'free')
    await eventually(
      () => encode(key),
      ({ status }) => status === 429,
    )
    await service.kill('SIGKILL')
    service = await startService({ dataDir: service.dataDir })
    const { status, headers } = await encode(key)
    expect(status).to.be.oneOf([200, 429])
    expect(Number(headers.get('x-ratelimit-remaining')), 'the budget is not full again').to.be.lessThan(40)
  })
})
