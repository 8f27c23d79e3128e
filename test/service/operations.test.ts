import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { createBotRecords } from '../../db/projects/bots.ts'
import { openDatabase } from '../../db/engine/open.ts'
import { createSqliteStore } from '../../db/engine/sqlite-store.ts'
import { createVault } from '../../db/engine/vault.ts'
import { admin as run } from '../support/admin.ts'
import { descendantsOf } from '../support/descendants.ts'
import { readPm2Apps } from '../support/pm2-apps.ts'
import { hasRedis } from '../support/redis.ts'
import { eventually, makeDataDir, startService, type RunningService } from '../support/service.ts'
import { serveSkins } from '../support/skins.ts'
import type { Listening } from '../support/web.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Seconds that a setting gives a program to stop. */
function secondsOf(text: string, name: string): number {
  return Number(new RegExp(`${name}[=:] ?(\\d+)s?$`, 'm').exec(text)?.[1])
}

describe('what starts the service', () => {
  it('has pm2 wait until it is ready, give it time to stop, and leave its child processes to it', async () => {
    const apps = await readPm2Apps({ LAVALINK_PASSWORD: 'youshallnotpass' })
    expect(apps.map(({ name }) => name)).to.deep.equal(['bandstand', 'bandstand-worker', 'bandstand-node'])
    for (const app of apps) {
      expect(existsSync(join(root, String(app['script'])))).to.equal(true)
      expect(app).to.include({ exec_mode: 'fork', instances: 1, wait_ready: true, treekill: false, autorestart: true })
    }
    // The guide says so, and main.ts gives up after 10 s.
    expect(read('docs/operations.md')).to.include('give it 12 s')
    for (const app of [apps[0], apps[2]]) expect(app?.['kill_timeout']).to.equal(12_000)
  })

  it('is the same program in the units, the image and its compose file, with no less time to stop', () => {
    const [unit, workerUnit] = [read('deploy/bandstand.service'), read('deploy/bandstand-worker@.service')]
    expect(unit).to.match(/^ExecStart=\/opt\/bandstand\/tools\/node\.sh main\.ts$/m)
    expect(workerUnit).to.match(/^ExecStart=\/opt\/bandstand\/tools\/node\.sh jobs\/main\.ts$/m)
    const nodeUnit = read('deploy/bandstand-node.service')
    expect(nodeUnit).to.match(/^ExecStart=\/opt\/bandstand\/tools\/node\.sh service\/lavalink-node\/main\.ts$/m)
    for (const each of [unit, nodeUnit]) expect(secondsOf(each, 'TimeoutStopSec')).to.be.at.least(12)
    expect(secondsOf(workerUnit, 'TimeoutStopSec')).to.be.at.least(30)
    const compose = read('deploy/compose.yaml')
    expect(secondsOf(compose, 'stop_grace_period')).to.be.at.least(12)
    const image = read('deploy/Dockerfile')
    expect(image).to.include('CMD ["tools/node.sh", "main.ts"]')
    const example = read('.env.example')
    const named = [...`${compose}${image}`.matchAll(/\b([A-Z]+_[A-Z_]+)[=:]/g)].map(([, name]) => String(name))
    // Names of other programs; LT_ is the prefix of LibreTranslate.
    const others = /^(?:NODE_ENV|NODE_VERSION|REDIS_PASSWORD|REDISCLI_AUTH|LT_.+)$/
    const unknown = named.filter((name) => !others.test(name) && !example.includes(`${name}=`))
    expect(unknown).to.deep.equal([])
  })
})

