import { expect } from 'chai'
import { PAGE_ACTIONS } from '../../../bot/commands/web/page-actions.ts'
import { until } from '../../support/bots.ts'
import { tokenOf } from '../../support/stage.ts'
import { startWebPlayer, type LiveReader, type TestWebPlayer, type WebVisitor } from '../../support/web-player.ts'

const playerOf = ({ seen }: LiveReader) => seen.findLast(({ type }) => type === 'player')?.player
const meOf = ({ seen }: LiveReader) => seen.findLast(({ type }) => type === 'me')?.me

async function said(browser: WebVisitor, action: string, values = {}): Promise<string> {
  const { status, json } = await browser.perform(action, values)
  return status === 200 ? json.said : `${status} ${json.error.message}`
}

describe('what members do in the web player', () => {
  let player: TestWebPlayer
  let guildId: string
  let opened: LiveReader[]

  const look = async (browser: WebVisitor): Promise<LiveReader> => {
    const live = await browser.live()
    opened.push(live)
    await until(
      'the page is told what plays and who looks',
      () => playerOf(live) !== undefined && meOf(live) !== undefined,
    )
    return live
  }
  before(async () => {
    player = await startWebPlayer()
    guildId = player.stage.guild.id
  })
  beforeEach(() => {
    opened = []
    // Members may do something again.
    player.clock.aheadMs += 60_000
  })
  afterEach(async () => {
    for (const live of opened) live.close()
    await player.stage.music.close(player.stage.scope, guildId).catch(() => undefined)
    for (const at of player.stage.ids.keys()) await player.stage.sit(at, null)
  })
  after(() => player.close())

  it('finds tracks as a member types, and plays what they choose where they listen', async () => {
    await player.stage.sit(0)
    const browser = await player.enter(0)
    const live = await look(browser)
    expect(playerOf(live)).to.equal(null)
    const { json } = await browser.ask('search?q=one%20two')
    expect(json.tracks.map(({ title }: any) => title)).to.deep.equal(['one', 'two'])
    expect(json.tracks[0]).not.to.have.property('encoded')
    expect(await said(browser, 'play', { query: json.tracks[0].query })).to.equal('Now playing one')
    await until('the page shows it', () => playerOf(live)?.current?.title === 'one')
    expect(playerOf(live).current.requesterId).to.equal(player.stage.ids[0])
    expect(playerOf(live).channelId).to.equal(player.stage.sandbox.demo.voiceChannelId)
    expect(await said(browser, 'play', { query: json.tracks[1].query })).to.equal('Added two · #1 in the queue')
    await until('the page shows the queue', () => playerOf(live)?.queue.rows[0]?.title === 'two')
  })

  it('says how many tracks of a list came where a site gives a part of it', async () => {
    await player.stage.sit(0)
    const browser = await player.enter(0)
    await said(browser, 'play', { query: 'one' })
    expect(await said(browser, 'play', { query: 'part-of-2503 two' })).to.equal(
      'Added 2 of 2,503 tracks, starting with part-of-2503',
    )
  })

  it('tells every open page of what anyone does, by a page, a command or the API', async () => {
    await player.stage.sit(0)
    const [mine, other] = [await player.enter(0), await player.enter(1)]
    await said(mine, 'play', { query: 'a b c' })
    const live = await look(other)
    await until('both see the queue', () => playerOf(live)?.queue.total === 2)
    await said(mine, 'pause')
    await until('the pause is seen', () => playerOf(live)?.paused === true)
    await player.stage.type('resume')
    await until('the command is seen', () => playerOf(live)?.paused === false)
    await player.stage.music.patch(player.stage.scope, guildId, { volume: 40 })
    await until('the volume is seen', () => playerOf(live)?.volume === 40)
    await said(mine, 'seek', { time: '0:30' })
    await until('the jump is seen', () => playerOf(live)?.positionMs >= 29_000)
    await said(mine, 'move', { from: 2, to: 1 })
    await until('the order is seen', () => playerOf(live)?.queue.rows[0]?.title === 'c')
    await said(mine, 'loop', { mode: 'queue' })
    await until('the loop is seen', () => playerOf(live)?.loop === 'queue')
    await said(mine, 'stop')
    await until('the end is seen', () => playerOf(live) === null)
  })

  it('gives members the rights of their commands, and takes them as they leave the channel', async () => {
    await player.stage.sit(0)
    await player.stage.sit(1)
    const [mine, other] = [await player.enter(0), await player.enter(1, 'de')]
    await said(mine, 'play', { query: 'a b' })
    const live = await look(other)
    await until('the listener may skip', () => meOf(live)?.rights.refused.skip === null)
    await player.stage.sit(1, null)
    await until('who has left may not', () => typeof meOf(live)?.rights.refused.skip === 'string')
    const why = 'Die Musik läuft in #The Pier. Komm in diesen Kanal, um sie zu steuern.'
    expect(meOf(live).rights.refused.skip).to.equal(why)
    for (const action of ['skip', 'previous', 'pause', 'stop', 'shuffle', 'clear', 'mute', 'unmute'] as const) {
      expect(await said(other, action), action).to.equal(`409 ${why}`)
    }
    expect((await player.stage.music.info(player.stage.scope, guildId)).current?.title).to.equal('a')
  })

  it('lets one of four listeners change nothing alone: it becomes a vote on every page and in the channel', async () => {
    for (const at of [0, 1, 2, 3]) await player.stage.sit(at)
    const [requester, griefer, ally] = [await player.enter(1), await player.enter(2), await player.enter(3, 'fr')]
    await said(requester, 'play', { query: 'a b c' })
    const live = await look(griefer)
    const other = await look(ally)
    await until('it is known what takes a vote', () => meOf(live)?.rights.byVote.includes('stop'))
    const { refused, byVote } = meOf(live).rights
    expect(Object.values(refused).every((why) => why === null)).to.equal(true)
    expect(byVote).to.include.members(['skip', 'pause', 'stop', 'seek', 'volume', 'mute', 'clear', 'shuffle', 'move'])
    const before = await player.stage.music.info(player.stage.scope, guildId)
    for (const [action, values] of [
      ['pause', {}],
      ['seek', { time: '0:30' }],
      ['volume', { percent: 0 }],
      ['mute', {}],
      ['clear', {}],
      ['shuffle', {}],
      ['move', { from: 1, to: 2 }],
      ['remove', { position: 1 }],
      ['loop', { mode: 'track' }],
      ['skip', {}],
      ['stop', {}],
    ] as const) {
      expect(await said(griefer, action, values), action).to.match(/^🗳️ .*\?$/)
    }
    const after = await player.stage.music.info(player.stage.scope, guildId)
    for (const name of ['current', 'queue', 'volume', 'muted', 'paused', 'loop'] as const) {
      expect(after[name], name).to.deep.equal(before[name])
    }
    expect(after.positionMs).to.be.lessThan(29_000)
    // A new vote of a member replaces their pending one.
    await until(
      'the last vote is on the page of another, in their language',
      () => playerOf(other)?.votes[0]?.questions.fr === 'Arrêter la musique et quitter le salon\u00A0?',
    )
    expect(playerOf(other).votes).to.have.length(1)
    await until('and in the channel', () =>
      player.stage.messages().some(({ embeds }) => embeds[0]?.title?.includes('Stop the music')),
    )
    const [{ id }] = playerOf(other).votes
    expect(await said(griefer, 'agree', { vote: id })).to.equal('Your vote counts: 1 of 2.')
    expect(await said(ally, 'agree', { vote: id })).to.equal('Adopté.')
    await until('the music is over', () => playerOf(live) === null)
    expect(await said(ally, 'agree', { vote: id })).to.match(/^409 /)
  })

  it('answers each action as the command of the same name does', async () => {
    const browser = await player.enter(0)
    for (const [action, { values }] of Object.entries(PAGE_ACTIONS)) {
      player.clock.aheadMs += 1000
      const given = {
        query: 'a',
        position: 1,
        time: '0:01',
        percent: 50,
        mode: 'track',
        on: true,
        from: 1,
        to: 2,
        track: 'abcdefghijkl',
      }
      const filled = Object.fromEntries(
        Object.keys(values.shape).map((name) => [name, given[name as keyof typeof given]]),
      )
      const { status, json } = await browser.perform(action, filled)
      // Nothing plays, and the member is in no channel: a sentence of the command, never a failure.
      expect(status, `${action}: ${JSON.stringify(json)}`).to.equal(409)
      expect(json.error.message, action).to.match(/^(?:Nothing is playing|Join a voice channel|You have no favorites)/)
    }
  })

  it('shows a long queue page by page, each track with a number that stays its own, and who listens', async () => {
    await player.stage.sit(0)
    await player.stage.sit(1)
    const browser = await player.enter(0)
    const live = await look(browser)
    await said(browser, 'play', { query: 'now' })
    const playlist = Array.from({ length: 250 }, (_, at) => tokenOf(`wave-${at}`))
    await player.stage.music.play(player.stage.scope, guildId, { playlist })
    await until('the page knows the length', () => playerOf(live)?.queue.total === 250)
    const { queue, queueMs, listeners } = playerOf(live)
    expect(queue.rows).to.have.length(100)
    expect(queueMs).to.equal(250 * 60_000)
    expect(listeners.map(({ id }: any) => id)).to.have.members([player.stage.ids[0], player.stage.ids[1]])
    const { json } = await browser.ask('queue?from=200')
    expect([json.version, json.total, json.from, json.rows.length]).to.deep.equal([queue.version, 250, 200, 50])
    expect(json.rows[0].title).to.equal('wave-200')
    await said(browser, 'move', { from: 201, to: 1 })
    await until('it keeps its number', () => playerOf(live).queue.rows[0].id === json.rows[0].id)
    expect((await browser.ask('queue?from=x')).status).to.equal(422)
    const found = (await browser.ask('queue?from=0&find=SOMEBODY%20wave-24')).json
    const places = [25, ...Array.from({ length: 10 }, (_, at) => 240 + at)]
    expect(found.hits.map(([at]: readonly number[]) => at)).to.deep.equal(places)
    expect(found.rows[1].title).to.equal('wave-240')
    expect((await browser.ask(`queue?from=0&find=${'x'.repeat(201)}`)).status).to.equal(422)
    expect((await browser.send('GET', `/listen/${guildId}/avatar/${player.stage.ids[2]}`)).status).to.equal(404)
  })

  it('takes nothing without the token of its own page, and no other kind of body', async () => {
    await player.stage.sit(0)
    const browser = await player.enter(0)
    const path = `/listen/${guildId}/do/play`
    const body = JSON.stringify({ query: 'a' })
    const json = { 'content-type': 'application/json' }
    const token = { 'x-csrf-token': browser.csrf }
    const other = await player.enter(1)
    for (const [headers, status] of [
      [json, 403],
      [{ ...json, 'x-csrf-token': other.csrf }, 403],
      [{ ...json, ...token, 'sec-fetch-site': 'cross-site' }, 403],
      [{ ...token, 'content-type': 'text/plain' }, 415],
      [{ ...token, 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ] as const) {
      expect((await browser.send('POST', path, { headers, body })).status, JSON.stringify(headers)).to.equal(status)
    }
    const headers = { ...json, ...token }
    expect((await browser.send('POST', path, { headers, body: '{' })).status).to.equal(400)
    expect((await browser.send('POST', path, { headers, body: `"${'x'.repeat(9000)}"` })).status).to.equal(413)
    expect((await browser.send('POST', path, { headers, body: '{"query":"a","requesterId":"1"}' })).status).to.equal(
      422,
    )
    expect((await browser.perform('constructor')).status).to.equal(404)
    expect((await browser.perform('volume', { percent: 201 })).status).to.equal(422)
    await player.stage.music.info(player.stage.scope, guildId).then(
      () => expect.fail('Something plays.'),
      () => undefined,
    )
  })

  it('bounds what one member asks, and no other', async () => {
    const [browser, other] = [await player.enter(2), await player.enter(3)]
    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => browser.ask(`search?q=q${at}`)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).to.be.greaterThan(10)
    expect(refused[0]?.headers.get('retry-after')).to.match(/^\d+$/)
    expect((await other.ask('search?q=a')).status).to.equal(200)
  })

  it('keeps favourites of the member alone, and shows what was played', async () => {
    await player.stage.sit(0)
    const [mine, other] = [await player.enter(0), await player.enter(1)]
    await said(mine, 'play', { query: 'liked heard' })
    expect(await said(mine, 'addFavourite')).to.match(/liked/)
    const { tracks } = (await mine.ask('favourites')).json
    expect(tracks.map(({ title }: any) => title)).to.deep.equal(['liked'])
    expect((await other.ask('favourites')).json.tracks).to.deep.equal([])
    const live = await look(mine)
    await until('the page knows that it is kept', () => meOf(live).kept === playerOf(live).current.mark)
    await said(mine, 'skip')
    await until('it is in the history', async () => (await other.ask('history')).json.tracks[0]?.title === 'liked')
    expect(await said(mine, 'playFavourite', { track: tracks[0].mark })).to.equal('Added liked · #1 in the queue')
    await said(mine, 'removeFavourite', { track: tracks[0].mark })
    expect((await mine.ask('favourites')).json.tracks).to.deep.equal([])
  })
})
