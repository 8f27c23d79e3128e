import { expect } from 'chai'
import { createDiscordSignIn } from '../../../upstream/discord/discord-oauth.ts'
import { startStandIn, type Received, type Reply, type StandIn } from '../../support/upstreams/stand-in.ts'
import { startWebPlayer, type TestWebPlayer } from '../../support/web-player.ts'

/** A code that Discord knows: `good-` and the member's ID. */
function answer({ path, body, headers }: Received): Reply {
  if (path.endsWith('/oauth2/token')) {
    const code = new URLSearchParams(body).get('code') ?? ''
    if (!code.startsWith('good-')) return { status: 400, json: { error: 'invalid_grant' } }
    return { json: { access_token: code, token_type: 'Bearer' } }
  }
  return { json: { id: headers.authorization?.replace('Bearer good-', ''), username: 'mira' } }
}

/** No share grows while the clock stands. */
const now = () => 1_000_000

describe('strangers who flood the sign-in of an Activity', () => {
  let discord: StandIn
  let player: TestWebPlayer

  before(async () => {
    discord = await startStandIn(answer)
    const signIn = createDiscordSignIn({ apiUrl: `${discord.url}/api`, clientId: '1', clientSecret: 'x', now })
    player = await startWebPlayer({ discord: signIn, activityClientId: '1' })
  })
  beforeEach(() => void (discord.received.length = 0))
  after(async () => {
    await player.close()
    await discord.close()
  })

  const open = (from: string, code: string, more: Record<string, string> = {}) =>
    player.visitor().send('POST', '/listen/activity/session', {
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...more },
      body: JSON.stringify({ code, guildId: player.stage.guild.id }),
    })
  const flood = (from: string, times = 200) =>
    Promise.all(Array.from({ length: times }, (_, at) => open(from, `bad-${at}`)))

  it('reach Discord by their share alone, and members elsewhere sign in meanwhile', async () => {
    const flooding = flood('203.0.113.1')
    const members = await Promise.all([0, 1].map((at) => open(`198.51.100.${at}`, `good-${player.stage.ids[at]}`)))
    expect(members.map(({ status }) => status)).to.deep.equal([200, 200])
    const refused = (await flooding).filter(({ status }) => status === 429)
    expect(refused).to.have.length(180)
    expect(Number(refused[0]?.headers.get('retry-after'))).to.be.greaterThan(0)
    expect(discord.received.length).to.be.lessThan(50)
  })

  it('share one network where they change addresses within it', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, at) => open(`2001:db8:1:2::${at + 1}`, 'bad')))
    expect(discord.received.length).to.be.lessThan(40)
  })

  it('do not stand before a member who is signed in, though they have the same address', async () => {
    const member = await player.enter(0)
    await flood('203.0.113.4')
    const session = member.cookies.get(`bandstand_listen_${player.stage.guild.id}`) ?? ''
    const code = `good-${player.stage.ids[0]}`
    expect((await open('203.0.113.4', code)).status).to.equal(429)
    expect((await open('203.0.113.4', code, { authorization: `Bearer ${session}` })).status).to.equal(200)
  })

  it('get one 429 of Discord between them, and are told when it ends', async () => {
    discord.answerAll({ status: 429, json: {}, headers: { 'retry-after': '60' } })
    expect((await open('203.0.113.5', 'bad')).status).to.equal(503)
    const [held] = await flood('203.0.113.6', 10)
    await flood('203.0.113.7', 10)
    expect(held?.status).to.equal(503)
    expect(Number(held?.headers.get('retry-after'))).to.be.within(50, 61)
    expect(discord.received).to.have.length(1)
  })
})
