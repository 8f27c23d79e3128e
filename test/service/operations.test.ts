import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { admin as run } from '../support/admin.ts'
import { eventually, startService, type RunningService } from '../support/service.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** What a setting gives a program to stop. */
function secondsOf(text: string, name: string): number {
  return Number(new RegExp(`${name}[=:] ?(\\d+)s?$`, 'm').exec(text)?.[1])
}

describe('what starts the service', () => {
  it('has pm2 wait until it is ready, give it time to stop, and leave its child processes to it', async () => {
    const settings: { apps: readonly Record<string, unknown>[] } = await import(join(root, 'ecosystem.config.js'))
    const { apps } = settings
    expect(apps.map(({ name }) => name)).to.deep.equal(['bandstand', 'bandstand-worker'])
    for (const app of apps) {
      expect(existsSync(join(root, String(app['script'])))).to.equal(true)
      expect(app).to.include({ exec_mode: 'fork', instances: 1, wait_ready: true, treekill: false, autorestart: true })
    }
    // The guide says so, and main.ts gives up after 10 s.
    expect(read('docs/operations.md')).to.include('give it 12 s')
    expect(apps[0]?.['kill_timeout']).to.equal(12_000)
  })

  it('is the same program in the units, the image and its compose file, with no less time to stop', () => {
    const [unit, workerUnit] = [read('deploy/bandstand.service'), read('deploy/bandstand-worker@.service')]
    expect(unit).to.match(/^ExecStart=.*node main\.ts$/m)
    expect(workerUnit).to.match(/^ExecStart=.*node jobs\/main\.ts$/m)
    expect(secondsOf(unit, 'TimeoutStopSec')).to.be.at.least(12)
    expect(secondsOf(workerUnit, 'TimeoutStopSec')).to.be.at.least(30)
    const compose = read('deploy/compose.yaml')
    expect(secondsOf(compose, 'stop_grace_period')).to.be.at.least(12)
    const image = read('deploy/Dockerfile')
    expect(image).to.include('CMD ["node", "main.ts"]')
    const example = read('.env.example')
    const named = [...`${compose}${image}`.matchAll(/\b([A-Z]+_[A-Z_]+)[=:]/g)].map(([, name]) => String(name))
    const unknown = named.filter((name) => name !== 'NODE_ENV' && !example.includes(`${name}=`))
    expect(unknown).to.deep.equal([])
  })
})

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
