import { expect } from 'chai'
import sql from 'sql-template-tag'
import {
  createWebPlayerAccess,
  LINK_LIFETIME_MS,
  SESSION_IDLE_MS,
  SESSION_LIFETIME_MS,
  type WebPlayerAccess,
} from '../../../db/people/web-player-access.ts'
import { addProject, describeOnEachEngine } from '../../support/stores.ts'

const GUILD = '100000000000000001'

describeOnEachEngine('access to the web player', (opened) => {
  const clock = { nowMs: 1_000_000_000 }
  let access: WebPlayerAccess
  let projectId: string
  const member = (userId = '300000000000000001') => ({
    projectId,
    guildId: GUILD,
    userId,
    channelId: '200000000000000001',
    locale: 'de',
  })

  beforeEach(async () => {
    projectId = await addProject(opened.store)
    access = createWebPlayerAccess(opened.store, () => clock.nowMs)
  })

  it('lets a link be used once, and only for the guild that it was made for', async () => {
    const secret = await access.createLink(member())
    expect(await access.redeemLink(secret, '100000000000000002')).to.equal(null)
    expect(await access.redeemLink(secret, GUILD)).to.deep.equal(member())
    expect(await access.redeemLink(secret, GUILD)).to.equal(null)
  })

  it('ends a link after ten minutes, and when the member asks for another', async () => {
    const first = await access.createLink(member())
    const second = await access.createLink(member())
    expect(await access.redeemLink(first, GUILD)).to.equal(null)
    clock.nowMs += LINK_LIFETIME_MS
    expect(await access.redeemLink(second, GUILD)).to.equal(null)
  })

  it('keeps nothing in the database that would open a session', async () => {
    const secrets = [await access.createLink(member()), await access.openSession(member())]
    const rows = await opened.store.all(sql`SELECT * FROM web_player_link`)
    const sessions = await opened.store.all(sql`SELECT * FROM web_player_session`)
    const kept = [...rows, ...sessions]
      .flatMap((row) => Object.values(row as object))
      .map((value) => {
        return Buffer.isBuffer(value) ? value.toString('hex') : String(value)
      })
    expect(kept.length).to.be.greaterThan(10)
    for (const secret of secrets) expect(kept).not.to.include(secret)
  })

  it('ends a session that is not seen for a day, and any after a week', async () => {
    const idle = await access.openSession(member())
    const used = await access.openSession(member())
    for (let passedMs = 0; passedMs < SESSION_LIFETIME_MS; passedMs += SESSION_IDLE_MS / 2) {
      expect((await access.resumeSession(used, GUILD))?.userId, `after ${passedMs} ms`).to.equal(member().userId)
      clock.nowMs += SESSION_IDLE_MS / 2
    }
    expect(await access.resumeSession(idle, GUILD)).to.equal(null)
    expect(await access.resumeSession(used, GUILD)).to.equal(null)
  })

  it('ends all sessions and links of one member and of no other', async () => {
    const own = [await access.openSession(member()), await access.openSession(member())]
    const link = await access.createLink(member())
    const other = await access.openSession(member('300000000000000002'))
    const left = await access.openSession(member())
    await access.endSession(left)
    expect(await access.resumeSession(left, GUILD)).to.equal(null)
    expect(await access.endAll(member())).to.equal(2)
    for (const secret of own) expect(await access.resumeSession(secret, GUILD)).to.equal(null)
    expect(await access.redeemLink(link, GUILD)).to.equal(null)
    expect((await access.resumeSession(other, GUILD))?.userId).to.equal('300000000000000002')
  })

  it('keeps ten sessions of a member: the one that was seen the longest ago goes first', async () => {
    const first = await access.openSession(member('300000000000000003'))
    const all: string[] = []
    for (let i = 0; i < 9; i++) {
      clock.nowMs += 1000
      all.push(await access.openSession(member('300000000000000003')))
    }
    clock.nowMs += 61_000
    expect(await access.resumeSession(first, GUILD)).not.to.equal(null)
    await access.openSession(member('300000000000000003'))
    expect(await access.resumeSession(first, GUILD)).not.to.equal(null)
    expect(await access.resumeSession(all[0] ?? '', GUILD)).to.equal(null)
  })
})
