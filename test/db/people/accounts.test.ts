import { expect } from 'chai'
import { createAccounts, type Accounts } from '../../../db/people/accounts.ts'
import { createAudit } from '../../../db/people/audit.ts'
import { createInviteLinks } from '../../../db/people/invite-links.ts'
import { createMemberships, type Memberships } from '../../../db/people/memberships.ts'
import { createSessions } from '../../../db/people/sessions.ts'
import { addProject, describeOnEachEngine } from '../../support/stores.ts'
import { faultOf } from '../../support/web.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A value sealed for one name opens for no other. */
const vault = {
  seal: (name: string, text: string) => Buffer.from(`${name} ${text}`),
  open: (name: string, sealed: Buffer) => sealed.toString().slice(name.length + 1),
}

describeOnEachEngine('people of the dashboard', (opened) => {
  const clock = { nowMs: NOON }
  const now = () => clock.nowMs
  let accounts: Accounts
  let memberships: Memberships
  let projectId: string

  beforeEach(async () => {
    clock.nowMs = NOON
    accounts = createAccounts(opened.store, vault, now)
    memberships = createMemberships(opened.store, now)
    projectId = await addProject(opened.store)
  })

  it('have one name and one Discord account each, whatever the case of the name', async () => {
    expect(await accounts.hasAnybody()).to.equal(false)
    const mara = await accounts.create({ name: ' Mara ', password: '$argon', discordId: '81', isOperator: true })
    expect(mara).to.include({ name: 'Mara', hasPassword: true, hasTotp: false, isOperator: true, createdAtMs: NOON })
    expect(await accounts.hasAnybody()).to.equal(true)
    expect((await accounts.findByName(' MARA'))?.id).to.equal(mara.id)
    expect((await accounts.findByDiscord('81'))?.id).to.equal(mara.id)
    expect(await accounts.password(mara.id)).to.equal('$argon')
    expect((await faultOf(accounts.create({ name: 'mARA' }))).message).to.include('Choose another one')
    expect((await faultOf(accounts.create({ name: 'Ben', discordId: '81' }))).code).to.equal('conflict')
    const ben = await accounts.create({ name: 'Ben' })
    expect((await faultOf(accounts.change(ben.id, { name: 'mara' }))).code).to.equal('conflict')
    expect(await accounts.change(mara.id, { name: 'MARA', theme: 'dark' })).to.include({ name: 'MARA', theme: 'dark' })
    expect(await accounts.password(mara.id), 'stays').to.equal('$argon')
    expect((await accounts.change(mara.id, { discordId: null })).discordId).to.equal(null)
    expect((await faultOf(accounts.change('usr_none', {}))).code).to.equal('not_found')
    expect((await accounts.list()).map(({ name }) => name)).to.have.members(['MARA', 'Ben'])
  })

  it('take each code of a second factor once, and none before it', async () => {
    const { id } = await accounts.create({ name: 'Mara' })
    expect(await accounts.totpSecret(id)).to.equal(null)
    await accounts.setTotp(id, 'JBSWY3DPEHPK3PXP')
    expect(await accounts.totpSecret(id)).to.equal('JBSWY3DPEHPK3PXP')
    expect((await accounts.find(id))?.hasTotp).to.equal(true)
    expect(await Promise.all([7, 7].map((step) => accounts.useTotpStep(id, step)))).to.have.members([true, false])
    expect([await accounts.useTotpStep(id, 6), await accounts.useTotpStep(id, 8)]).to.deep.equal([false, true])
    await accounts.setTotp(id, null)
    expect((await accounts.find(id))?.hasTotp).to.equal(false)
  })

  it('are members of projects, of which each keeps an owner', async () => {
    const other = await addProject(opened.store, 'prj_another')
    const [mara, ben] = [(await accounts.create({ name: 'mara' })).id, (await accounts.create({ name: 'Ben' })).id]
    await memberships.set(projectId, ben, 'viewer')
    await memberships.adoptOrphans(mara)
    expect((await memberships.projectsOf(mara)).map(({ id, role }) => [id, role])).to.deep.equal([
      [other, 'owner'],
      [projectId, 'owner'],
    ])
    expect((await memberships.members(projectId)).map(({ name, role }) => [name, role])).to.deep.equal([
      ['mara', 'owner'],
      ['Ben', 'viewer'],
    ])
    expect((await faultOf(memberships.set(projectId, mara, 'viewer'))).message).to.include('at least one owner')
    expect((await faultOf(memberships.remove(projectId, mara))).code).to.equal('conflict')
    expect(await memberships.role(projectId, mara)).to.equal('owner')
    await memberships.set(projectId, ben, 'owner')
    expect(await memberships.remove(projectId, mara)).to.equal(true)
    expect(await memberships.remove(projectId, mara)).to.equal(false)
    expect(await memberships.hidesSteps(projectId, ben)).to.equal(false)
    await memberships.hideSteps(projectId, ben)
    expect(await memberships.hidesSteps(projectId, ben)).to.equal(true)
  })

  it('are signed in for as long as they are seen, in fifty browsers at most', async () => {
    const sessions = createSessions(opened.store, now)
    const { id: accountId } = await accounts.create({ name: 'Mara' })
    const open = () => sessions.open({ accountId, address: '192.0.2.7', userAgent: 'x'.repeat(400) })
    const [first, idle] = [await open(), await open()]
    clock.nowMs += 11 * HOUR_MS
    expect(await sessions.resume(first)).to.include({ accountId, seenAtMs: NOON, userAgent: 'x'.repeat(300) })
    expect((await sessions.list(accountId))[0]?.seenAtMs).to.equal(clock.nowMs)
    clock.nowMs += 2 * HOUR_MS
    expect(await sessions.resume(idle)).to.equal(null)
    expect(await sessions.resume('ab'.repeat(32))).to.equal(null)
    for (let i = 0; i < 55; i += 1) await open()
    expect(await sessions.list(accountId)).to.have.lengthOf(50)
    const [kept, ended] = await sessions.list(accountId)
    expect(await sessions.end(accountId, ended?.id ?? '')).to.equal(true)
    expect(await sessions.end('usr_other', kept?.id ?? '')).to.equal(false)
    await sessions.endOthers(accountId, kept?.id ?? '')
    expect((await sessions.list(accountId)).map(({ id }) => id)).to.deep.equal([kept?.id])
    await sessions.endOthers(accountId, null)
    expect(await sessions.list(accountId)).to.deep.equal([])
  })

  it('come by links that work once, with what they create or not at all', async () => {
    const links = createInviteLinks(opened.store, now)
    const lifetimeMs = HOUR_MS
    const make = () => links.make({ kind: 'invitation', projectId, role: 'viewer', madeBy: 'Mara', lifetimeMs })
    const link = (await links.find(await make())) ?? expect.fail('It does not work.')
    await accounts.create({ name: 'Taken' })
    expect((await faultOf(links.redeem(link, () => accounts.create({ name: 'taken' })))).code).to.equal('conflict')
    expect((await links.invitations(projectId)).map(({ id }) => id)).to.deep.equal([link.id])
    const made = await Promise.all(['Ada', 'Eve'].map((name) => links.redeem(link, () => accounts.create({ name }))))
    expect(made.filter((account) => account !== null)).to.have.lengthOf(1)
    expect(await accounts.list()).to.have.lengthOf(2)
    const late = await make()
    const withdrawn = (await links.invitations(projectId))[0]?.id ?? ''
    expect(await links.withdraw('prj_other', withdrawn)).to.equal(false)
    clock.nowMs += lifetimeMs
    expect(await links.find(late)).to.equal(null)
    const sandbox = async () => links.make({ kind: 'sandbox', madeBy: 'start', lifetimeMs: DAY_MS })
    const [before, after] = [await sandbox(), await sandbox()]
    expect(await links.find(before), 'ended by the next').to.equal(null)
    const own = (await links.find(after)) ?? expect.fail('It does not work.')
    for (let i = 0; i < 2; i += 1) expect(await links.redeem(own, async () => 'in')).to.equal('in')
    await links.endAll('sandbox')
    expect(await links.find(after)).to.equal(null)
    const start = () => links.make({ kind: 'first', madeBy: 'start', lifetimeMs: DAY_MS })
    const firsts = [await start(), await start()]
    const newest = (await links.find(firsts.at(-1) ?? '')) ?? expect.fail('It does not work.')
    expect(await links.redeem(newest, async () => 'in')).to.equal('in')
    for (const secret of firsts) expect(await links.find(secret), 'all end with the first account').to.equal(null)
  })

  it('invite for as long as they own the project, and end with their links', async () => {
    const links = createInviteLinks(opened.store, now)
    const members = createMemberships(opened.store, now)
    const [one, other] = [await accounts.create({ name: 'One' }), await accounts.create({ name: 'Other' })]
    for (const { id } of [one, other]) await members.set(projectId, id, 'owner')
    const invitation = { kind: 'invitation', projectId, role: 'owner', lifetimeMs: HOUR_MS } as const
    const own = await links.make({ ...invitation, accountId: one.id, madeBy: 'One' })
    const ofBefore = await links.make({ ...invitation, madeBy: 'One' })
    const link = (await links.find(own)) ?? expect.fail('It does not work.')
    expect(await links.find(ofBefore)).not.to.equal(null)
    await members.set(projectId, one.id, 'manager')
    for (const secret of [own, ofBefore]) expect(await links.find(secret), 'no owner any more').to.equal(null)
    expect(await links.invitations(projectId)).to.deep.equal([])
    expect(await links.redeem(link, async () => 'in'), 'looked at before').to.equal(null)
    const late = await links.make({ ...invitation, accountId: other.id, madeBy: 'Other' })
    await members.set(projectId, one.id, 'owner')
    await members.remove(projectId, other.id)
    expect(await links.find(late), 'no member any more').to.equal(null)
    const again = await links.make({ ...invitation, accountId: one.id, madeBy: 'One' })
    await accounts.remove(one.id)
    expect([await accounts.find(one.id), await links.find(again)]).to.deep.equal([null, null])
  })

  it('make the first account by a link for as long as there is none', async () => {
    const links = createInviteLinks(opened.store, now)
    const first = await links.make({ kind: 'first', madeBy: 'start', lifetimeMs: HOUR_MS })
    expect(await links.find(first)).not.to.equal(null)
    await accounts.create({ name: 'By Discord', discordId: '81384788765712384' })
    expect(await links.find(first)).to.equal(null)
  })

  it('leave a log that is found by kind, time and text, page by page', async () => {
    const audit = createAudit(opened.store, now)
    const whose = { projectId, accountId: 'usr_1', who: 'Mara', address: '192.0.2.7' }
    for (let i = 0; i < 6; i += 1) {
      clock.nowMs += HOUR_MS
      const action = i % 2 === 0 ? 'player.skip' : 'key.created'
      await audit.write({ ...whose, action, target: `T_${i}%`, detail: { prefix: `p${i}`, n: i } })
    }
    await audit.write({ ...whose, projectId: null, who: 'Ben', action: 'session.opened', target: 'Ben', detail: {} })
    const targets = async (query: object) => {
      const { entries } = await audit.list({ projectId, limit: 10, ...query })
      return entries.map(({ target }) => target)
    }
    expect(await targets({})).to.deep.equal(['T_5%', 'T_4%', 'T_3%', 'T_2%', 'T_1%', 'T_0%'])
    expect(await targets({ kind: 'change' })).to.deep.equal(['T_5%', 'T_3%', 'T_1%'])
    expect(await targets({ area: 'player' })).to.deep.equal(['T_4%', 'T_2%', 'T_0%'])
    expect(await targets({ who: 'mARA', target: 't_4%' }), 'in any case').to.deep.equal(['T_4%'])
    expect(await targets({ text: 'P3' })).to.deep.equal(['T_3%'])
    expect(await targets({ text: 'T%' }), 'no pattern').to.deep.equal([])
    expect(await targets({ fromMs: NOON + 2 * HOUR_MS, toMs: NOON + 4 * HOUR_MS })).to.deep.equal(['T_2%', 'T_1%'])
    const first = await audit.list({ projectId, limit: 4 })
    expect(first.entries[0]).to.deep.include({ ...whose, detail: { prefix: 'p5', n: 5 }, atMs: NOON + 6 * HOUR_MS })
    const second = await audit.list({ projectId, limit: 4, before: first.next ?? 0 })
    expect(second.entries.map(({ target }) => target)).to.deep.equal(['T_1%', 'T_0%'])
    expect(second.next).to.equal(null)
    expect((await audit.ofAccount('usr_1', 5)).map(({ action }) => action)).to.deep.equal(['session.opened'])
    clock.nowMs += 400 * DAY_MS
    await audit.write({ ...whose, action: 'key.created', target: 'new', detail: {} })
    expect(await targets({}), 'kept for a year').to.deep.equal(['new'])
  })
})
