import { expect } from 'chai'
import { LANGUAGES } from '../../../lib/texts/languages.ts'
import { createMemberStage, type MemberStage } from '../../support/members.ts'
import { startGameServer } from '../../support/upstreams/game-server.ts'
import { startGetBible, type Bible } from '../../support/upstreams/getbible.ts'
import { startMojang, type Mojang } from '../../support/upstreams/mojang.ts'
import { startOpenMeteo, type OpenMeteo } from '../../support/upstreams/open-meteo.ts'
import { startRoblox, type Roblox } from '../../support/upstreams/roblox.ts'
import { startStandIn, type StandIn } from '../../support/upstreams/stand-in.ts'
import { startLibreTranslate, type Translator } from '../../support/upstreams/translators.ts'
import { openTestUtilities, type TestUtilities } from '../../support/utilities.ts'
import { robloxAt, upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const actionsText = textOf('roleplay', 'actions')

const embedOf = ({ whole }: { readonly whole: any }) => whole.message.embeds[0]

/** Members look things up by slash command; the services they are looked up in are stand-ins. */
describe('the commands that look things up', () => {
  let weather: OpenMeteo
  let translator: Translator
  let bible: Bible
  let mojang: Mojang
  let roblox: Roblox
  let gifs: StandIn
  let open: TestUtilities
  let stage: MemberStage

  before(async () => {
    weather = await startOpenMeteo()
    translator = await startLibreTranslate()
    bible = await startGetBible()
    mojang = await startMojang()
    roblox = await startRoblox()
    gifs = await startStandIn(({ query }) => ({
      json: { url: `https://cdn.otakugifs.xyz/gifs/${query.get('reaction')}/1.gif` },
    }))
    open = openTestUtilities({
      ...upstreamUrls({
        ...robloxAt(roblox.url),
        'open-meteo': weather.url,
        'open-meteo-geocoding': weather.url,
        getbible: `${bible.url}/v2`,
        'getbible-search': `${bible.url}/search/v2`,
        'mojang-services': mojang.url,
        'mojang-api': mojang.url,
        'mojang-session': mojang.url,
        otakugifs: gifs.url,
      }),
      LIBRETRANSLATE_URL: translator.url,
      ROLEPLAY_PROVIDERS: 'otakugifs',
      UPSTREAM_TIMEOUT_MS: '2500',
    })
    stage = await createMemberStage({ utilities: open.utilities })
  })
  after(async () => {
    await stage.close()
    await open.close()
    for (const service of [weather, translator, bible, mojang, roblox, gifs]) await service.close()
  })
  afterEach(() => {
    for (const service of [weather, translator, bible, mojang, roblox, gifs]) service.misbehave(null)
    // The pause after failures.
    open.clock.nowMs += 120_000
  })

  const answer = async (command: string, options: object, locale = 'en-US') =>
    (await stage.type(command, { ...options }, { by: 1, locale })).text
  const offered = async (command: string, focused: string, typed: string, doing = {}) =>
    (await stage.complete(command, focused, typed, { by: 1, ...doing })).choices

  describe('/weather', () => {
    it('shows the weather for everyone, in the language and the units of who asks, with the credit it owes', async () => {
      const shown = await stage.type('weather', { city: 'Paris' }, { by: 1, locale: 'de' })
      expect(shown.isPrivate).to.equal(false)
      expect(embedOf(shown).title).to.equal('Paris, Frankreich 🇫🇷')
      expect(shown.text).to.contain('[Weather data by Open-Meteo.com](https://open-meteo.com/)')
      expect(shown.text)
        .to.match(/°C/)
        .and.to.match(/km\/h/)
        .and.to.match(/Luftfeuchte/)
      expect(embedOf(shown).color).to.be.a('number')
    })

    it('offers the places that are called like what is typed, each of which is then found', async () => {
      const choices = await offered('weather', 'city', 'Springfield')
      expect(choices.map(({ value }) => value)).to.include('Springfield, Illinois, US')
      const [first] = await offered('weather', 'city', 'Paris', { locale: 'fr' })
      expect(first?.name).to.equal('Paris, Île-de-France, France')
      for (const { value } of choices) {
        const shown = await stage.type('weather', { city: value }, { by: 1 })
        expect(embedOf(shown).title, value).to.contain('Springfield')
      }
      expect(await offered('weather', 'city', 'Pa')).to.deep.equal([])
    })

    it('says in words that there is no such city, that it reads no city, and that no one answers', async () => {
      const missing = await stage.type('weather', { city: 'Atlantis' }, { by: 1 })
      const text = 'No city called “Atlantis” was found. Check the spelling or add the country: Paris, FR.'
      expect(missing).to.include({ text, isPrivate: true })
      expect(await answer('weather', { city: 'London,ON,XX' }, 'fr')).to.match(/^Indique une ville/)
      weather.misbehave('status 500')
      expect(await answer('weather', { city: 'Washington' }, 'ja')).to.match(/^\/天気 のサービスにアクセスできません/)
      expect(await offered('weather', 'city', 'Austin')).to.deep.equal([])
    })
  })

  describe('/translate', () => {
    it('translates into the language that was chosen, and says from which to which', async () => {
      const shown = await stage.type('translate', { text: 'Guten Morgen', to: 'en' }, { by: 1 })
      expect(embedOf(shown)).to.deep.include({ description: 'Good morning', footer: { text: 'German → English' } })
    })

    it('offers languages by their names in the language of who asks', async () => {
      const choices = await offered('translate', 'to', 'engl', { locale: 'de' })
      expect(choices).to.deep.equal([{ name: 'Englisch', value: 'en' }])
      expect((await stage.type('translate', { text: 'Hallo', to: 'xx' }, { by: 1 })).text).to.match(/^Unknown language/)
    })

    it('stands in the menu of every message, and answers anyone who picks it in their language, for them alone', async () => {
      const messageId = await stage.write('Guten Morgen', { by: 2 })
      const shown = await stage.pick('Translate', messageId, { by: 1, locale: 'en-GB' })
      expect(shown.isPrivate).to.equal(true)
      expect(embedOf(shown).description).to.match(/^Good morning\n\n-# \[Original message\]\(https:.*\/\d+\)$/)
      const asked = translator.received.findLast(({ path }) => path === '/translate')
      expect(JSON.parse(asked?.body ?? '')).to.include({ target: 'en', source: 'auto' })
    })

    it('says so when there are no words, and when no one answers', async () => {
      const words = await stage.type('weather', { city: 'Paris' }, { by: 1 })
      expect((await stage.pick('Translate', words.messageId, { by: 1 })).text).to.contain('Paris')
      translator.misbehave('status 500')
      const failed = await stage.type('translate', { text: 'Welt', to: 'en' }, { by: 1, locale: 'es-419' })
      expect(failed.text).to.match(/^No se puede acceder al servicio de \/traducir/)
    })

    it('says what the operator has to set where no translator is set up', async () => {
      const without = openTestUtilities({ TRANSLATE_PROVIDER: 'none' })
      const other = await createMemberStage({ utilities: without.utilities })
      const shown = await other.type('translate', { text: 'Welt', to: 'en' }, { by: 1 })
      expect(shown.text).to.match(/Translation isn’t set up.*LIBRETRANSLATE_URL/)
      await other.close()
      await without.close()
    })
  })

  describe('/verse', () => {
    it('reads passages, in a translation of its choice or of the member’s', async () => {
      const shown = await stage.type('verse', { passage: 'Jn 3:16' }, { by: 1 })
      expect(embedOf(shown)).to.deep.include({
        title: '📖 John 3:16',
        description: 'Truly this is the sixteenth.',
        footer: { text: 'The kjv Version' },
      })
      const both = await stage.type('verse', { passage: 'John 3:16, Jude 5', translation: 'by' }, { by: 1 })
      expect(embedOf(both).fields[0].name).to.equal('Jude 1:5')
      expect(embedOf(both).footer.text).to.equal('The by Version')
    })

    it('searches for what is no passage', async () => {
      const shown = await stage.type('verse', { passage: 'sixteenth' }, { by: 1 })
      expect(embedOf(shown).title).to.equal('🔎 1 verse with “sixteenth”')
      expect(embedOf(shown).fields[0]).to.include({ name: 'John 3:16', value: 'Truly this is the sixteenth.' })
      expect((await stage.type('verse', { passage: 'no such words' }, { by: 1 })).text).to.equal(
        'No verse contains “no such words”.',
      )
    })

    it('says in words what is missing', async () => {
      expect(await answer('verse', { passage: 'John 99:1' }, 'de')).to.equal(
        'In dieser Übersetzung gibt es John 99:1 nicht.',
      )
      bible.misbehave('cut connection')
      expect(await answer('verse', { passage: 'Acts 2:1' }, 'de')).to.match(
        /^Der Dienst hinter \/vers ist gerade nicht erreichbar/,
      )
    })
  })

  describe('/holidays', () => {
    it('shows the next ones, across the end of the year, with the names of the country', async () => {
      const shown = await stage.type('holidays', { country: 'DE' }, { by: 1, locale: 'en-US' })
      const { title, description, footer } = embedOf(shown)
      expect(title).to.equal('🇩🇪 Next holidays: Germany')
      expect(description).to.contain('*1. Weihnachtstag*').and.to.contain('<t:')
      expect(description.split('\n')).to.have.length(16)
      expect(footer.text).to.contain('CC BY-SA 3.0')
    })

    it('shows a year, of a state that is offered for the country', async () => {
      const countries = await offered('holidays', 'country', 'deut', { locale: 'de' })
      expect(countries).to.deep.equal([{ name: 'Deutschland', value: 'DE' }])
      const states = await offered('holidays', 'state', 'bay', { filled: { country: 'Deutschland' }, locale: 'de' })
      expect(states).to.deep.equal([{ name: 'Bayern', value: 'BY' }])
      const shown = await stage.type('holidays', { country: 'DE', state: 'BY', year: 2026 }, { by: 1, locale: 'de' })
      expect(embedOf(shown).title).to.equal('🇩🇪 Feiertage 2026: Bayern, Deutschland')
      expect(embedOf(shown).description).to.contain('Heilige Drei Könige')
    })

    it('names the states that keep a day which the country leaves to them', async () => {
      const shown = await stage.type('holidays', { country: 'CA', year: 2026 }, { by: 1, locale: 'en-US' })
      const lines: string[] = embedOf(shown).description.split('\n')
      const thanksgiving = lines[lines.indexOf('**Thanksgiving**') + 1]
      expect(thanksgiving).to.contain('October 12, 2026').and.to.contain('only in Alberta, British Columbia')
      expect(lines[lines.indexOf('**Canada Day**') + 1]).not.to.contain('only in')
    })

    it('says so when the country or the state is unknown', async () => {
      expect(await answer('holidays', { country: 'Atlantis' })).to.match(/^No holidays are known for this country/)
      expect(await answer('holidays', { country: 'DE', state: 'Atlantis' })).to.match(/^Unknown region/)
    })
  })

  describe('/minecraft', () => {
    it('shows a player', async () => {
      const shown = await stage.type('minecraft player', { name: 'slim_jane' }, { by: 1 })
      expect(embedOf(shown).title).to.equal(String.raw`Slim\_Jane`)
      expect(shown.text).to.contain('slim arms')
      expect((await stage.type('minecraft player', { name: 'Nobody_There' }, { by: 1 })).text).to.match(/no player/)
      expect((await stage.type('minecraft player', { name: '!!' }, { by: 1 })).text).to.match(/^Enter a name/)
    })

    it('shows a server with its picture and who is on it, and one that is offline', async () => {
      const png = Buffer.from('89504e470d0a1a0a', 'hex')
      const server = await startGameServer({
        kind: 'status',
        status: {
          version: { name: 'Paper 1.21', protocol: 767 },
          players: { max: 1000, online: 2, sample: [{ name: '*Jane*', id: 'x' }] },
          description: 'A ```server``` of **ours**',
          favicon: `data:image/png;base64,${png.toString('base64')}`,
        },
        pong: true,
      })
      const address = `127.0.0.1:${server.port}`
      const shown = await stage.type('minecraft server', { address }, { by: 1, locale: 'fr' })
      const embed = embedOf(shown)
      expect(embed.title).to.contain('🟢 127.0.0.1')
      expect(embed.description).to.equal("```\nA '''server''' of **ours**\n```")
      expect(embed.fields[0].value).to.match(/^\*\*2\*\* \/ 1\s000$/)
      expect(shown.text).to.contain(String.raw`\*Jane\*`)
      expect(embed.thumbnail.url).to.match(/server\.png$/)
      await server.close()
      open.clock.nowMs += 120_000
      expect((await stage.type('minecraft server', { address }, { by: 1 })).text).to.match(/offline or unreachable/)
      expect((await stage.type('minecraft server', { address: 'no host!' }, { by: 1 })).text).to.match(
        /No public server/,
      )
    })
  })

  describe('/roblox', () => {
    it('shows users, groups and games, the latter also by their addresses', async () => {
      const user = await stage.type('roblox user', { name: 'brick_smith' }, { by: 1 })
      expect(embedOf(user).title).to.equal(String.raw`Bricky (@Brick\_Smith) ☑️`)
      expect(embedOf(user).thumbnail.url).to.match(/^https?:/)
      const group = await stage.type('roblox group', { id: 'https://www.roblox.com/communities/81/Masons' }, { by: 1 })
      expect(embedOf(group).title).to.equal('Masons ☑️')
      expect(group.text).to.contain('> 📣 Hi')
    })

    it('says in words what there is not, and what is no number', async () => {
      expect(await answer('roblox user', { name: 'nobody_at_all' }, 'pt-BR')).to.match(/^Não há nenhum usuário/)
      expect(await answer('roblox group', { id: '99999' }, 'pt-BR')).to.match(
        /^Não há nenhuma comunidade com o ID 99999/,
      )
      expect(await answer('roblox game', { id: 'abc' }, 'pt-BR')).to.match(/^Informe o ID/)
    })
  })

  describe('/act', () => {
    it('says who does what to whom, with a picture, and calls no one', async () => {
      const shown = await stage.type('act', { action: 'hug', member: stage.ids[2] }, { by: 1, locale: 'de' })
      const embed = embedOf(shown)
      expect(embed.description).to.equal(`### <@${stage.ids[1]}> umarmt <@${stage.ids[2]}>`)
      expect(embed.image.url).to.equal('https://cdn.otakugifs.xyz/gifs/hug/1.gif')
      expect(shown.whole.message.raw.mentions).to.deep.equal([])
      const alone = await stage.type('act', { action: 'hug', member: stage.ids[1] }, { by: 1 })
      expect(embedOf(alone).description).to.equal(`### <@${stage.ids[1]}> hugs everyone`)
    })

    it('offers every action by its name in the member’s language, and no other', async () => {
      const choices = await offered('act', 'action', 'tanz', { locale: 'de' })
      expect(choices).to.deep.equal([{ name: 'Tanzen', value: 'dance' }])
      const asked = gifs.received.length
      const refused = await stage.type('act', { action: 'undress' }, { by: 1 })
      expect([refused.text.slice(0, 16), refused.isPrivate]).to.deep.equal(['Unknown action. ', true])
      expect(gifs.received.length).to.equal(asked)
      for (const language of LANGUAGES) {
        expect(Object.keys(actionsText[language]).toSorted(), language).to.deep.equal(open.utilities.roleplay.actions)
        for (const [name, { toMember, alone }] of Object.entries(actionsText[language])) {
          expect(toMember({ a: '<1>', b: '<2>' }), `${language} ${name}`).to.match(/<1>.*<2>|<2>.*<1>/)
          expect(alone({ a: '<1>' }), `${language} ${name}`).to.contain('<1>')
        }
      }
    })
  })
})
