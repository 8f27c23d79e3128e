import { expect } from 'chai'
import { until } from '../../support/bots.ts'
import { startWebPlayer, type TestWebPlayer } from '../../support/web-player.ts'

describe('entering the web player', () => {
  let player: TestWebPlayer
  let guildId: string

  before(async () => {
    player = await startWebPlayer()
    guildId = player.stage.guild.id
  })
  after(() => player.close())

  it('answers `/web` for the member alone, with a button that leads to a link', async () => {
    const seen = await player.stage.type('web', {}, { by: 1, locale: 'de' })
    expect(seen.isPrivate).to.equal(true)
    expect(seen.text).to.match(/^Dein Web-Player für diesen Server/)
    const [button] = seen.whole.message.components[0].components
    expect(button.style).to.equal(5)
    expect(button.label).to.equal('Player öffnen')
    expect(button.url).to.match(new RegExp(`^http://player\\.test/listen/${guildId}/enter\\?token=[0-9a-f]{64}$`))
  })

  it('lets a member in once: the link leads to a session that scripts cannot read', async () => {
    const link = await player.link(0, 'fr')
    const browser = player.visitor()
    const entered = await browser.redeem(link)
    expect([entered.status, entered.headers.get('location')]).to.deep.equal([303, `/listen/${guildId}`])
    const cookie = entered.headers.getSetCookie().find((line) => line.startsWith(`bandstand_listen_${guildId}=`))
    expect(cookie).to.match(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/)
    const page = await browser.send('GET', `/listen/${guildId}`)
    expect(page.status).to.equal(200)
    expect(page.text).to.include('<html lang="fr"').and.to.include('Lecteur du serveur ')
    expect((await player.visitor().redeem(link)).status).to.equal(410)
  })

  it('uses no link up by looking at it, and none from a form of another site', async () => {
    const link = await player.link()
    for (let i = 0; i < 3; i += 1) expect((await player.visitor().send('GET', link)).status).to.equal(200)
    const token = link.split('token=')[1] ?? ''
    const foreign = await player.visitor().send('POST', `/listen/${guildId}/enter`, {
      headers: { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ csrf: 'f'.repeat(64), token }),
    })
    expect(foreign.status).to.equal(403)
    expect((await player.visitor().redeem(link)).status).to.equal(303)
  })

  it('shows who is not signed in how to get in, in the language of their browser, and nothing else', async () => {
    const page = await player.visitor({ 'accept-language': 'ja,en;q=0.5' }).send('GET', `/listen/${guildId}`)
    expect(page.status).to.equal(401)
    expect(page.text).to.include('プレーヤーを開く')
    for (const path of ['live', 'state', 'search?q=a', 'lyrics', 'history', 'favourites', 'cover/abcdefghijkl']) {
      const { status, text } = await player.visitor().send('GET', `/listen/${guildId}/${path}`)
      expect(status, path).to.equal(401)
      expect(text).not.to.include(player.stage.guild.name)
    }
  })

  it('shows how to get in where no server is named', async () => {
    const page = await player.visitor({ 'accept-language': 'en' }).send('GET', '/listen')
    expect(page.status).to.equal(200)
    expect(page.text).to.include('Use /web in a server.')
    expect(page.text).not.to.include('/discord')
  })

  it('lets no session into another guild', async () => {
    const browser = await player.enter(0)
    const other = '100000000000000099'
    browser.cookies.set(`bandstand_listen_${other}`, browser.cookies.get(`bandstand_listen_${guildId}`) ?? '')
    expect((await browser.send('GET', `/listen/${other}`)).status).to.equal(401)
    expect(
      (await browser.send('GET', `/listen/${other}/state`, { headers: { 'x-csrf-token': browser.csrf } })).status,
    ).to.equal(401)
  })

  it('signs out one browser by its button, and all of a member by `/web signout`', async () => {
    const [first, second] = [await player.enter(2), await player.enter(2)]
    const headers = { 'x-csrf-token': first.csrf }
    expect((await first.send('POST', `/listen/${guildId}/sign-out`)).status).to.equal(403)
    expect((await first.send('POST', `/listen/${guildId}/sign-out`, { headers })).status).to.equal(200)
    expect((await first.ask('state')).status).to.equal(401)
    expect((await second.ask('state')).status).to.equal(200)
    const live = await second.live()
    expect((await player.stage.type('web', { signout: true }, { by: 2 })).text).to.equal('Signed out of 1 browser.')
    expect((await second.ask('state')).status).to.equal(401)
    live.close()
  })

  it('lets no other site show the page or hear of it', async () => {
    const { headers } = await player.visitor().send('GET', `/listen/${guildId}`)
    expect(headers.get('content-security-policy'))
      .to.include("default-src 'none'")
      .and.to.include("frame-ancestors 'none'")
    expect(headers.get('content-security-policy')).not.to.match(/unsafe|\*/)
    expect(headers.get('x-frame-options')).to.equal('DENY')
    expect(headers.get('cross-origin-opener-policy')).to.equal('same-origin')
    expect(headers.get('cache-control')).to.equal('no-store')
  })

  it('signs out a member who has left the guild, and ends what they look at', async () => {
    const browser = await player.enter(3)
    await player.stage.sit(3)
    const live = await browser.live()
    await until('the page knows who it is', () => live.seen.some(({ type }) => type === 'me'))
    await player.stage.control('DELETE', `/guilds/${guildId}/members/${player.stage.ids[3]}`)
    await until('the page ends', () => live.isOver)
    expect(live.seen.at(-1)).to.deep.equal({ type: 'gone' })
    expect((await browser.perform('skip')).status).to.equal(401)
  })
})
