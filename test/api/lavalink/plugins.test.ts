import { expect } from 'chai'
import { encodeToken } from '../../../bot/tracks/track-token.ts'
import type { LyricsOf } from '../../../upstream/music/lyrics.ts'
import { passwords, startLavalink, tokenOf, type LavalinkStage } from '../../support/lavalink.ts'
import type { ClientSession } from '../../support/lavalink-client.ts'
import { trackNamed } from '../../support/stage.ts'

const LYRICS: LyricsOf = {
  source: 'lrclib',
  lang: null,
  synced: true,
  instrumental: false,
  lines: [{ text: 'First line', timeMs: 0, durationMs: 900 }],
}

describe('what plug-ins of Lavalink add', () => {
  let stage: LavalinkStage
  let session: ClientSession

  before(async () => {
    stage = await startLavalink({
      knowledge: {
        findLyrics: async ({ title }) => (title === 'Unsung' ? null : LYRICS),
        sponsorBlock: {
          find: async () => [{ category: 'sponsor', action: 'skip', startMs: 1000, endMs: 50_000 }],
        },
        chaptersOf: async () => [
          { title: 'One', startMs: 0, endMs: 50_000 },
          { title: 'Two', startMs: 50_000, endMs: 60_000 },
        ],
      },
    })
  })
  after(() => stage.close())
  beforeEach(async () => {
    session = await stage.connect()
  })
  afterEach(() => session.socket.terminate())

  const player = (of = session) => `/v4/sessions/${of.id}/players/${stage.guild.id}`
  const categories = () => `${player()}/sponsorblock/categories`
  const told = (type: string) => session.message((message) => message.type === type)

  it('keeps the categories of a guild before it has a player, and until that is destroyed', async () => {
    expect((await stage.call('GET', categories())).status).to.equal(404)
    const set = await stage.call('PUT', categories(), { body: ['sponsor', 'sponsor', 'a new one'] })
    expect(set.status).to.equal(204)
    expect((await stage.call('GET', categories())).body).to.deep.equal(['sponsor', 'a new one'])
    await session.patch({ volume: 50 })
    expect((await stage.call('GET', categories())).body).to.deep.equal(['sponsor', 'a new one'])
    expect((await stage.call('DELETE', categories())).status).to.equal(204)
    expect((await stage.call('GET', categories())).status).to.equal(404)
    await stage.call('PUT', categories(), { body: [] })
    await stage.call('DELETE', player())
    expect((await stage.call('GET', categories())).status).to.equal(404)
    expect((await stage.call('DELETE', categories())).status).to.equal(204)
  })

  it('refuses what is no list of categories, and the sessions of others', async () => {
    for (const body of [{}, ['x'.repeat(41)], Array.from({ length: 33 }, String), [1]]) {
      expect((await stage.call('PUT', categories(), { body })).status).to.equal(400)
    }
    const password = passwords.other
    for (const [method, path] of [
      ['GET', categories()],
      ['PUT', categories()],
      ['DELETE', categories()],
      ['POST', `${player()}/lyrics/subscribe`],
      ['DELETE', `${player()}/lyrics/subscribe`],
      ['GET', `${player()}/track/lyrics`],
      ['GET', `${player()}/lyrics`],
    ] as const) {
      const body = method === 'PUT' ? [] : undefined
      expect((await stage.call(method, path, { password, body })).status, `${method} ${path}`).to.equal(404)
    }
  })

  it('passes over segments of a video that plays, and tells chapters as they begin', async () => {
    await stage.call('PUT', categories(), { body: ['sponsor'] })
    const video = encodeToken({ ...trackNamed('Video'), sourceName: 'youtube' })
    await session.patch({ voice: stage.enter(), track: { encoded: video } })
    const segment = { category: 'sponsor', start: 1000, end: 50_000 }
    expect((await told('SegmentsLoaded')).segments).to.deep.equal([segment])
    expect((await told('ChaptersLoaded')).chapters).to.have.length(2)
    expect((await told('ChapterStarted')).chapter).to.include({ name: 'One', duration: 50_000 })
    expect((await told('SegmentSkipped')).segment).to.deep.equal(segment)
    const second = await session.message(({ type, chapter }) => type === 'ChapterStarted' && chapter.name === 'Two')
    expect(second.chapter).to.include({ start: 50_000, end: 60_000 })
    await session.message(({ op, state }) => op === 'playerUpdate' && state.position >= 50_000)
  })

  it('tells lyrics line by line to those who subscribed, and answers them at once', async () => {
    expect((await stage.call('POST', `${player()}/lyrics/subscribe`)).status).to.equal(204)
    await session.patch({ track: { encoded: tokenOf('Song') } })
    expect((await told('LyricsFoundEvent')).lyrics).to.include({ provider: 'LRCLIB', text: 'First line' })
    const line = await told('LyricsLineEvent')
    expect(line).to.deep.include({ lineIndex: 0, skipped: false })
    await session.patch({ track: { encoded: tokenOf('Unsung') } })
    await told('LyricsNotFoundEvent')
    expect((await stage.call('GET', `${player()}/track/lyrics`)).status).to.equal(204)
    expect((await stage.call('GET', `${player()}/lyrics`)).status).to.equal(404)
    expect((await stage.call('DELETE', `${player()}/lyrics/subscribe`)).status).to.equal(204)
    await session.patch({ track: { encoded: tokenOf('Song') } })
    const current = await stage.call('GET', `${player()}/track/lyrics?skipTrackSource=true`)
    expect([current.status, current.body.lines.length]).to.deep.equal([200, 1])
    expect((await stage.call('GET', `${player()}/lyrics`)).body).to.include({ type: 'timed', source: 'LRCLIB' })
    const found = session.messages.filter(({ type }) => type === 'LyricsFoundEvent')
    expect(found, 'no more after the end of the subscription').to.have.length(1)
  })

  it('answers lyrics of any token, and says what a request lacks', async () => {
    const ask = (query: string) => stage.call('GET', `/v4/lyrics${query}`)
    expect((await ask(`?track=${tokenOf('Song')}`)).body).to.include({ sourceName: 'LRCLIB' })
    expect((await ask(`?track=${tokenOf('Unsung')}`)).status).to.equal(204)
    for (const query of ['', '?track=', '/short', '/search']) expect((await ask(query)).status, query).to.equal(400)
    expect((await stage.call('GET', '/v4/loadsearch?query=tides')).status).to.equal(204)
    expect((await stage.call('GET', '/v4/loadsearch')).status).to.equal(400)
  })
})
