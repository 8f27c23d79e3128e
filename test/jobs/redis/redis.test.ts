import { execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { connectRedis, untilReady } from '../../../jobs/redis/redis-client.ts'
import { redisFolder, redisSocket } from '../../../jobs/redis/redis-paths.ts'
import { startRedis, type RedisServer } from '../../../jobs/redis/redis.ts'
import { createLog } from '../../../lib/log.ts'
import { temporaryFolder } from '../../support/database.ts'
import { hasRedis } from '../../support/redis.ts'
import { eventually } from '../../support/service.ts'

const log = createLog('silent')
const RUNNER = join(import.meta.dirname, '..', '..', 'support', 'redis-runner.ts')

describe('the embedded Redis', () => {
  const folder = temporaryFolder()
  // Names that operators give, with what shells, addresses and lines of settings read otherwise.
  const dataDir = join(folder.path, 'it\'s "odd" #1?a=%20\n$b')
  const pidFile = join(redisFolder(dataDir), 'redis.pid')
  const pid = () => Number(readFileSync(pidFile, 'utf8'))
  let server: RedisServer | null = null

  before(function () {
    if (!hasRedis()) this.skip()
  })
  afterEach(async () => {
    await server?.close()
    server = null
  })
  after(() => folder.remove())

  const start = async () => (server = await startRedis({ dataDir, url: null, log }))

  async function withClient<T>(use: (redis: ReturnType<typeof connectRedis>) => Promise<T>): Promise<T> {
    const redis = connectRedis({ path: redisSocket(dataDir) }, log)
    try {
      await untilReady(redis, 5000)
      return await use(redis)
    } finally {
      redis.disconnect()
    }
  }

  it('listens on a socket that only the owner reaches, and on no port', async () => {
    await start()
    expect(server?.address).to.deep.equal({ path: redisSocket(dataDir) })
    expect(statSync(redisFolder(dataDir)).mode & 0o777).to.equal(0o700)
    expect(statSync(redisSocket(dataDir)).mode & 0o777).to.equal(0o700)
    await withClient(async (redis) => {
      expect(await redis.config('GET', 'port')).to.include('0')
      expect(await redis.config('GET', 'appendonly')).to.include('yes')
    })
  })

  it('keeps what it acknowledged when it is killed with -9, and is back on its own', async () => {
    await start()
    await withClient(async (redis) => {
      await redis.set('kept', 'yes')
      const lost = once(redis, 'close')
      process.kill(pid(), 'SIGKILL')
      await lost
      await untilReady(redis, 5000)
      expect(await redis.get('kept')).to.equal('yes')
    })
  })

  it('ends with its service, and keeps its data until the next', async () => {
    await start()
    await withClient((redis) => redis.set('later', 'too'))
    const ended = pid()
    await server?.close()
    expect(() => process.kill(ended, 0)).to.throw('ESRCH')
    await start()
    expect(await withClient((redis) => redis.get('later'))).to.equal('too')
  })

  it('ends soon after a service that was killed with -9', async () => {
    const child = fork(RUNNER, [dataDir])
    const gone = once(child, 'exit')
    await once(child, 'message')
    const orphan = pid()
    process.kill(orphan, 0)
    child.kill('SIGKILL')
    await gone
    await eventually(
      () => isAlive(orphan),
      (alive) => !alive,
    )
  })

  it('ends a server that was left over before it starts its own', async () => {
    mkdirSync(redisFolder(dataDir), { recursive: true, mode: 0o700 })
    const settings = ['--port', '0', '--unixsocket', redisSocket(dataDir), '--pidfile', pidFile, '--save', '']
    const leftover = spawn('redis-server', settings, { stdio: 'ignore', cwd: redisFolder(dataDir) })
    await eventually(
      () => isPid(pidFile, leftover.pid),
      (is) => is,
    )
    const gone = once(leftover, 'exit')
    await start()
    await gone
    expect(pid()).not.to.equal(leftover.pid)
    await withClient(async (redis) => expect(await redis.ping()).to.equal('PONG'))
  })

  it('leaves a program alone that happens to have the number of an old one', async () => {
    const other = spawn('sleep', ['60'])
    try {
      writeFileSync(pidFile, `${other.pid}\n`)
      await start()
      expect(isAlive(other.pid ?? 0)).to.equal(true)
    } finally {
      other.kill()
    }
  })

  it('takes a shared Redis where there is one, and starts none', async () => {
    server = await startRedis({ dataDir: join(dataDir, 'other'), url: 'redis://redis.example:6379', log })
    expect(server.address).to.deep.equal({ url: 'redis://redis.example:6379' })
    expect(statSync(join(dataDir, 'other'), { throwIfNoEntry: false })).to.equal(undefined)
  })

  it('is done without where redis-server is not installed, which is said once', async () => {
    const child = fork(RUNNER, [dataDir], { env: { PATH: '/nowhere' } })
    const gone = once(child, 'exit')
    const [{ address, lines }] = (await once(child, 'message')) as [{ address: null; lines: { msg: string }[] }]
    expect(address).to.equal(null)
    expect(lines.map(({ msg }) => msg)).to.deep.equal(['redis-server not installed; the service runs without it'])
    expect(await gone, 'nothing keeps the process alive').to.deep.equal([0, null])
  })

  it('works in a folder whose name is too long for a socket', async () => {
    const long = join(dataDir, 'x'.repeat(150))
    expect(Buffer.byteLength(redisSocket(long))).to.be.lessThan(101)
    const there = await startRedis({ dataDir: long, url: null, log })
    const redis = connectRedis(there.address ?? { path: '' }, log)
    await untilReady(redis, 5000)
    redis.disconnect()
    await there.close()
    execFileSync('rm', ['-r', dirname(redisSocket(long))])
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function isPid(file: string, pid: number | undefined): boolean {
  try {
    return Number(readFileSync(file, 'utf8')) === pid
  } catch {
    return false
  }
}
