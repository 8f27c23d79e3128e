import { expect } from 'chai'
import sql from 'sql-template-tag'
import { createBotRecords, type BotRecords } from '../../../db/projects/bots.ts'
import { createKeys, type Keys } from '../../../db/projects/keys.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { createVault } from '../../../db/engine/vault.ts'
import { describeOnEachEngine } from '../../support/stores.ts'
import { faultOf } from '../../support/web.ts'

const BOT = '222222222222222222'

describeOnEachEngine('Bots', (opened) => {
  let keys: Keys
  let bots: BotRecords
  let projectId: string
  let otherId: string

  beforeEach(async () => {
    keys = createKeys(opened.store)
    bots = createBotRecords(opened.store, createVault({ tokenKey: '07'.repeat(32), dataDir: '/nowhere' }))
    const projects = createProjects(opened.store)
    projectId = (await projects.create({ name: 'Ours', plan: 'free' })).id
    otherId = (await projects.create({ name: 'Theirs', plan: 'free' })).id
    await bots.add({ id: BOT, projectId, name: 'Band', token: 'first token' })
  })

  it('keeps a token so that only its own bot and project read it, and never in the clear', async () => {
    expect(await bots.token(projectId, BOT)).to.equal('first token')
    expect((await faultOf(bots.token(otherId, BOT))).message).to.match(/has no bot/)
    const [row] = await opened.store.all<{ sealed: Buffer }>(sql`SELECT sealed_token AS sealed FROM bot`)
    expect(row?.sealed.toString('latin1')).not.to.include('token')
  })

  it('gives a bot that is added again its new token', async () => {
    const { createdAtMs } = (await bots.list(projectId))[0] ?? {}
    await bots.add({ id: BOT, projectId, name: 'Band 2', token: 'second token' })
    expect(await bots.token(projectId, BOT)).to.equal('second token')
    const bot = { id: BOT, projectId, name: 'Band 2', sandbox: false, stopped: false, mayListen: false, createdAtMs }
    expect(await bots.list(projectId)).to.deep.equal([bot])
  })

  it('leaves a bot with the project that has it, until that one removes it', async () => {
    const steal = () => bots.add({ id: BOT, projectId: otherId, name: 'Band', token: 'x' })
    expect((await faultOf(steal())).message).to.match(new RegExp(`belongs to the project ${projectId}`))
    expect(await bots.remove(otherId, BOT)).to.equal(false)
    expect(await bots.remove(projectId, BOT)).to.equal(true)
    expect((await steal()).projectId).to.equal(otherId)
    expect(await bots.projectOf(BOT)).to.equal(otherId)
  })

  it('lets no key of a former project steer a bot in its new one', async () => {
    const { id } = await keys.create({ projectId, botId: BOT })
    await bots.remove(projectId, BOT)
    expect((await keys.list(projectId))[0]?.botId, 'the key stays linked and so hears no other bot').to.equal(BOT)
    const move = () => bots.add({ id: BOT, projectId: otherId, name: 'Band', token: 'x' })
    expect((await faultOf(move())).message).to.match(/Another project has active keys/)
    await keys.revoke(projectId, id)
    expect((await move()).projectId).to.equal(otherId)
  })

  it('keeps what was switched, for its own project alone', async () => {
    expect((await bots.setStopped(projectId, BOT, true)).stopped).to.equal(true)
    expect(await bots.setMayListen(projectId, BOT, true)).to.deep.include({ stopped: true, mayListen: true })
    expect((await faultOf(bots.setStopped(otherId, BOT, false))).code).to.equal('not_found')
    expect((await bots.listAll()).map(({ id, stopped }) => ({ id, stopped }))).to.deep.equal([
      { id: BOT, stopped: true },
    ])
  })

  it('belong to projects that are listed the oldest first, by the names that they have now', async () => {
    const projects = createProjects(opened.store)
    await projects.rename(otherId, 'Renamed')
    expect((await projects.list()).map(({ name }) => name)).to.deep.equal(['Ours', 'Renamed'])
    expect((await projects.setPlan(otherId, 'scale')).plan).to.equal('scale')
  })
})
