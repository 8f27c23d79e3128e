import { fork, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { until } from '../support/bots.ts'

const WRITER = join(import.meta.dirname, '..', 'support', 'log-writer.ts')

/** Output of a service's log when its destination fails. */
describe('the output of the log', () => {
  let child: ChildProcess
  afterEach(() => child.kill('SIGKILL'))

  async function write(stdout: 'pipe' | number): Promise<void> {
    const stdio: StdioOptions = ['ignore', stdout, 'inherit', 'ipc']
    child = fork(WRITER, { stdio })
    await once(child, 'message')
  }

  /** @returns the exit code. */
  async function end(): Promise<number> {
    const gone = once(child, 'exit')
    child.send('end')
    const [code] = await gone
    return code
  }

  it('lets the process end when its reader stands still', async () => {
    await write('pipe')
    expect(await end()).to.equal(0)
  })

  it('loses what is too much for a reader who stands still, continues with one who reads again, and says how much', async () => {
    await write('pipe')
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()))
    await until('it has said so', () => text.endsWith('"msg":"log lines lost"}\n'))
    const lines = text.trim().split('\n')
    const last = JSON.parse(lines.at(-1) ?? '')
    expect(last).to.include({ level: 'error', msg: 'log lines lost' })
    expect(lines.length - 1 + last.lines).to.equal(5000)
  })

  it('lets the process end when its reader takes longer than it waits', async () => {
    await write('pipe')
    const ended = end()
    // Each read takes a small part of the waiting output.
    const reader = setInterval(() => child.stdout?.read(), 30)
    expect(await ended).to.equal(0)
    clearInterval(reader)
  })

  it('outlives a full disk', async function () {
    if (!existsSync('/dev/full')) this.skip()
    await write(openSync('/dev/full', 'w'))
    expect(await end()).to.equal(0)
  })
})
