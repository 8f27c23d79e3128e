import { expect } from 'chai'
import type { FigureOptions, ScreenshotWish } from '../../../bot/commands/renders/render-service.ts'
import { Fault, unprocessable } from '../../../lib/errors.ts'
import { createMemberStage, type MemberStage, type Seen } from '../../support/members.ts'
import { startMojang, type Mojang } from '../../support/upstreams/mojang.ts'
import { openTestUtilities, type TestUtilities } from '../../support/utilities.ts'
import { upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'

const filesOf = ({ whole }: Seen): string[] => whole.message.attachments.map((file: any) => file.filename)
const pictureOf = ({ whole }: Seen): string => whole.message.embeds[0].image.url

describe('the commands of renders', () => {
  let mojang: Mojang
  let open: TestUtilities
  let stage: MemberStage
  before(async () => {
    mojang = await startMojang()
    open = openTestUtilities(
      upstreamUrls({ 'mojang-services': mojang.url, 'mojang-api': mojang.url, 'mojang-session': mojang.url }),
    )
    stage = await createMemberStage({ utilities: open.utilities })
  })
  after(async () => {
    await stage.close()
    await open.close()
    await mojang.close()
  })
  afterEach(() => {
    stage.test.renders.failure = null
    stage.test.renders.wishes.length = 0
  })
  const figures = () => stage.test.renders.wishes as FigureOptions[]
  const shots = () => stage.test.renders.wishes as ScreenshotWish[]
  const textOf = async (command: string, options: Record<string, unknown>, locale = 'en-US') =>
    (await stage.type(command, options, { by: 1, locale })).text

  it('/minecraft player shows a player waving, or as they are wished for, for anyone to see', async () => {
    const shown = await stage.type('minecraft player', { name: 'slim_jane' }, { by: 1 })
    expect([shown.isPrivate, filesOf(shown)]).to.deep.equal([false, ['skin.png']])
    expect(shown.text).to.contain('Slim\\_Jane').and.to.contain('slim arms')
    expect(pictureOf(shown)).to.match(/skin\.png/)
    await stage.type('minecraft player', { name: 'Slim_Jane', pose: 'handstand' }, { by: 1 })
    expect(figures().map(({ pose }) => pose)).to.deep.equal(['wave', 'handstand'])
    expect(figures()[0]).to.deep.include({ projectId: stage.test.projectId, guildId: stage.guild.id })
    expect(figures()[0]?.player.skin?.model).to.equal('slim')
  })

  it('/minecraft player says that what a player without a skin wears is a default one', async () => {
    expect(await textOf('minecraft player', { name: 'PlainJoe' })).to.match(/PlainJoe.*default \((Steve|Alex)\)/s)
  })

  it('/minecraft player says in words that a player does not exist, and tells the rest where the skin cannot be drawn', async () => {
    expect(await textOf('minecraft player', { name: 'Atlantis' })).to.equal('There is no player called “Atlantis”.')
    expect(await textOf('minecraft player', { name: 'not a player!' })).to.match(/^Enter a name, a UUID/)
    for (const failure of ['bad_request', 'not_found', 'rate_limited'] as const) {
      stage.test.renders.failure = new Fault(failure, 'It cannot be drawn.')
      const shown = await stage.type('minecraft player', { name: 'Slim_Jane' }, { by: 1, locale: 'de' })
      expect(shown.text).to.contain('schmale Arme').and.to.contain('lässt sich nicht darstellen')
      expect(filesOf(shown)).to.deep.equal([])
    }
  })

  it('/screenshot shows a page on a computer or a phone, whole or its beginning, its scheme put in where it lacks', async () => {
    const shown = await stage.type('screenshot', { url: ' example.org/news ' }, { by: 1 })
    expect([shown.isPrivate, filesOf(shown)]).to.deep.equal([false, ['screenshot.png']])
    expect(shown.text).to.contain('example.org')
    await stage.type('screenshot', { url: 'http://example.org', device: 'mobile', fullpage: true }, { by: 1 })
    expect(shots().map(({ url, device, fullpage }) => [url, device, fullpage])).to.deep.equal([
      ['https://example.org/news', 'desktop', false],
      ['http://example.org', 'mobile', true],
    ])
  })

  it('/screenshot says in words of the member what is wrong with an address or its page', async () => {
    const failures = [
      [unprocessable('address_refused', "127.0.0.1 isn't a public address."), /the URL of a public/],
      [new Fault('upstream_failed', 'example.org cannot be found.'), /example\.org isn’t responding/],
      [new Fault('timed_out', 'The page took longer than 25 s.'), /took too long/],
      [new Fault('conflict', 'The image is too large for a message.'), /too large/],
    ] as const
    for (const [failure, words] of failures) {
      stage.test.renders.failure = failure
      const shown = await stage.type('screenshot', { url: 'https://example.org' }, { by: 1 })
      expect(shown.text).to.match(words)
      expect(shown.isPrivate).to.equal(true)
    }
    stage.test.renders.failure = null
    expect(await textOf('screenshot', { url: 'https://' }, 'fr')).to.match(/^Indique l’URL/)
    expect(shots().filter(({ url }) => url === 'https://')).to.deep.equal([])
  })

  it('are not offered pages where a manager has switched screenshots off; figures stay', async () => {
    const settings = await stage.type('settings screenshots', { on: false }, { by: 0 })
    expect(settings.text).to.match(/Website screenshots:\*\* off/)
    expect(await textOf('screenshot', { url: 'example.org' })).to.equal('Screenshots are turned off on this server.')
    expect(filesOf(await stage.type('minecraft player', { name: 'Slim_Jane' }, { by: 1 }))).to.deep.equal(['skin.png'])
    expect(shots()).to.have.length(1)
    const others = await stage.type('settings screenshots', { on: true }, { by: 1 })
    expect(others.isPrivate).to.equal(true)
    expect((await stage.test.settings.get(stage.scope.botId, stage.guild.id)).screenshots).to.equal(false)
    await stage.type('settings screenshots', { on: true }, { by: 0 })
    expect(filesOf(await stage.type('screenshot', { url: 'example.org' }, { by: 1 }))).to.deep.equal(['screenshot.png'])
  })
})
