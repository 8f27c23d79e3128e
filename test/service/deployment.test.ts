import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect } from 'chai'
import { parse } from 'yaml'
import { VARIABLES } from '../../config.ts'
import { JOB_ENV } from '../../jobs/worker/settings.ts'
import { LAVALINK_ENV } from '../../api/lavalink/settings.ts'
import { readPm2Apps } from '../support/pm2-apps.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The lines of one service of the compose file. */
function blockOf(name: string): string {
  const [, block = ''] = new RegExp(`^  ${name}:\\n((?:    .*\\n|\\n)+)`, 'm').exec(read('deploy/compose.yaml')) ?? []
  expect(block, name).not.to.equal('')
  return block
}

function settingsOf(unit: string): ReadonlyMap<string, string> {
  const lines = read(`deploy/${unit}`).split('\n')
  return new Map(lines.flatMap((line) => (/^\w+=/.test(line) ? [line.split(/=(.*)/s, 2) as [string, string]] : [])))
}

describe('the compose file', () => {
  it('gives the file with the bot token to the service and to nothing else', () => {
    expect(blockOf('service')).to.match(/path: \.\.\/\.env$/m)
    for (const name of ['renderer', 'node', 'redis']) expect(blockOf(name), name).not.to.match(/\/\.env$/m)
    const [shared = ''] = read('deploy/compose.yaml').split(/^services:/m)
    expect(shared.replaceAll(/#.*/g, '')).not.to.include('.env')
  })

  it('refuses to start without a password of Redis, and lets nothing outside reach Redis', () => {
    const redis = blockOf('redis')
    expect(redis).to.include('requirepass').and.include('${REDIS_PASSWORD:?')
    expect(redis)
      .to.match(/networks: \[queue\]$/m)
      .and.not.to.include('ports:')
    expect(read('deploy/compose.yaml'))
      .to.include('redis://:${REDIS_PASSWORD:?')
      .and.match(/ {2}queue:\n {4}internal: true/)
  })

  it('keeps every file of settings out of the image', () => {
    expect(read('.dockerignore').split('\n')).to.include.members(['**/.env', '**/*.env'])
  })
})

describe('the pm2 file', () => {
  it('keeps every secret of the service from the renderer, and nothing that the renderer needs', async () => {
    const worker = (await readPm2Apps()).find(({ name }) => name === 'bandstand-worker')
    // pm2 leaves out each variable whose name includes one of them.
    const filters = worker?.filter_env ?? []
    const isKeptOut = (name: string) => filters.some((filter) => name.includes(filter))
    const needed = [...Object.keys(JOB_ENV), 'REDIS_URL', 'DATA_DIR', 'EGRESS_ALLOW_HOSTS', 'LOG_LEVEL']
    const secrets = VARIABLES.filter((name) => /TOKEN|KEY|SECRET|HEADERS/.test(name) && !needed.includes(name))
    expect(secrets.filter((name) => !isKeptOut(name))).to.deep.equal([])
    expect(needed.filter(isKeptOut)).to.deep.equal([])
  })
})

describe('the apps of pm2', () => {
  it('have the Lavalink node only where it has a key, without which it would end again and again', async () => {
    const none = { LAVALINK_PASSWORD: '', LAVALINK_KEYS: '', LAVALINK_SERVICE_KEYS: 'off', AUDIO_NODE_PASSWORD: '' }
    const without = await readPm2Apps(none)
    expect(without.map(({ name }) => name)).to.deep.equal(['bandstand', 'bandstand-worker'])
    for (const settings of [
      { ...none, LAVALINK_KEYS: 'shop:7d1c2f0a9b' },
      { ...none, LAVALINK_SERVICE_KEYS: 'on' },
      { ...none, AUDIO_NODE_PASSWORD: 'a password of some length' },
    ]) {
      const apps = await readPm2Apps(settings)
      expect(apps.map(({ name }) => name)).to.include('bandstand-node')
    }
  })
})

describe('the systemd units', () => {
  const units = ['bandstand.service', 'bandstand-worker@.service', 'bandstand-node.service']

  it('bound what the programs may do and hold', () => {
    for (const unit of units) {
      expect(Object.fromEntries(settingsOf(unit)), unit).to.include({
        NoNewPrivileges: 'yes',
        CapabilityBoundingSet: '',
        UMask: '0077',
        ProtectSystem: 'strict',
        ProtectProc: 'invisible',
        PrivateTmp: 'yes',
        PrivateDevices: 'yes',
        RestrictAddressFamilies: 'AF_UNIX AF_INET AF_INET6 AF_NETLINK',
        SystemCallArchitectures: 'native',
        OOMPolicy: 'continue',
      })
      expect(settingsOf(unit).get('SystemCallFilter'), unit).to.match(/^@system-service /)
      expect(settingsOf(unit).get('MemoryMax'), unit).to.match(/^\d+%$/)
    }
  })

  it('let Chromium and V8 do what they need: namespaces, and memory that becomes executable', () => {
    for (const unit of units) {
      const settings = settingsOf(unit)
      expect(settings.has('RestrictNamespaces') || settings.has('MemoryDenyWriteExecute'), unit).to.equal(false)
      expect(settings.get('SystemCallFilter'), unit).to.include('@mount').and.include('seccomp')
    }
  })

  it('give the renderer an environment file of its own, and of the data the pictures and the socket of Redis', () => {
    const [service, worker] = units.map((unit) => settingsOf(unit))
    expect(worker?.get('EnvironmentFile')).to.equal('-/etc/bandstand-worker.env')
    expect(worker?.get('InaccessiblePaths')).to.include(String(service?.get('EnvironmentFile')))
    expect(worker?.get('TemporaryFileSystem')).to.match(/^\/var\/lib\/bandstand:/)
    expect(worker?.get('BindPaths')).to.equal('-/var/lib/bandstand/results')
    expect(worker?.get('BindReadOnlyPaths')).to.equal('-/var/lib/bandstand/redis')
  })

  it('let the Lavalink node write its own folder alone, and hide the token key and the settings of the service', () => {
    const node = settingsOf('bandstand-node.service')
    expect(node.get('StateDirectory')).to.equal('bandstand/node')
    const hidden = '-/var/lib/bandstand/token.key -/etc/bandstand.env -/opt/bandstand/.env'
    expect(node.get('InaccessiblePaths')).to.equal(hidden)
  })
})

describe('the files for several machines', () => {
  const compose = parse(read('deploy/cluster/compose.yaml'), { merge: true })
  const template = (name: string) => read(`deploy/helm/templates/${name}`)
  /** Not ours: those of the engines beside, and secrets that others are made of. */
  const OTHERS = /^(POSTGRES_(USER|PASSWORD)|PGDATA|REDIS_PASSWORD|ROOT_(ACCESS|SECRET)_KEY|S3_SECRET|NODE_PASSWORD)$/

  it('set no variable that the programs do not read', () => {
    const known = new Set([...VARIABLES, ...Object.keys(JOB_ENV), ...Object.keys(LAVALINK_ENV)])
    const inCompose = Object.values<any>(compose.services).flatMap(({ environment = {} }) => Object.keys(environment))
    const charts = ['_helpers.tpl', 'services.yaml', 'nodes.yaml', 'renderers.yaml', 'engines.yaml'].map(template)
    const inCharts = charts.flatMap((text) =>
      [...text.matchAll(/name: ([A-Z][A-Z0-9_]+)\b/g)].map(([, name = '']) => name),
    )
    expect(inCharts.length).to.be.greaterThan(10)
    const unknown = [...inCompose, ...inCharts].filter((name) => !known.has(name) && !OTHERS.test(name))
    expect(unknown).to.deep.equal([])
  })

  it('give renderers and audio nodes no secret of the services', () => {
    const { renderer, 'node-1': node } = compose.services
    for (const part of [renderer, node]) {
      const text = JSON.stringify(part)
      for (const secret of ['TOKEN_KEY', 'SERVICES_KEY', 'DATABASE_URL', 'service.env'])
        expect(text).not.to.include(secret)
    }
    for (const name of ['nodes.yaml', 'renderers.yaml']) expect(template(name)).not.to.include('envFrom')
  })

  it('ask for each secret that the compose file needs', () => {
    const asked = read('deploy/cluster/.env.example').match(/^[A-Z0-9_]+(?==)/gm)
    const needed = [...read('deploy/cluster/compose.yaml').matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name)
    expect(new Set(asked)).to.deep.equal(new Set(needed))
  })

  it('have a chart whose default values fit its schema but for what must be set', () => {
    const values = parse(read('deploy/helm/values.yaml'))
    const fits = new Ajv({ strict: false }).compile(JSON.parse(read('deploy/helm/values.schema.json')))
    expect(fits(values)).to.equal(false)
    expect(fits({ ...values, baseUrl: 'https://music.example.org', existingSecret: 'bandstand' }), 'set').to.equal(true)
    expect(fits({ ...values, baseUrl: 'https://music.example.org', existingSecret: 'x', replicas: 3 })).to.equal(false)
  })
})
