import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openDatabase } from '../../db/engine/open.ts'
import { admin } from '../support/admin.ts'
import { eventually, fetchJson, launchService, makeDataDir } from '../support/service.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const NOBODY_UID = 65_534

/** Starts the service where it must refuse. @returns what it wrote, once it has ended with status 1. */
async function refusal(dataDir: string, uid?: number): Promise<string> {
  const child = spawn(process.execPath, [join(ROOT, 'main.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PORT: '0', SANDBOX: 'off', RENDER_CONCURRENCY: '0', DATA_DIR: dataDir, LOG_LEVEL: 'info' },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = await once(child, 'close')
  expect(code, output).to.equal(1)
  expect(output, 'a stack trace').not.to.match(/^ +at /m)
  return output
}

describe('a DATA_DIR that cannot be used', function () {
  let dataDir: string
  const file = (name: string) => join(dataDir, name)
  beforeEach(() => {
    dataDir = makeDataDir()
  })
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

  const cases: readonly [what: string, spoil: () => void, words: () => readonly string[]][] = [
    [
      'a lock file that is corrupt',
      () => writeFileSync(file('service.lock'), 'garbage '.repeat(2000)),
      () => [file('service.lock'), 'is corrupt', 'delete the file'],
    ],
    [
      'a folder in the place of the lock file',
      () => mkdirSync(file('service.lock')),
      () => [file('service.lock'), 'must be a file, but is a folder'],
    ],
    [
      'a folder in the place of the database',
      () => mkdirSync(file('bandstand.db')),
      () => [file('bandstand.db'), 'must be a file, but is a folder'],
    ],
    [
      'a database that was cut off',
      () => {
        openDatabase({ dataDir }).close()
        truncateSync(file('bandstand.db'), 5000)
      },
      () => [file('bandstand.db'), 'is corrupt', 'restore a backup'],
    ],
    [
      'a database of a newer version',
      () => {
        const db = openDatabase({ dataDir })
        db.exec("INSERT INTO migration VALUES (9999, '9999_later.sql', 'x', 0)")
        db.close()
      },
      () => [file('bandstand.db'), 'newer than this version', 'restore a backup'],
    ],
    [
      'a folder in the place of the key file',
      () => mkdirSync(file('token.key'), { mode: 0o700 }),
      () => [file('token.key'), 'must be a file, but is a folder'],
    ],
    [
      'a key file without a key in it',
      () => writeFileSync(file('token.key'), 'not a key\n', { mode: 0o600 }),
      () => [file('token.key'), '64 hex digits', 'Restore it from a copy'],
    ],
  ]
  for (const [what, spoil, words] of cases) {
    it(`is refused with the name of the file and what to do: ${what}`, async () => {
      spoil()
      const output = await refusal(dataDir)
      for (const part of words()) expect(output).to.include(part)
    })
  }

  it('is refused with the name of the path when it is a file', async () => {
    rmSync(dataDir, { recursive: true })
    writeFileSync(dataDir, '')
    expect(await refusal(dataDir)).to.include(`${dataDir} must be a folder, but is a file`)
  })

  for (const [what, make, words] of [
    ['a pipe', (path) => void execFileSync('mkfifo', [path]), 'must be a folder, but is a file'],
    ['a link to nothing', (path) => symlinkSync('/nowhere/at/all', path), "is a link to a folder that doesn't exist"],
    ['a link to itself', (path) => symlinkSync(path, path), 'Move it away, or set DATA_DIR'],
    [
      'a folder that all may write',
      (path) => {
        mkdirSync(path)
        chmodSync(path, 0o777)
      },
      'Run: chmod 700 ',
    ],
    [
      'a folder whose database is a pipe',
      (path) => {
        mkdirSync(path, { mode: 0o700 })
        execFileSync('mkfifo', [join(path, 'bandstand.db')])
      },
      'must be a file, but is a pipe',
    ],
  ] satisfies readonly (readonly [string, (path: string) => void, string])[]) {
    it(`is refused at once, with its name and what to do, when it is ${what}`, async () => {
      rmSync(dataDir, { recursive: true, force: true })
      make(dataDir)
      const output = await refusal(dataDir)
      expect(output).to.include(dataDir).and.include(words)
    })
  }

  it('is refused with its name and what to do when it belongs to another user', async function () {
    if (process.getuid?.() !== 0) this.skip()
    expect(await refusal(dataDir, NOBODY_UID)).to.match(/can't access .*service\.lock.*chown -R/)
  })
})

describe('a DATA_DIR that is moved away beneath the service', function () {
  it('takes the service out of rotation, and the command line makes no new database in its place', async function () {
    if (process.platform !== 'linux') this.skip()
    const dataDir = makeDataDir()
    const moved = `${dataDir}-moved`
    const service = await launchService(dataDir, { SANDBOX: 'off', RENDER_CONCURRENCY: '0', LOG_LEVEL: 'info' })
    try {
      const text = await eventually(
        () => service.output(),
        (output) => output.includes('"service started"'),
      )
      const [, baseUrl = ''] = /"baseUrl":"([^"]+)".*"service started"/.exec(text) ?? []
      const ready = () => fetchJson(`${baseUrl}/readyz`, 'GET', undefined, {})
      renameSync(dataDir, moved)
      const { body } = await eventually(ready, ({ status }) => status === 503)
      const part = body.parts.find(({ name }: { name: string }) => name === 'storage')
      expect(part.state).to.equal('down')
      expect(part.note).to.include(`no longer in ${dataDir}`)
      for (const args of [
        ['project', 'list'],
        ['project', 'create', 'Lost'],
        ['backup', `${moved}/backup.db`],
      ]) {
        const { code, stderr } = await admin(args, { dataDir })
        expect(code, args.join(' ')).to.equal(1)
        expect(stderr).to.include(dataDir).and.include('moved or deleted')
      }
      expect(existsSync(dataDir)).to.equal(false)
      expect(await refusal(dataDir)).to.include('moved or deleted since its start')
      renameSync(moved, dataDir)
      await eventually(ready, ({ status }) => status === 200)
      expect((await admin(['project', 'create', 'Kept'], { dataDir })).code).to.equal(0)
    } finally {
      await service.kill('SIGTERM')
      for (const folder of [dataDir, moved]) rmSync(folder, { recursive: true, force: true })
    }
  })
})
