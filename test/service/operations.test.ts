import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { admin as run } from '../support/admin.ts'
import { eventually, startService, type RunningService } from '../support/service.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** What an operator has to go by. */
describe('the running service', () => {
  let service: RunningService
  before(async function () {
    this.timeout(60_000)
    service = await startService()
  })
  after(() => service.stop())

  async function metricNames(): Promise<readonly string[]> {
    const response = await fetch(`${service.demo.baseUrl}/metrics`)
    return [...(await response.text()).matchAll(/^# TYPE bandstand_(\S+)/gm)].map(([, name]) => String(name))
  }

  it('says that every part of it is well', async () => {
    const { status, body } = await eventually(
      () => service.call('GET', '/readyz'),
      ({ body: { status: word } }) => word === 'ok',
      20_000,
    )
    expect(status).to.equal(200)
    expect(body.parts.map(({ name }: { name: string }) => name)).to.include.members([
      'database',
      'limits',
      'audio',
      'bots',
    ])
  })

  it('tells every metric that the plots and the alerts ask for, and the guide describes each', async () => {
    const names = await metricNames()
    for (const file of ['deploy/grafana-dashboard.json', 'deploy/prometheus-alerts.yaml']) {
      const asked = new Set([...read(file).matchAll(/\bbandstand_([a-z_]+)/g)].map(([, name]) => String(name)))
      expect(
        [...asked].filter((name) => !names.includes(name)),
        file,
      ).to.deep.equal([])
      expect(asked.size, file).to.be.above(5)
    }
    const guide = read('docs/operations.md')
    expect(names.filter((name) => !guide.includes(`\`${name}\``))).to.deep.equal([])
  })

  it('is known to the doctor, and backed up while it runs', async () => {
    const admin = (...args: string[]) => run([...args, '--json'], { dataDir: service.dataDir })
    const { stdout } = await admin('doctor')
    expect(JSON.parse(stdout).find(({ name }: { name: string }) => name === 'service').found).to.match(/^runs since/)
    const file = join(service.dataDir, 'backup.db')
    const backup = await admin('backup', file)
    expect(backup.json.file).to.equal(file)
    expect((await admin('restore', file)).stderr).to.include('Stop it, then restore')
  })
})
