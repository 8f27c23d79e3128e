import { expect } from 'chai'
import { createProjects } from '../../../db/projects/projects.ts'
import {
  createWebPlayerAccess,
  LINK_LIFETIME_MS,
  SESSION_IDLE_MS,
  SESSION_LIFETIME_MS,
  type WebPlayerAccess,
} from '../../../db/people/web-player-access.ts'
import { temporaryDatabase } from '../../support/database.ts'

const GUILD = '100000000000000001'

describe('access to the web player', () => {
  const store = temporaryDatabase()
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

  before(() => {
    projectId = createProjects(store.db).create({ name: 'p', plan: 'scale' }).id
    access = createWebPlayerAccess(store.db, () => clock.nowMs)
  })
  after(() => store.close())

  it('lets a link be used once, and only for the guild that it was made for', () => {
    const secret = access.createLink(member())
    expect(access.redeemLink(secret, '100000000000000002')).to.equal(null)
    expect(access.redeemLink(secret, GUILD)).to.deep.equal(member())
    expect(access.redeemLink(secret, GUILD)).to.equal(null)
  })

  it('ends a link after ten minutes, and when the member asks for another', () => {
    const first = access.createLink(member())
    const second = access.createLink(member())
    expect(access.redeemLink(first, GUILD)).to.equal(null)
    clock.nowMs += LINK_LIFETIME_MS
    expect(access.redeemLink(second, GUILD)).to.equal(null)
  })

  it('keeps nothing in the database that would open a session', () => {
    const secrets = [access.createLink(member()), access.openSession(member())]
    const rows = store.db.prepare('SELECT * FROM web_player_link').all()
    const sessions = store.db.prepare('SELECT * FROM web_player_session').all()
    const kept = [...rows, ...sessions]
      .flatMap((row) => Object.values(row as object))
      .map((value) => {
        return Buffer.isBuffer(value) ? value.toString('hex') : String(value)
      })
    expect(kept.length).to.be.greaterThan(10)
    for (const secret of secrets) expect(kept).not.to.include(secret)
  })

  it('ends a session that is not seen for a day, and any after a week', () => {
    const idle = access.openSession(member())
    const used = access.openSession(member())
    for (let passedMs = 0; passedMs < SESSION_LIFETIME_MS; passedMs += SESSION_IDLE_MS / 2) {
      expect(access.resumeSession(used, GUILD)?.userId, `after ${passedMs} ms`).to.equal(member().userId)
      clock.nowMs += SESSION_IDLE_MS / 2
    }
    expect(access.resumeSession(idle, GUILD)).to.equal(null)
    expect(access.resumeSession(used, GUILD)).to.equal(null)
  })

  it('ends all sessions and links of one member and of no other', () => {
    const own = [access.openSession(member()), access.openSession(member())]
    const link = access.createLink(member())
    const other = access.openSession(member('300000000000000002'))
    expect(access.endAll(member())).to.equal(2)
    for (const secret of own) expect(access.resumeSession(secret, GUILD)).to.equal(null)
    expect(access.redeemLink(link, GUILD)).to.equal(null)
    expect(access.resumeSession(other, GUILD)?.userId).to.equal('300000000000000002')
  })

  it('keeps ten sessions of a member: the one that was seen the longest ago goes first', () => {
    const first = access.openSession(member('300000000000000003'))
    const all = Array.from({ length: 9 }, () => {
      clock.nowMs += 1000
      return access.openSession(member('300000000000000003'))
    })
    clock.nowMs += 61_000
    expect(access.resumeSession(first, GUILD)).not.to.equal(null)
    access.openSession(member('300000000000000003'))
    expect(access.resumeSession(first, GUILD)).not.to.equal(null)
    expect(access.resumeSession(all[0] ?? '', GUILD)).to.equal(null)
  })
})
