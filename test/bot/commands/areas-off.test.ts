import { expect } from 'chai'
import { COMMANDS } from '../../../bot/commands/core/all-commands.ts'
import { createMemberStage, type MemberStage } from '../../support/members.ts'

describe('commands beside music', () => {
  let stage: MemberStage
  beforeEach(async () => {
    stage = await createMemberStage()
  })
  afterEach(() => stage.close())

  const said = async (command: string, options: Record<string, unknown> = {}, by = 1, locale = 'en-US') =>
    (await stage.type(command, options, { by, locale })).text
  const page = async (area: string) => {
    const { messageId } = await stage.type('help', {}, { by: 1 })
    return (await stage.choose(messageId, 'help', [area], { by: 1 })).text
  }

  it('are switched off for a server by its managers, area by area, and say so', async () => {
    expect(await said('settings commands', { area: 'lookups', on: false })).to.contain('“Manage Server”')
    const saved = await said('settings commands', { area: 'lookups', on: false }, 0)
    expect(saved).to.contain('Saved.').and.to.contain('**Other commands:** Pictures, Actions\n')
    const refused = await stage.type('weather', { city: 'Oslo' }, { by: 1 })
    expect([refused.text, refused.isPrivate]).to.deep.equal(['“Lookups” is turned off on this server.', true])
    expect(await said('translate', { text: 'Hej' }, 1, 'de')).to.equal(
      '„Nachschlagen“ ist auf diesem Server ausgeschaltet.',
    )
    const messageId = await stage.write('Hej')
    expect((await stage.pick('Translate', messageId, { by: 1 })).text).to.contain('turned off')
    expect(await said('act', { action: 'hug' })).not.to.contain('turned off')
    expect(await page('lookups'))
      .to.contain('⛔ **/weather**')
      .and.not.to.contain('✅')
    expect(await page('gestures')).to.contain('✅ **/act**')
  })

  it('come back one by one or together', async () => {
    expect(await said('settings commands', { area: 'all', on: false }, 0)).to.contain('**Other commands:** off')
    expect(await said('act', { action: 'hug' })).to.equal('“Actions” is turned off on this server.')
    await stage.sit(1)
    expect(await said('play', { query: 'A' })).to.contain('Now playing')
    expect(await said('settings commands', { area: 'pictures', on: true }, 0)).to.contain(
      '**Other commands:** Pictures\n',
    )
    expect(await said('settings commands', { area: 'all', on: true }, 0)).to.contain('Lookups, Pictures, Actions')
    expect(await said('act', { action: 'hug' })).not.to.contain('turned off')
  })

  it('stand behind the music, and leave room within the hundred that Discord takes', () => {
    expect(COMMANDS.slice(-3).map(({ name }) => name)).to.deep.equal(['image', 'screenshot', 'act'])
    expect(COMMANDS.length).to.be.below(60)
  })
})
