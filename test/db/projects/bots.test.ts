import { expect } from 'chai'
import { createBotRecords } from '../../../db/projects/bots.ts'
import { createKeys } from '../../../db/projects/keys.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { createVault } from '../../../db/engine/vault.ts'
import { Fault } from '../../../lib/errors.ts'
import { temporaryDatabase } from '../../support/database.ts'

const BOT = '222222222222222222'

describe('bots and players', () => {
  const { db, dataDir, close } = temporaryDatabase()
  const projects = createProjects(db)
  const keys = createKeys(db)
  const bots = createBotRecords(db, createVault({ tokenKey: null, dataDir }))
  let projectId: string
  let otherId: string
  after(close)

  beforeEach(() => {
    for (const bot of bots.listAll()) bots.remove(bot.projectId, bot.id)
    db.exec('DELETE FROM api_key')
    projectId = projects.create({ name: 'Ours', plan: 'free' }).id
    otherId = projects.create({ name: 'Theirs', plan: 'free' }).id
    bots.add({ id: BOT, projectId, name: 'Band', token: 'first token' })
  })

  it('keeps a token so that only its own bot and project read it, and never in the clear', () => {
    expect(bots.token(projectId, BOT)).to.equal('first token')
    expect(() => bots.token(otherId, BOT)).to.throw(Fault, /has no bot/)
    expect(db.prepare('SELECT sealed_token FROM bot').pluck().get()?.toString()).not.to.include('token')
  })

  it('gives a bot that is added again its new token', () => {
    const { createdAtMs } = bots.list(projectId)[0] ?? {}
    bots.add({ id: BOT, projectId, name: 'Band 2', token: 'second token' })
    expect(bots.token(projectId, BOT)).to.equal('second token')
    const bot = { id: BOT, projectId, name: 'Band 2', sandbox: false, stopped: false, mayListen: false, createdAtMs }
    expect(bots.list(projectId)).to.deep.equal([bot])
  })

  it('leaves a bot with the project that has it, until that one removes it', () => {
    const steal = () => bots.add({ id: BOT, projectId: otherId, name: 'Band', token: 'x' })
    expect(steal).to.throw(Fault, new RegExp(`belongs to the project ${projectId}`))
    expect(bots.remove(otherId, BOT)).to.equal(false)
    expect(bots.remove(projectId, BOT)).to.equal(true)
    expect(steal().projectId).to.equal(otherId)
    expect(bots.projectOf(BOT)).to.equal(otherId)
  })

  it('lets no key of a former project steer a bot in its new one', () => {
    const { id } = keys.create({ projectId, botId: BOT })
    bots.remove(projectId, BOT)
    expect(keys.list(projectId)[0]?.botId, 'the key stays linked and so hears no other bot').to.equal(BOT)
    const move = () => bots.add({ id: BOT, projectId: otherId, name: 'Band', token: 'x' })
    expect(move).to.throw(Fault, /Another project has active keys/)
    keys.revoke(projectId, id)
    expect(move().projectId).to.equal(otherId)
  })
})
