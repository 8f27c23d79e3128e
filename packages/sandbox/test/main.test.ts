import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createCaller } from './stage.ts'

describe('the stand-in as a child process', () => {
  const dir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  const SANDBOX_STATE = join(dir, 'sandbox.json')
  const children: ChildProcess[] = []
  after(() => {
    for (const child of children) child.kill('SIGKILL')
    rmSync(dir, { recursive: true })
  })

  async function start() {
    const env = { ...process.env, SANDBOX_PORT: '0', SANDBOX_STATE, LOG_LEVEL: 'silent' }
    const child = fork(new URL('../main.ts', import.meta.url), { env })
    children.push(child)
    const [{ ready }] = (await once(child, 'message')) as [
      { ready: { url: string; certificate: string; demo: Record<string, string> } },
    ]
    return { child, ready }
  }

  it('reports where it is, keeps its bots over a restart, and ends with its parent', async () => {
    const first = await start()
    expect(first.ready.certificate).to.match(/^-----BEGIN CERTIFICATE/)
    const made = await createCaller(`${first.ready.url}/sandbox`)('POST', '/applications', { name: 'Keeps' })
    expect(statSync(SANDBOX_STATE).mode & 0o777).to.equal(0o600)
    const exited = once(first.child, 'exit')
    first.child.disconnect()
    expect(await exited).to.deep.equal([0, null])

    const second = await start()
    expect(second.ready.demo).to.deep.equal(first.ready.demo)
    const { body } = await createCaller(`${second.ready.url}/api/v10`, made.body.token)('GET', '/users/@me/guilds')
    expect(body).to.have.length(1)
    const stopped = once(second.child, 'exit')
    second.child.kill('SIGTERM')
    expect(await stopped).to.deep.equal([0, null])
  })
})