describe('the settings of Node.js', () => {
  const launcher = join(root, 'tools', 'node.sh')

  it('are in one file, which every way of starting runs', async () => {
    for (const app of await readPm2Apps()) {
      expect(app['interpreter']).to.equal('./tools/node.sh')
      expect(app).to.not.have.any.keys('interpreter_args', 'env')
    }
    const { scripts } = JSON.parse(read('package.json'))
    const programs = { start: 'main.ts', worker: 'jobs/main.ts', node: 'service/lavalink-node/main.ts' }
    for (const [name, file] of Object.entries(programs)) expect(scripts[name]).to.equal(`exec tools/node.sh ${file}`)
    expect(scripts['start:small']).to.equal(scripts.start)
    const elsewhere = readdirSync(join(root, 'deploy'), { recursive: true, encoding: 'utf8' })
      .map((path) => join('deploy', path))
      .filter((path) => statSync(join(root, path)).isFile())
      .map((path) => [path, read(path)] as const)
    for (const [path, text] of elsewhere) {
      expect(text, path).to.not.match(/semi-space|MALLOC_/)
      expect(text, path).to.not.match(/\bnode['"]?,? +['"]?(?:\S+\/)?main\.ts/)
    }
  })

  it('bound the young generation of threads, too, and leave no shell behind', async () => {
    const fill = `let kept = []
      for (let at = 0; at < 5e6; at += 1) { kept.push({ at }); if (kept.length > 2e5) kept = [] }
      const space = require('v8').getHeapSpaceStatistics().find((one) => one.space_name === 'new_space')
      require('worker_threads').parentPort.postMessage([space.space_size, process.pid, process.env.MALLOC_MMAP_THRESHOLD_])`
    const print = `.on('message', (it) => console.log(JSON.stringify(it)))`
    const main = `new (require('worker_threads').Worker)(${JSON.stringify(fill)}, { eval: true })${print}`
    const running = promisify(execFile)(launcher, ['-e', main])
    const [youngBytes, pid, threshold] = JSON.parse((await running).stdout)
    expect(youngBytes).to.be.within(1, 32 * 1024 * 1024)
    expect(pid).to.equal(running.child.pid)
    expect(threshold).to.equal('131072')
  })

  it('run the build of a program, whose stack traces name the sources', async () => {
    const failure = await promisify(execFile)(launcher, ['api/docs/thread.ts'], { cwd: tmpdir() }).catch(String)
    expect(failure).to.include(`at <anonymous> (${join(root, 'api', 'docs', 'thread.ts')}:`)
    expect(existsSync(join(root, 'dist', 'api', 'docs', 'thread.js'))).to.equal(true)
  })
})

describe('npm start', () => {
  it('hands the word to stop on to the service, and ends with it', async () => {
    const dataDir = makeDataDir()
    const env = { ...process.env, PORT: '0', SANDBOX: 'off', DATA_DIR: dataDir, LOG_LEVEL: 'info' }
    // Without the set-up before it, which may replace node_modules while other tests use them.
    const npm = spawn('npm', ['start', '--ignore-scripts'], { cwd: root, env, detached: true })
    try {
      let output = ''
      for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
      await eventually(
        () => output,
        (text) => text.includes('"service started"'),
      )
      npm.kill('SIGTERM')
      // A service that continues without npm would keep them open.
      await once(npm, 'close')
    } finally {
      endGroup(npm.pid)
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
})

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // No one is left.
  }
}

/** Information that an operator relies on. */
describe('the running service', () => {
  let service: RunningService
  let skins: Listening
  before(async () => {
    skins = await serveSkins()
    const env = { RENDERER_IDLE_SECONDS: '1', CHROMIUM_PATH: 'none', EGRESS_ALLOW_HOSTS: `127.0.0.1:${skins.port}` }
    service = await startService({ hasRenderer: true, env })
  })
  after(async () => {
    await service.stop()
    await skins.close()
  })

  const renderers = () => descendantsOf(service.process.pid ?? 0).filter(({ command }) => command.includes('jobs/main'))

  async function stateOfRenderer(): Promise<string> {
    const { body } = await service.call('GET', '/readyz')
    return body.parts.find(({ name }: { name: string }) => name === 'renderer').state
  }

  async function metricNames(): Promise<readonly string[]> {
    const response = await fetch(`${service.demo.baseUrl}/metrics`)
    return [...(await response.text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => String(name))
  }

  it('starts its renderer with a job and ends it when no more come', async function () {
    if (!hasRedis()) this.skip()
    for (const name of ['first', 'second']) {
      expect(await eventually(stateOfRenderer, (state) => state === 'asleep')).to.equal('asleep')
      expect(renderers()).to.deep.equal([])
      const skinUrl = encodeURIComponent(`${skins.url}/${name}.png`)
      const asked = await service.call('GET', `/v1/blockgame/render/${name}?skinUrl=${skinUrl}`)
      expect(asked.status, JSON.stringify(asked.body)).to.equal(202)
      const { body } = await eventually(
        () => service.call('GET', `/v1/jobs/${asked.body.data.jobId}/wait?timeout=30`),
        ({ body: job }) => ['completed', 'failed'].includes(job.data?.status),
      )
      expect(body.data.status, JSON.stringify(body)).to.equal('completed')
    }
  })

  it('says that every part of it is well', async () => {
    const { status, body } = await eventually(
      () => service.call('GET', '/readyz'),
      ({ body: { status: word } }) => word === 'ok',
    )
    expect(status).to.equal(200)
    expect(body.parts.map(({ name }: { name: string }) => name)).to.include.members([
      'database',
      'limits',
      'audio',
      'bots',
    ])
  })

  it('says which bots it cannot run since their tokens were sealed with another key', async () => {
    const { dataDir, demo } = service
    const db = openDatabase({ dataDir })
    const bots = createBotRecords(createSqliteStore(db), createVault({ tokenKey: '08'.repeat(32), dataDir }))
    const id = '81384788765712390'
    const botsPart = async () => {
      const { body } = await service.call('GET', '/readyz')
      return body.parts.find(({ name }: { name: string }) => name === 'bots')
    }
    try {
      await bots.add({
        id,
        projectId: demo.projectId,
        name: 'Sealed elsewhere',
        token: 'not to be read',
        sandbox: true,
      })
      const { note } = await eventually(botsPart, ({ state }) => state === 'degraded')
      expect(note).to.match(
        /^1 of 2 bots offline\. Tokens that can't be decrypted: 1\. Restore their TOKEN_KEY or token\.key/,
      )
      const metrics = await (await fetch(`${demo.baseUrl}/metrics`)).text()
      expect(metrics)
        .to.match(/^bandstand_bots 2$/m)
        .and.match(/^bandstand_bots_connected 1$/m)
    } finally {
      await bots.remove(demo.projectId, id)
      db.close()
    }
    await eventually(botsPart, ({ state }) => state === 'ok')
  })

  it('tells every metric that the plots and the alerts ask for, and the guide describes each', async () => {
    const names = await metricNames()
    for (const file of ['deploy/grafana-dashboard.json', 'deploy/prometheus-alerts.yaml']) {
      const asked = new Set(
        [...read(file).matchAll(/\b(?:bandstand|process|nodejs)_[a-z0-9_]+/g)].map(([name]) => name),
      )
      expect(
        [...asked].filter(
          (name) => !names.includes(name) && !names.includes(name.replace(/_(?:bucket|sum|count)$/, '')),
        ),
        file,
      ).to.deep.equal([])
      expect(asked.size, file).to.be.above(5)
    }
    const guide = read('docs/operations.md')
    const own = names.filter((name) => name.startsWith('bandstand_')).map((name) => name.slice('bandstand_'.length))
    expect(own).to.include.members(['build_info', 'http_request_duration_seconds', 'job_duration_seconds'])
    expect(own.filter((name) => !guide.includes(`\`${name}\``))).to.deep.equal([])
  })

  it('names its metrics as Prometheus would have them, in base units, and keeps their labels few', async () => {
    const text = await (await fetch(`${service.demo.baseUrl}/metrics`)).text()
    const types = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = '', type]) => ({ name, type }))
    for (const { name, type } of types) {
      expect(name.endsWith('_total'), `${name} is a ${type}`).to.equal(type === 'counter')
      expect(name).not.to.match(/_(?:ms|millis\w*|minutes|kib|mib|kb|mb|percent|count|sum|bucket)(?:_|$)/)
      if (type === 'histogram') expect(name).to.match(/_(?:seconds|bytes)$/)
      expect(text).to.match(new RegExp(`^# HELP ${name} \\S.{4,}`, 'm'))
      const series = text
        .split('\n')
        .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name}_bucket{`))
      expect(series.length, name).to.be.below(2000)
      expect(
        series.filter((line) => /\d{17}|svc\.|prj_|key_/.test(line.split('} ')[0] ?? '')),
        name,
      ).to.deep.equal([])
    }
  })

  it('is known to the doctor, and backed up while it runs', async () => {
    const admin = (...args: string[]) => run([...args, '--json'], { dataDir: service.dataDir })
    const { stdout } = await admin('doctor')
    expect(JSON.parse(stdout).find(({ name }: { name: string }) => name === 'service').found).to.match(/^running since/)
    const file = join(service.dataDir, 'backup.db')
    const backup = await admin('backup', file)
    expect(backup.json.file).to.equal(file)
    expect((await admin('restore', file)).stderr).to.include('Stop it, then restore')
  })
})
