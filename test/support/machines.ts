import { fork } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { startSandbox, type Sandbox } from 'bandstand-sandbox'
import { addApplication, createApplication, getGuild } from 'bandstand-sandbox/world'
import { admin } from './admin.ts'
import { temporaryFolder } from './database.ts'
import { createMachine, nodeMachine, redisMachine, type Machine } from './machine.ts'
import { pinkNoise } from './made-once.ts'
import { eventually, type Answer } from './service.ts'
import { startPostgres } from './postgres.ts'
import { freePort } from './web.ts'

const SERVICES_KEY = '5e'.repeat(32)
const TOKEN_KEY = '7c'.repeat(32)

export interface ServiceMachine extends Machine {
  readonly dataDir: string
  readonly baseUrl: string
  readonly botId: string
  admin(...args: string[]): Promise<any>
  call(key: string, method: string, path: string, body?: unknown): Promise<Answer>
}

export interface MachinesOptions {
  /** Environment of both services and of workers. */
  readonly env?: Readonly<Record<string, string>>
  /** Plan of the project; free by default. */
  readonly plan?: string
  /** Whether Redis writes to disk; one that does not knows of nothing after a kill, as after the loss of its machine. */
  readonly keepsRedis?: boolean
  /** Whether each service has a bot, as it has by default. */
  readonly hasBots?: boolean
}

/**
 * The parts of an installation on several machines, as processes on this one: one PostgreSQL and one Redis, two
 * services that are bound to a bot each, and a Discord that outlives them all.
 */
export interface Machines {
  readonly sandbox: Sandbox
  readonly redisUrl: string
  readonly redis: Machine
  /** Keeps the pictures of jobs. */
  readonly store: Machine
  readonly a: ServiceMachine
  readonly b: ServiceMachine
  readonly projectId: string
  newKey(at: ServiceMachine, ...args: string[]): Promise<{ readonly id: string; readonly key: string }>
  /** A renderer of its own, as on a machine of its own. */
  worker(name: string, env?: Readonly<Record<string, string>>): Promise<Machine>
  close(): Promise<void>
}

export async function startMachines(options: MachinesOptions = {}): Promise<Machines> {
  const { env = {}, plan = 'free', hasBots = true, keepsRedis = false } = options
  const folder = temporaryFolder()
  const sandbox = await startSandbox({
    port: 0,
    stateFile: null,
    limits: false,
    demoMember: false,
    log: pino({ level: 'silent' }),
  })
  writeFileSync(join(folder.path, 'discord.pem'), sandbox.certificate)
  const library = join(folder.path, 'library')
  mkdirSync(library)
  copyFileSync(await pinkNoise(), join(library, 'noise.opus'))

  const all: Machine[] = []
  const started = async <T extends Machine>(machine: T): Promise<T> => {
    all.push(machine)
    await machine.start()
    return machine
  }
  const [redisPort, storePort] = [await freePort(), await freePort()]
  const redis = await started(redisMachine(redisPort, folder.path, keepsRedis))
  const store = await started(storeMachine(storePort, join(folder.path, 'store')))
  const redisUrl = `redis://127.0.0.1:${redisPort}`
  const postgres = await startPostgres()
  const common = {
    REDIS_URL: redisUrl,
    DATABASE_URL: await postgres.database(),
    SERVICES_KEY,
    TOKEN_KEY,
    DRAIN_SECONDS: '0',
    SANDBOX: 'off',
    MUSIC_SOURCES: 'library,http',
    DISCORD_API_URL: `${sandbox.url}/api`,
    NODE_EXTRA_CA_CERTS: join(folder.path, 'discord.pem'),
    LIBRARY_DIR: library,
    LOG_LEVEL: 'info',
    RESULTS_S3_ENDPOINT: `http://127.0.0.1:${storePort}/pictures`,
    RESULTS_S3_REGION: 'us-east-1',
    RESULTS_S3_ACCESS_KEY_ID: 'S3RVER',
    RESULTS_S3_SECRET_ACCESS_KEY: 'S3RVER',
    ...env,
  }
  const services = { ...common, RENDER_CONCURRENCY: '0' }
  const service = async (name: string) => {
    const dataDir = join(folder.path, name)
    const bot = createApplication(sandbox.world, { name })
    addApplication(sandbox.world, getGuild(sandbox.world, sandbox.demo.guildId), bot)
    return {
      machine: await started(serviceMachine(dataDir, bot.id, { ...services, SERVICE_BOTS: bot.id })),
      token: bot.token,
    }
  }
  const [{ machine: a, token }, { machine: b, token: other }] = await Promise.all([service('a'), service('b')])
  const project = await a.admin('project', 'create', 'Both', '--plan', plan)
  if (hasBots) await Promise.all([addBot(a, project.id, token, common), addBot(b, project.id, other, common)])

  return {
    sandbox,
    redisUrl,
    redis,
    store,
    a,
    b,
    projectId: project.id,
    newKey: (at, ...args) => at.admin('key', 'create', '--project', project.id, ...args),
    worker: (name, more = {}) =>
      started(
        nodeMachine('jobs/main.ts', 'renderer started', {
          env: { ...common, DATA_DIR: join(folder.path, name), ...more },
        }),
      ),
    async close() {
      await Promise.all(all.toReversed().map((machine) => machine.kill('SIGKILL')))
      await postgres.close()
      await sandbox.close()
      folder.remove()
    },
  }
}

async function addBot(at: ServiceMachine, projectId: string, token: string, env: Record<string, string>) {
  const args = ['bot', 'add', '--project', projectId, '--json']
  const added = await admin(args, { dataDir: at.dataDir, stdin: token, env })
  if (added.code !== 0) throw new Error(added.stderr)
  await eventually(
    () => at.output().includes('"bot connected"'),
    (isSo) => isSo,
  )
}

function serviceMachine(dataDir: string, botId: string, common: Readonly<Record<string, string>>): ServiceMachine {
  const env = { ...common, DATA_DIR: dataDir, PORT: '0' }
  const machine = nodeMachine('main.ts', 'service started', { env })
  const addresses = () => [...machine.output().matchAll(/"baseUrl":"([^"]+)".*"service started"|$/g)]
  return {
    ...machine,
    dataDir,
    botId,
    get baseUrl() {
      return addresses().findLast(([, url]) => url !== undefined)?.[1] ?? ''
    },
    async admin(...args) {
      const { code, json, stderr } = await admin([...args, '--json'], { dataDir, env })
      if (code !== 0) throw new Error(stderr)
      return json
    },
    async call(key, method, path, body) {
      const response = await fetch(this.baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: response.status, headers: response.headers, body: await response.json() }
    },
  }
}

/** Creates the machine of the object store; its objects outlive it. */
function storeMachine(port: number, folder: string): Machine {
  const runner = join(import.meta.dirname, 'store-runner.ts')
  return createMachine('the store listens', () =>
    fork(runner, [folder, String(port)], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }),
  )
}
