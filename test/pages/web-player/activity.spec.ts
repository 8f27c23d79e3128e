import { expect } from 'chai'
import { createDiscordSignIn, type DiscordSignIn } from '../../../upstream/discord/discord-oauth.ts'
import { until } from '../../support/bots.ts'
import { openTab } from '../../support/browser.ts'
import { openDiscordFrame, type DiscordFrame } from '../../support/discord-frame.ts'
import { startWebPlayer, type TestWebPlayer } from '../../support/web-player.ts'

/** The address of the stand-in Discord is known once it runs. */
function signInLater(at: { apiUrl: string; clientId: string; clientSecret: string }) {
  const signIn = () => createDiscordSignIn(at)
  return {
    authorizeUrl: (wish: Parameters<ReturnType<typeof signIn>['authorizeUrl']>[0]) => signIn().authorizeUrl(wish),
    identify: (...wish: Parameters<DiscordSignIn['identify']>) => signIn().identify(...wish),
    identifyInActivity: (...wish: Parameters<DiscordSignIn['identifyInActivity']>) =>
      signIn().identifyInActivity(...wish),
  }
}

describe('the player as a Discord Activity', () => {
  let player: TestWebPlayer
  let frames: DiscordFrame[]
  const at = { apiUrl: '', clientId: '', clientSecret: '' }

  const open = async (member: number, options: { guildId?: string; isHoldingBack?: boolean } = {}) => {
    const { stage, baseUrl } = player
    const frame = await openDiscordFrame({
      target: baseUrl,
      sandboxUrl: stage.sandbox.url,
      clientId: stage.sandbox.demo.applicationId,
      userId: stage.ids[member] ?? '',
      guildId: stage.guild.id,
      ...options,
    })
    frames.push(frame)
    const tab = await openTab(frame.browser, { ignoreHTTPSErrors: true })
    await tab.page.goto(frame.url)
    return { ...tab, frame, inside: tab.page.frameLocator('iframe') }
  }

  before(async () => {
    player = await startWebPlayer({ discord: signInLater(at), activityClientId: '1456074443980800100' })
    const { sandbox } = player.stage
    Object.assign(at, {
      apiUrl: `${sandbox.url}/api`,
      clientId: sandbox.demo.applicationId,
      clientSecret: sandbox.demo.botToken,
    })
    expect(sandbox.demo.applicationId).to.equal('1456074443980800100')
  })
  beforeEach(() => {
    frames = []
  })
  afterEach(() => Promise.all(frames.map((frame) => frame.close())))
  after(() => player.close())

  it('speaks with the app by its SDK, and lets in whom the app names: play, search and live, without a cookie', async () => {
    await player.stage.sit(1)
    const { inside, frame, complaints, page } = await open(1)
    await inside.locator('[data-live]:not([hidden])').waitFor()
    await inside.locator('#q').fill('one')
    await inside.locator('[data-found] button').first().click()
    await inside.locator('h2', { hasText: 'one' }).waitFor()
    const { requesters } = player.stage.music
    expect((await requesters(player.stage.scope, player.stage.guild.id)).current).to.equal(player.stage.ids[1])
    await until('the app has heard all', () => frame.commands.length === 3)
    expect(frame.commands).to.deep.equal(['HANDSHAKE', 'AUTHORIZE', 'AUTHENTICATE'])
    expect(frame.unproxied).to.deep.equal([])
    expect(frame.cookies).to.deep.equal([])
    expect(await inside.locator('[data-problem]').isHidden()).to.equal(true)
    expect(complaints).to.deep.equal([])
    await page.close()
  })

  it('asks each second where the proxy holds the stream back', async () => {
    await player.stage.sit(0)
    const { inside } = await open(0, { isHoldingBack: true })
    await inside.locator('[data-live]:not([hidden])').waitFor()
    await player.stage.music.play(player.stage.scope, player.stage.guild.id, {
      query: 'later',
      channelId: player.stage.sandbox.demo.voiceChannelId,
    })
    await inside
      .locator('[data-queue] b', { hasText: 'later' })
      .or(inside.locator('h2', { hasText: 'later' }))
      .waitFor()
  })

  it('lets no one in for a guild that they are no member of', async () => {
    const { inside } = await open(0, { guildId: '100000000000000099' })
    await inside.locator('[data-problem]:not([hidden])').waitFor()
    expect(await inside.locator('[data-problem-text]').textContent()).to.match(/share no server with this bot/)
  })

  it('lets Discord alone frame the page, takes no code twice and none that Discord did not give', async () => {
    const activity = await fetch(`${player.baseUrl}/?frame_id=1&instance_id=2&platform=desktop`)
    expect(activity.headers.get('content-security-policy')).to.match(
      /frame-ancestors https:\/\/discord\.com [^;'*]+ https:\/\/\*\.discordsays\.com$/,
    )
    expect(activity.headers.get('x-frame-options')).to.equal(null)
    const enter = (code: string) =>
      fetch(`${player.baseUrl}/listen/activity/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code, guildId: player.stage.guild.id }),
      })
    const query = `client_id=${at.clientId}&response_type=code&as=${player.stage.ids[2]}`
    const given = await fetch(`${player.stage.sandbox.url}/oauth2/authorize?${query}`)
    const { code } = (await given.json()) as { code: string }
    expect((await enter(code)).status).to.equal(200)
    expect((await enter(code)).status).to.equal(422)
    expect((await enter('made-up')).status).to.equal(422)
  })
})
