import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { DEMO_TRACKS } from '../../service/demo/demo-tracks.ts'
import { findPortHolder } from '../../service/start/port-check.ts'
import { hasRedis } from '../support/redis.ts'
import { eventually, fetchJson, makeDataDir } from '../support/service.ts'
import { freePort } from '../support/web.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** Start-up time seen on a busy machine. */
const HELD_UP_MS = 14_000

/** Goes before every module in every thread; in worker threads it does what `code` says. */
function preload(dataDir: string, code: string): string {
  const file = join(dataDir, 'preload.mjs')
  writeFileSync(file, `import { isMainThread } from 'node:worker_threads'\nif (!isMainThread) ${code}\n`)
  return file
}

const SLOW = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${HELD_UP_MS})`
const BROKEN = `throw new Error('worker threads are broken here')`

const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

function takenBy(pid: number, port: number | undefined, setting: string): RegExp {
  const what = `Port ${port} on 127\\.0\\.0\\.1 is in use by .+ \\(process ${pid}\\)\\.`
  return new RegExp(`${what} Stop it, or set ${setting} to a free port\\.`)
}

describe('the start of the service', () => {
  let dataDir: string
  const children: ChildProcess[] = []
  beforeEach(() => {
    dataDir = makeDataDir()
  })
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    }
    // Child processes end a moment after the service, and may still write.
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })

  interface Start {
    readonly program?: string
    readonly preload?: string
    readonly env?: Readonly<Record<string, string>>
  }

  function start({ program = 'main.ts', preload: file, env = {} }: Start = {}) {
    const args = [...(file === undefined ? [] : ['--import', file]), join(ROOT, program)]
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        PORT: '0',
        DATA_DIR: dataDir,
        SANDBOX: 'off',
        MUSIC_SOURCES: 'library,http',
        SANDBOX_PORT: '0',
        RENDER_CONCURRENCY: '0',
        LOG_LEVEL: 'info',
        ...env,
      },
    })
    children.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    return { child, output: () => output, ended: once(child, 'close') as Promise<[number | null]> }
  }

  it('waits for an audio thread that takes 14 s, says so, and answers 503 on its port meanwhile', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const { child, output } = start({ preload: preload(dataDir, SLOW), env: { PORT: String(port) } })
    await eventually(output, (text) => /"step":"The audio thread".*"startup waiting"/.test(text))
    // Another start that wants this port names the program, and not what goes before it.
    expect(findPortHolder(port)).to.deep.equal({ pid: child.pid, name: 'node main.ts' })
    const [live, ready, api] = await Promise.all([
      fetch(`${url}/healthz`),
      fetchJson(`${url}/readyz`, 'GET', undefined, {}),
      fetchJson(`${url}/v1/status`, 'GET', undefined, { 'x-request-id': 'early' }),
    ])
    expect(live.status).to.equal(200)
    const starting = { status: 'down', parts: [{ name: 'service', state: 'down', note: 'starting' }] }
    expect([ready.status, ready.body]).to.deep.equal([503, starting])
    expect([api.status, api.headers.get('x-request-id'), api.headers.get('retry-after')]).to.deep.equal([
      503,
      'early',
      '1',
    ])
    expect(api.body).to.include({ requestId: 'early' }).and.to.have.nested.property('error.code', 'service_unavailable')
    await eventually(output, (text) => text.includes('"service started"'))
    expect((await fetch(`${url}/v1/status`)).status).to.equal(200)
    expect(child.exitCode).to.equal(null)
  })

  it('ends with status 1 within seconds when worker threads cannot start', async () => {
    const startedMs = performance.now()
    const { output, ended } = start({ preload: preload(dataDir, BROKEN) })
    expect((await ended)[0]).to.equal(1)
    expect(performance.now() - startedMs).to.be.below(40_000)
    expect(output()).to.include("Bandstand didn't start.\nThe audio thread audio-1 didn't start")
    expect(output()).to.include('worker threads are broken here')
  })

  it('ends with status 0 when it is told to stop while it waits for an audio thread', async () => {
    const { child, output, ended } = start({ preload: preload(dataDir, SLOW) })
    await eventually(output, (text) => text.includes('"startup waiting"'))
    const toldMs = performance.now()
    child.kill('SIGTERM')
    expect((await ended)[0]).to.equal(0)
    expect(performance.now() - toldMs).to.be.below(20_000)
    expect(output()).not.to.include("didn't start")
  })

  it('says which ports are taken, by which process and what to set, before it opens anything, and ends with status 1', async () => {
    const holders = [createServer(), createServer()]
    for (const holder of holders) await once(holder.listen(0, '127.0.0.1'), 'listening')
    const [port, sandboxPort] = holders.map((holder) => (holder.address() as AddressInfo).port)
    try {
      const env = { PORT: String(port), SANDBOX_PORT: String(sandboxPort), SANDBOX: 'on' }
      const { output, ended } = start({ env })
      expect((await ended)[0]).to.equal(1)
      expect(output()).to.match(takenBy(process.pid, port, 'PORT'))
      expect(output()).to.match(takenBy(process.pid, sandboxPort, 'SANDBOX_PORT'))
      expect(readdirSync(dataDir)).to.deep.equal([])
    } finally {
      for (const holder of holders) holder.close()
    }
  })

  it('writes the demo tracks beside the database and nothing into the folder of LIBRARY_DIR', async () => {
    const music = join(dataDir, 'music of mine')
    mkdirSync(music)
    const { output } = start({ env: { SANDBOX: 'on', LIBRARY_DIR: music } })
    await eventually(output, (text) => text.includes('"service started"'))
    const demo = JSON.parse(
      await eventually(
        () => read(join(dataDir, 'demo.json')),
        (text) => text !== '',
      ),
    )
    expect(readdirSync(music)).to.deep.equal([])
    await eventually(
      () => readdirSync(join(dataDir, 'demo')).toSorted().join(),
      (files) =>
        files ===
        DEMO_TRACKS.map(({ file }) => file)
          .toSorted()
          .join(),
    )
    const path = `/v1/music/search?q=${encodeURIComponent(demo.queries[0])}`
    const found = await fetchJson(demo.baseUrl + path, 'GET', undefined, {
      authorization: `Bearer ${demo.keys.linked}`,
    })
    expect(found.body.data).to.have.length(1)
  })

  it('names a state file of the sandbox that is empty or corrupt, without a stack trace', async () => {
    for (const [text, word] of [
      ['', 'empty'],
      ['{"applications":', 'corrupt'],
    ]) {
      writeFileSync(join(dataDir, 'sandbox.json'), String(text))
      const { output, ended } = start({ env: { SANDBOX: 'on' } })
      expect((await ended)[0]).to.equal(1)
      expect(output())
        .to.include(`${join(dataDir, 'sandbox.json')} is ${word}`)
        .and.include('move it away')
      expect(output()).not.to.match(/^ +at /m)
    }
  })

  it('ends a renderer with status 1 within seconds when its folder cannot be used', async () => {
    if (!hasRedis()) return
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(join(dataDir, 'results'), 'a file where a folder is expected')
    const startedMs = performance.now()
    const { output, ended } = start({ program: 'jobs/main.ts', env: { RENDER_CONCURRENCY: '1' } })
    expect((await ended)[0]).to.equal(1)
    expect(performance.now() - startedMs).to.be.below(40_000)
    expect(output()).to.include("The renderer didn't start.")
  })
})
