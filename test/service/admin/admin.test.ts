import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { keyDigest, createKeys } from '../../../db/projects/keys.ts'
import { openDatabase } from '../../../db/engine/open.ts'
import { createSqliteStore } from '../../../db/engine/sqlite-store.ts'
import { admin as run, type AdminRun } from '../../support/admin.ts'
import { temporaryFolder } from '../../support/database.ts'

describe('the admin command line', () => {
  const folder = temporaryFolder()
  const dataDir = join(folder.path, 'fresh')
  const admin = (...args: string[]): Promise<AdminRun> => run(args, { dataDir })
  const newProject = async () => (await admin('project', 'create', 'Test', '--json')).json.id as string
  after(() => folder.remove())

  it('needs no database for its help, and has help with examples for every command', async () => {
    for (const group of ['project', 'key', 'bot']) {
      const { code, stdout } = await admin(group, '--help')
      expect(code, group).to.equal(0)
      expect(stdout).to.include('Examples:')
      for (const [, command] of stdout.matchAll(/^ {2}([a-z]+) \[options\]/gm)) {
        const help = await admin(group, command ?? '', '--help')
        expect(help.code).to.equal(0)
        expect(help.stdout).to.include('--json')
      }
    }
    expect(existsSync(dataDir)).to.equal(false)
  })

  it('works on a DATA_DIR that is not there yet', async () => {
    const { code, json } = await admin('project', 'create', 'First', '--plan', 'scale', '--json')
    expect(code).to.equal(0)
    expect(json).to.include({ name: 'First', plan: 'scale' })
    expect((await admin('project', 'list', '--json')).json).to.deep.equal([json])
  })

  it('works while another process has the database open', async () => {
    const db = openDatabase({ dataDir })
    const { key } = (await admin('key', 'create', '--project', await newProject(), '--json')).json
    expect(await createKeys(createSqliteStore(db)).findByDigest(keyDigest(key))).to.not.equal(null)
    db.close()
  })

  it('changes a plan', async () => {
    const id = await newProject()
    expect((await admin('project', 'plan', id, 'advanced', '--json')).json).to.include({ id, plan: 'advanced' })
    const { code, stderr } = await admin('project', 'plan', 'prj_none', 'free')
    expect(code).to.equal(1)
    expect(stderr).to.equal('error: There is no project prj_none.\n')
  })

  it('makes a key with all its limits, lists it without the key, and revokes it', async () => {
    const project = await newProject()
    const limits = [
      '--name',
      'Mine',
      '--expires',
      '2099-01-31',
      '--allow',
      '10.0.0.0/8,::1',
      '--classes',
      'cheap,fetch',
    ]
    const made = (await admin('key', 'create', '--project', project, ...limits, '--json')).json
    expect(made).to.deep.include({
      name: 'Mine',
      expiresAt: '2099-01-31T00:00:00.000Z',
      allow: ['10.0.0.0/8', '::1/128'],
      classes: ['cheap', 'fetch'],
      state: 'active',
    })
    expect(made.key)
      .to.equal(`svc.${made.key.slice(4)}`)
      .and.to.include(made.prefix)
    const { key, ...rest } = made
    expect(key).to.match(/^svc\.[0-9a-f]{64}$/)
    expect((await admin('key', 'list', '--project', project, '--json')).json).to.deep.equal([rest])
    expect((await admin('key', 'revoke', made.id, '--json')).json).to.include({ id: made.id, state: 'revoked' })
  })

  it('rotates a key with a grace', async () => {
    const project = await newProject()
    const old = (await admin('key', 'create', '--project', project, '--name', 'Site', '--json')).json
    const fresh = (await admin('key', 'rotate', old.id, '--grace', '24h', '--json')).json
    expect(fresh).to.include({ name: 'Site', state: 'active', expiresAt: null })
    expect(fresh.key).not.to.equal(old.key)
    const [listed] = (await admin('key', 'list', '--project', project, '--json')).json
    expect(Date.parse(listed.expiresAt)).to.be.closeTo(Date.now() + 86_400_000, 60_000)
  })

  it('shows people the same in words, and the warning that a key is shown once', async () => {
    const project = await newProject()
    const made = await admin('key', 'create', '--project', project)
    expect(made.stdout).to.match(/^id +key_[0-9a-f]+\nkey +svc\.[0-9a-f]{64}\n$/)
    expect(made.stderr).to.include("can't show it again")
    const { stdout } = await admin('key', 'list', '--project', project)
    expect(stdout).to.match(
      /^id +key +state +bot or pool +last used +expires +name\nkey_\S+ +svc\.[0-9a-f]{8}… +active +- /,
    )
  })

  const mistakes: readonly (readonly [what: string, args: readonly string[], says: RegExp])[] = [
    ['an unknown command', ['key', 'creat'], /unknown command 'creat'\n\(Did you mean create\?\)/],
    ['no command', ['key'], /Usage: npm run admin -- key/],
    ['an unknown option', ['project', 'list', '--jsn'], /unknown option '--jsn'/],
    ['a missing project', ['key', 'create'], /required option '--project <id>' not specified/],
    ['a project that is not there', ['key', 'create', '--project', 'x'], /error: There is no project x\./],
    [
      'an unknown plan',
      ['project', 'create', 'x', '--plan', 'gold'],
      /Allowed choices are free, standard, advanced, scale/,
    ],
    ['an empty name', ['project', 'create', ' '], /1 to 100 characters/],
    ['a time in other words', ['key', 'create', '--project', 'x', '--expires', 'tomorrow'], /Must be an ISO 8601 time/],
    ['a day that is none', ['key', 'create', '--project', 'x', '--expires', '2027-13-01'], /Must be an ISO 8601 time/],
    ['a span without unit', ['key', 'rotate', 'x', '--grace', '24'], /Must be a number and a unit/],
    ['a key that is not there', ['key', 'revoke', 'x'], /There is no key x/],
    ['a bot that is not there', ['bot', 'remove', 'x'], /There is no bot x/],
    ['keys of a project that is not there', ['key', 'list', '--project', 'x'], /There is no project x/],
  ]
  for (const [what, args, says] of mistakes) {
    it(`answers ${what} with a clear message, a non-zero code and nothing on standard output`, async () => {
      const { code, stdout, stderr } = await admin(...args)
      expect(code).to.not.equal(0)
      expect(stdout).to.equal('')
      expect(stderr).to.match(says)
      expect(stderr).to.not.include(' at ')
    })
  }

  it('refuses address ranges and route classes that are none', async () => {
    const project = await newProject()
    const create = (...limits: string[]) => admin('key', 'create', '--project', project, ...limits)
    expect((await create('--allow', '10.0.0.0/99')).stderr).to.match(/10\.0\.0\.0\/99 isn't an IP address or range/)
    expect((await create('--classes', 'cheap,royal')).stderr).to.match(/Unknown route class royal. Use cheap/)
    expect((await create('--bot', '123456789012345678')).stderr).to.match(/has no bot 123456789012345678/)
    expect((await create('--expires', '2020-01-01')).stderr).to.match(/must be in the future/)
  })

  it('says everything that is wrong with its settings', async () => {
    const env = { TOKEN_KEY: 'short', PORT: 'many' }
    const { code, stderr } = await run(['project', 'list'], { dataDir, env })
    expect(code).to.equal(1)
    expect(stderr)
      .to.match(/TOKEN_KEY: .*\n?/)
      .and.to.include('PORT')
  })
})
