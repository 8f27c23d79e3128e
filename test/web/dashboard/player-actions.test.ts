import { expect } from 'chai'
import type { Recommendation } from '../../../bot/autoplay/song.ts'
import { areServicesDivided } from '../../support/divided-api.ts'
import { startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts'
import { channelId, guildId } from '../../support/fake-music.ts'

const BOT = '900000000000000001'

describe('the actions on a player in the dashboard', () => {
  let dashboard: TestDashboard
  let owner: Visitor
  let list: string
  let page: string
  let scope: { projectId: string; botId: string; playerCeiling: number }

  before(async () => {
    dashboard = await startDashboard()
    const { context } = dashboard
    const projectId = (await dashboard.project('Harbour radio')).id
    scope = { projectId, botId: BOT, playerCeiling: 5 }
    list = `/dashboard/projects/${projectId}/players`
    page = `${list}/${BOT}/${guildId}`
    owner = dashboard.visitor(await dashboard.person('Ada', { [projectId]: 'owner' }))
    await context.bots.add({ id: BOT, projectId, name: 'Horn', token: 'a.b.c.d.e.f', sandbox: false })
    for (const query of ['night', 'glass', 'low', 'glass']) {
      await context.music.play(scope, guildId, { query, channelId })
    }
  })
  after(() => dashboard.close())

  const act = async (name: string, fields: Record<string, string | string[]> = {}) =>
    (await owner.post(`${page}/${name}`, fields, { page })).status
  /** Acts on a row, like its button. */
  const actOn = async (name: string, position: number) => {
    const { ids } = await dashboard.context.music.queueItems(scope, guildId)
    return act(name, { only: String(ids[position - 1]) })
  }
  const info = () => dashboard.context.music.info(scope, guildId)
  const titles = async () => (await info()).queue.map(({ title }) => title)

  it('read their inputs from the form and are written down in words', async () => {
    expect(await act('volume', { volume: '55' })).to.equal(303)
    expect(await act('loop', { loop: 'queue' })).to.equal(303)
    expect(await act('pause')).to.equal(303)
    expect(await act('autoplay', { autoplay: 'on' })).to.equal(303)
    expect(await info()).to.include({ volume: 55, loop: 'queue', paused: true, autoplay: true })
    expect(await act('seek', { positionMs: '61000' })).to.equal(303)
    expect(await act('crossfade', { crossfadeMs: '4000' })).to.equal(303)
    expect(await act('fade', { fadeMs: '300' })).to.equal(303)
    expect(await info()).to.include({ positionMs: 61_000 })
    expect(await act('dedupe')).to.equal(303)
    expect(await titles()).to.deep.equal(['Glass Harbour', 'Low Tide'])
    expect(await act('undo')).to.equal(303)
    expect(await titles()).to.deep.equal(['Glass Harbour', 'Low Tide', 'Glass Harbour'])
    expect(await act('dedupe')).to.equal(303)
    expect((await owner.get(page))?.text).to.include('Skip to Low Tide')
    expect(await act('sleep', { minutes: '30' })).to.equal(303)
    expect((await owner.get(page))?.text).to.match(/Ends in \d+ min/u)
    expect(await act('sleep', { minutes: '' })).to.equal(303)
    expect((await info()).sleep).to.deep.equal({ endsAt: null })
    expect(await act('sleep', { minutes: '0' })).to.equal(303)
    expect((await info()).sleep).to.equal(null)
    expect(await actOn('next', 2)).to.equal(303)
    expect(await actOn('remove', 2)).to.equal(303)
    expect(await titles()).to.deep.equal(['Low Tide'])
    const audit = (await owner.get(`${list.replace('/players', '/audit')}?kind=control`))?.text
    expect(audit)
      .to.include('removed duplicates from a queue')
      .and.to.include('changed the volume')
      .and.to.match(/<del>\d+<\/del>\s*→\s*<ins>55<\/ins>/)
      .and.to.include('set a sleep timer')
      .and.to.include('removed tracks from a queue')
  })

  it('go to a chapter, and the page names the one that sounds, in the language of the reader', async () => {
    expect(await act('chapter', { chapter: '2' })).to.equal(303)
    expect((await info()).positionMs).to.be.at.least(61_000)
    const text = (await owner.get(page))?.text
    expect(text)
      .to.include('Chapter 2 of 2')
      .and.to.match(/<small>1:01<\/small>\s+The Crossing/u)
    expect(await act('chapter', { chapter: '3' })).to.equal(422)
  })

  it('stand beside the reason why autoplay chose what plays, in the language of the reader', async function () {
    // Several services have their own.
    if (areServicesDivided) this.skip()
    const { context } = dashboard
    const { music } = context
    const textWhen = async (recommendation: Recommendation | null, headers = {}) => {
      const players = async (who: typeof scope) =>
        (await music.players(who)).map((player) => Object.assign(player, { recommendation }))
      Object.assign(context, { music: Object.assign(Object.create(music), { players }) })
      return (await owner.get(list, headers)).text
    }
    try {
      expect(await textWhen(null)).not.to.include('✨')
      const heard = await textWhen({ provider: 'history', because: 'history', of: '<Low> Tide' })
      expect(heard).to.include('✨ Autoplay: often played after &lt;Low&gt; Tide')
      const liked = { provider: 'favourites', because: 'favourite', of: null } as const
      expect(await textWhen(liked, { 'accept-language': 'de' })).to.include('✨ Autoplay: Favorit eines Zuhörers')
    } finally {
      Object.assign(context, { music })
    }
  })

  it('stand beside lyrics with their times, and beside words where there are none', async () => {
    const { context } = dashboard
    const before = context.trackMetadata
    expect((await owner.get(`${page}/lyrics?part=1`)).text).to.include('No lyrics for this track.')
    const line = { text: '<Low> the tide', timeMs: 12_340, durationMs: null }
    const lyrics = async () =>
      ({ source: 'lrclib', lang: null, synced: true, instrumental: false, lines: [line] }) as const
    Object.assign(context, { trackMetadata: { lyrics } })
    const { text } = await owner.get(`${page}/lyrics?part=1`)
    expect(text.replaceAll(/\s+/g, ' ')).to.equal('<p data-ms="12340">&lt;Low&gt; the tide</p>')
    expect((await owner.get(`${page}/lyrics`)).text)
      .to.include('<h1>Lyrics</h1>')
      .and.include('data-ms="12340"')
    Object.assign(context, { trackMetadata: before })
  })

  it('refuse what no page sends, and change nothing then', async () => {
    const before = await info()
    for (const volume of ['201', '-1', 'loud']) expect(await act('volume', { volume })).to.equal(422)
    expect(await act('loop', { loop: 'sometimes' })).to.equal(422)
    expect(await act('remove')).to.equal(422)
    expect(await act('remove', { id: '1.5' })).to.equal(422)
    expect(await act('next', { id: ['1', 'x'] })).to.equal(422)
    expect(await act('filters', { on: 'tremolo', 'tremolo.frequency': '101' })).to.equal(422)
    expect(await act('preset', { preset: 'louder' })).to.equal(422)
    expect(await act('crossfade', { crossfadeMs: '12001' })).to.equal(422)
    expect(await info()).to.deep.equal(before)
  })

  it('skip to a track that waits', async () => {
    await dashboard.context.music.play(scope, guildId, { query: 'glass', channelId })
    const before = await titles()
    expect(await actOn('skip-to', before.length)).to.equal(303)
    expect((await info()).current?.title).to.equal(before.at(-1))
    expect(await actOn('skip-to', 99)).to.equal(422)
  })
})
