import { expect } from 'chai'
import { COMMANDS } from '../../../bot/commands/core/all-commands.ts'
import { AREA_NAMES, COMMAND_NEEDS } from '../../../bot/commands/help/areas.ts'
import { LANGUAGES } from '../../../lib/texts/languages.ts'
import { createMemberStage, type MemberStage } from '../../support/members.ts'

describe('/help', () => {
  let stage: MemberStage
  beforeEach(async () => {
    stage = await createMemberStage()
  })
  afterEach(() => stage.close())

  const help = (by: number, command?: string, locale = 'en-US') =>
    stage.type('help', command === undefined ? {} : { command }, { by, locale })
  const open = async (area: string, by: number) => {
    const { messageId } = await help(by)
    return (await stage.choose(messageId, 'help', [area], { by })).text
  }

  it('knows what the commands need by names that there are', () => {
    const names = COMMANDS.map(({ name }) => name)
    expect(names).to.include.members([...COMMAND_NEEDS.keys()])
    expect(new Set(names).size).to.equal(names.length)
  })

  it('shows the commands of an area to the member alone, and the other areas from a menu', async () => {
    const first = await help(1)
    expect(first.isPrivate).to.equal(true)
    expect(first.text).to.contain('Find and play music').and.contain('✅ **/play** Play a track')
    expect(await open('sound', 1)).to.contain('**/filter** Apply an audio filter')
  })

  it('tells what the server lets the member do: at once, by a vote, or not', async () => {
    for (const member of [1, 2]) await stage.sit(member)
    await stage.type('play', { query: 'a' }, { by: 2 })
    expect(await open('control', 1))
      .to.contain('🗳️ **/skip**')
      .and.contain('✅ **/resume**')
      .and.contain('🗳️ by vote')
    expect(await open('control', 2), 'of the requester').to.contain('✅ **/skip**')
    expect(await open('control', 0), 'of the owner')
      .to.contain('✅ **/stop**')
      .and.not.contain('by vote')
    await stage.type('settings permissions', { action: 'skip', who: 'dj' })
    expect(await open('control', 1))
      .to.contain('🔒 **/skip**')
      .and.contain('not allowed for you')
    expect(await open('server', 1)).to.contain('🔒 **/settings**')
    await stage.sit(1, null)
    expect(await open('control', 1), 'before one listens')
      .to.contain('🔒 **/skip**')
      .and.contain('🗳️ **/pause**')
  })

  it('tells what is switched off', async () => {
    await stage.type('settings screenshots', { on: false })
    expect(await open('pictures', 1))
      .to.contain('⛔ **/screenshot**')
      .and.contain('turned off')
    expect(await open('play', 1), 'no directory of stations').to.contain('⛔ **/radio**')
  })

  it('shows one command with its options, found by its name in the language of the member', async () => {
    expect((await help(1, 'skipto')).text)
      .to.contain('/skipto')
      .and.contain('`position` Title or position')
    expect((await help(1, '/spielen', 'de')).text).to.contain('`suche` Titel')
    expect((await help(1, 'favourites')).text).to.contain('**play** `track`')
    expect((await help(1, 'fly')).text).to.equal('That command doesn’t exist. See all with /help.')
    const { choices } = await stage.complete('help', 'command', '/sk')
    expect(choices.map(({ value }) => value)).to.include.members(['skip', 'skipto'])
  })

  it('speaks every language in every area', async () => {
    for (const language of LANGUAGES) {
      const locale = language === 'en' ? 'en-US' : language
      const { messageId, text } = await help(1, undefined, locale)
      const pages = [text]
      for (const area of AREA_NAMES.slice(1)) {
        pages.push((await stage.choose(messageId, 'help', [area], { by: 1, locale })).text)
      }
      expect(new Set(pages).size, language).to.equal(AREA_NAMES.length)
      if (language !== 'en') expect(pages.join('\n'), language).not.to.match(/Play a track|Lookups|allowed/u)
    }
  })
})
