import { expect } from 'chai'
import { createMemberStage, type MemberStage, type Seen } from '../../support/members.ts'

describe('the panel of /settings show', () => {
  let stage: MemberStage
  beforeEach(async () => {
    stage = await createMemberStage()
  })
  afterEach(() => stage.close())

  const show = () => stage.type('settings show')
  const choose = (seen: Seen, customId: string, values: readonly string[]) =>
    stage.choose(seen.messageId, customId, values, { by: 0 })
  const press = (seen: Seen, customId: string) => stage.press(seen.messageId, customId, { by: 0 })
  const now = () => stage.test.settings.get(stage.scope.botId, stage.guild.id)

  it('is a menu of all settings for managers, and a list for others', async () => {
    expect((await show()).customIds).to.deep.equal(['settings'])
    expect((await stage.type('settings show', {}, { by: 1 })).customIds).to.deep.equal([])
  })

  it('switches with buttons, and shows what became of it in the same message', async () => {
    const seen = await show()
    const asked = await choose(seen, 'settings', ['stay'])
    expect(asked.messageId).to.equal(seen.messageId)
    expect(asked.customIds).to.deep.equal(['settings', 'set:stay:true', 'set:stay:false'])
    const changed = await press(seen, 'set:stay:true')
    expect(changed.text).to.contain('Saved.').and.to.contain('**Stay 24/7:** on')
    expect([changed.messageId, changed.customIds]).to.deep.equal([seen.messageId, ['settings']])
    expect((await now()).stays).to.equal(true)
  })

  it('chooses roles, channels and languages in menus, also none', async () => {
    const roleId = await stage.giveRole(2)
    const seen = await show()
    await choose(seen, 'settings', ['dj'])
    await choose(seen, 'pick:dj', [roleId])
    expect((await now()).djRoleId).to.equal(roleId)
    await choose(seen, 'settings', ['dj'])
    await choose(seen, 'pick:dj', [])
    expect((await now()).djRoleId).to.equal(null)
    await choose(seen, 'settings', ['announce'])
    await choose(seen, 'pick:announce', [stage.sandbox.demo.textChannelId])
    await choose(seen, 'settings', ['language'])
    await choose(seen, 'pick:language', ['ja'])
    expect(await now()).to.include({ announceChannelId: stage.sandbox.demo.textChannelId, language: 'ja' })
  })

  it('takes numbers in a form, within their bounds', async () => {
    const seen = await show()
    const form = await choose(seen, 'settings', ['volume'])
    expect(form.answer).to.equal('modal')
    expect((await stage.send(form.whole.interactionId, { value: '40' })).text).to.contain('**Default volume:** 40%')
    const again = await choose(seen, 'settings', ['volume'])
    expect((await stage.send(again.whole.interactionId, { value: '900' })).text).to.contain('isn’t valid')
    expect((await now()).volume).to.equal(40)
  })

  it('asks one after the other where a setting has two parts', async () => {
    const seen = await show()
    await choose(seen, 'settings', ['sponsorblock'])
    const part = await choose(seen, 'pick:sponsorblock', ['intro'])
    expect(part.customIds).to.include('set:sponsorblock:intro:true')
    await press(seen, 'set:sponsorblock:intro:true')
    expect((await now()).sponsorBlock).to.deep.equal(['intro'])
    await choose(seen, 'settings', ['permissions'])
    await choose(seen, 'pick:permissions', ['skip'])
    const changed = await choose(seen, 'pick:permissions:skip', ['dj'])
    expect(changed.text).to.contain('**Skip and go back:** DJs · changed')
    expect(changed.customIds).to.deep.equal(['settings'])
  })
})
