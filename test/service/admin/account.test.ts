import { expect } from 'chai'
import { admin as run } from '../../support/admin.ts'
import { temporaryFolder } from '../../support/database.ts'
import { openDatabase } from '../../../db/engine/open.ts'
import { createSqliteStore } from '../../../db/engine/sqlite-store.ts'
import { createAccounts } from '../../../db/people/accounts.ts'
import { createInviteLinks } from '../../../db/people/invite-links.ts'
import { createMemberships } from '../../../db/people/memberships.ts'
import { createVault } from '../../../db/engine/vault.ts'

describe('account commands', () => {
  const folder = temporaryFolder()
  const dataDir = folder.path
  const db = openDatabase({ dataDir })
  const store = createSqliteStore(db)
  const accounts = createAccounts(store, createVault({ tokenKey: null, dataDir }))
  const admin = (args: readonly string[]) => run([...args, '--json'], { dataDir })

  before(() => accounts.create({ name: 'Ada', password: 'x', isOperator: true }))
  after(() => {
    db.close()
    folder.remove()
  })

  it('lists who there is, without secrets', async () => {
    const { json, stdout } = await admin(['account', 'list'])
    expect(json).to.have.length(1)
    expect(json[0]).to.include({ name: 'Ada', operator: true, password: true, secondFactor: false })
    expect(stdout).not.to.include('"x"')
  })

  it('makes a link that sets a new password, and turns the second factor off where that is wanted', async () => {
    const id = (await accounts.findByName('Ada'))?.id ?? ''
    await accounts.setTotp(id, 'JBSWY3DPEHPK3PXP')
    const { json } = await admin(['account', 'link', 'ada', '--drop-second-factor'])
    expect(json.url).to.match(/^http:\/\/127\.0\.0\.1:8080\/dashboard\/enter\?token=[0-9a-f]{64}$/)
    const link = await createInviteLinks(store).find(json.url.split('token=')[1])
    expect(link).to.include({ kind: 'reset', accountId: id })
    expect((await accounts.find(id))?.hasTotp).to.equal(false)
  })

  it('gives a role in a project', async () => {
    const project = (await admin(['project', 'create', 'Test'])).json.id
    await admin(['account', 'grant', 'Ada', project, '--role', 'owner'])
    expect(await createMemberships(store).role(project, (await accounts.findByName('Ada'))?.id ?? '')).to.equal('owner')
    expect((await admin(['account', 'grant', 'Nobody', project])).stderr).to.include(
      'There is no account Nobody. List all: npm run admin -- account list',
    )
  })
})
