import { fork } from 'node:child_process'
import { once } from 'node:events'
import {
  openSync,
  closeSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { childEnv } from '../../../lib/workers/child-process.ts'
import { createSpawner } from '../../../lib/workers/spawner.ts'
import { tempFolder } from '../../bot/audio/folder.ts'
import { isRunning, untilGone } from '../../bot/audio/processes.ts'
import { until } from '../../support/bots.ts'
import { closing } from '../../support/closing.ts'
import { descendantsOf } from '../../support/descendants.ts'

const shell = (script: string, { nice = 0, leadsSession = false } = {}) => ({
  command: '/bin/sh',
  args: ['-c', script],
  nice,
  leadsSession,
})
const statOf = (pid: number) => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  return { group: fields[2], session: fields[3], nice: fields[16] }
}
const programOf = (pid: number) => readlinkSync(`/proc/${pid}/exe`)
const spawnersOf = (pid: number) => descendantsOf(pid).filter(({ command }) => command.includes('spawner-process.ts'))
const folderOf = ({ command }: { readonly command: string }) => /\S*bandstand-spawner-\w+/.exec(command)?.[0] ?? ''

describe('a spawner', function () {
  const close = closing()
  const folder = tempFolder()
  const open = (inherited?: readonly number[]) => close(createSpawner(inherited))
  /** Spawners of other tests in this process. */
  let others: ReadonlySet<number>
  const spawnerProcesses = () => spawnersOf(process.pid).filter(({ pid }) => !others.has(pid))

  beforeEach(() => (others = new Set(spawnersOf(process.pid).map(({ pid }) => pid))))

  it('connects a child with all three streams, and tells how it ended', async () => {
    const child = await open().start(shell('cat; echo complaint >&2; exit 3'))
    const song = Buffer.alloc(5_000_000, 'song')
    child.stdin.end(song)
    const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(output === song.toString()).to.equal(true)
    expect(complaint).to.equal('complaint\n')
    expect(await child.exited).to.equal(3)
  })

  it('holds a child that writes faster than it is read', async () => {
    const file = folder.path('written')
    const child = await open().start(
      shell(`for i in 1 2 3 4 5 6 7 8; do head -c 1000000 /dev/zero; echo $i >>${file}; done`),
    )
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(existsSync(file) ? readFileSync(file, 'utf8') : '').to.equal('')
    expect((await text(child.stdout)).length).to.equal(8_000_000)
  })

  it('is a shell until its first child, and ends as one', async () => {
    const spawner = open()
    spawner.warmUp()
    const [own] = spawnerProcesses()
    expect(programOf(own!.pid)).to.equal(realpathSync('/bin/sh'))
    expect(await text((await spawner.start(shell('echo here'))).stdout)).to.equal('here\n')
    expect(programOf(own!.pid)).to.equal(realpathSync(process.execPath))

    const unused = createSpawner()
    unused.warmUp()
    const other = spawnerProcesses().find(({ pid }) => pid !== own!.pid)
    expect(existsSync(folderOf(other!))).to.equal(true)
    await unused.close()
    expect(existsSync(folderOf(other!))).to.equal(false)
    expect(existsSync(`/proc/${other!.pid}`)).to.equal(false)
  })

  it('gives a child exactly the environment of a child, its priority and no other open file', async () => {
    const file = folder.path('shared')
    writeFileSync(file, 'shared')
    const inherited = openSync(file, 'r')
    const child = await open([inherited]).start(shell('cat <&3; exec sleep 60', { nice: 7 }))
    closeSync(inherited)
    for await (const chunk of child.stdout) {
      expect(String(chunk)).to.equal('shared')
      break
    }
    const of = (name: string) => readFileSync(`/proc/${child.pid}/${name}`, 'latin1')
    const environment = of('environ')
      .split('\0')
      .filter((line) => line !== '' && !/^(PWD|_|OLDPWD|SHLVL)=/.test(line))
    expect(environment).to.have.members(Object.entries(childEnv()).map(([name, value]) => `${name}=${value}`))
    expect(statOf(child.pid).nice).to.equal(7)
    const files = readdirSync(`/proc/${child.pid}/fd`).map(Number)
    const own = new Set(readdirSync('/proc/self/fd').map(Number))
    expect(files.filter((number) => number < 4 || !own.has(number))).to.deep.equal([0, 1, 2, 3])
    process.kill(child.pid, 'SIGKILL')
    expect(await child.exited).to.equal('killed')
  })

  it('keeps children in its own session, but for those that start others', async () => {
    const spawner = open()
    const one = await spawner.start(shell('exec sleep 60'))
    const [own] = spawnerProcesses()
    expect(statOf(one.pid)).to.deep.include({ group: own!.pid, session: own!.pid })
    expect(own!.pid).not.to.equal(statOf(process.pid).session)
    const other = await spawner.start(shell('sleep 60; true', { leadsSession: true }))
    expect(statOf(other.pid)).to.deep.include({ group: other.pid, session: other.pid })
  })

  it('says which command is missing, and which one the shell did not find', async () => {
    const spawner = open()
    const failure: unknown = await spawner
      .start({ command: 'no-such-program', args: [], nice: 0 })
      .catch((error: unknown) => error)
    expect(failure).to.include({ code: 'ENOENT' })
    expect(await (await spawner.start(shell('exec no-such-program'))).exited).to.equal(127)
  })

  it('continues after its process was killed: what ran plays on, and what comes next starts', async () => {
    const spawner = open()
    const child = await spawner.start(shell('sleep 0.7; echo end'))
    const [first] = spawnerProcesses()
    process.kill(first!.pid, 'SIGKILL')
    expect(await child.exited).to.equal('unknown')
    const next = await spawner.start(shell('echo next'))
    expect(await text(next.stdout)).to.equal('next\n')
    expect(await text(child.stdout)).to.equal('end\n')
    expect(spawnerProcesses().map(({ pid }) => pid))
      .to.have.length(1)
      .and.not.to.include(first!.pid)
  })

  it('starts a child that was asked for in the moment its process dies', async () => {
    const spawner = open()
    await (
      await spawner.start(shell('true'))
    ).exited
    process.kill(spawnerProcesses()[0]!.pid, 'SIGKILL')
    expect(await text((await spawner.start(shell('echo here'))).stdout)).to.equal('here\n')
  })

  it('ends its children when it is closed, and refuses more', async () => {
    const spawner = createSpawner()
    const child = await spawner.start(shell('sleep 654.1; true', { leadsSession: true }))
    const own = folderOf(spawnerProcesses()[0]!)
    expect(existsSync(own)).to.equal(true)
    await spawner.close()
    expect(await child.exited).to.be.oneOf(['killed', 'unknown'])
    await untilGone('654.1')
    expect(existsSync(own)).to.equal(false)
    expect(await spawner.start(shell('true')).catch((error: unknown) => error)).to.be.instanceOf(Error)
  })

  it('ends its children, itself and its folder when the process that has it is killed', async () => {
    const owner = fork(new URL('../../support/spawner-owner.ts', import.meta.url), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    close({ close: () => owner.kill('SIGKILL') })
    await once(owner, 'message')
    const [own] = spawnersOf(owner.pid ?? 0)
    await until('its child sleeps', () => isRunning('654.2'))
    expect(existsSync(folderOf(own!))).to.equal(true)
    owner.kill('SIGKILL')
    await untilGone('654.2')
    for (let i = 0; i < 100 && existsSync(`/proc/${own!.pid}`); i++)
      await new Promise((resolve) => setTimeout(resolve, 20))
    expect(existsSync(`/proc/${own!.pid}`)).to.equal(false)
    expect(existsSync(folderOf(own!))).to.equal(false)
  })

  for (const death of ['at the fork', 'after the fork']) {
    it(`leaves nothing behind when the process that has it is killed while it starts: ${death}`, async () => {
      const temporary = folder.path(death)
      mkdirSync(temporary)
      const owner = fork(new URL('../../support/spawner-owner.ts', import.meta.url), [death], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: { ...childEnv(), TMPDIR: temporary },
      })
      expect((await once(owner, 'exit'))[1]).to.equal('SIGKILL')
      const left = () => readdirSync(temporary).filter((name) => name.startsWith('bandstand-spawner-'))
      for (let i = 0; i < 500 && left().length > 0; i++) await new Promise((resolve) => setTimeout(resolve, 20))
      expect(left()).to.deep.equal([])
    })
  }
})
