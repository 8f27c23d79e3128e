import { expect } from 'chai'
import type { PlayerService } from '../../../bot/player-service.ts'
import { createEventBus } from '../../../bot/event-bus.ts'
import { createLog } from '../../../lib/log.ts'
import { closing } from '../../support/closing.ts'
import { channelId, createFakeMusic, guildId, secondChannelId, secondGuildId } from '../../support/fake-music.ts'
import { bots, keys, startApi, type Called, type TestApi } from '../../support/api.ts'

const guild = `/v1/music/guilds/${guildId}`

function titles(pages: readonly Called[]): string[] {
  return pages.flatMap(({ body }) => body.data.queue.map(({ title }: { title: string }) => title))
}

function places(pages: readonly Called[]): string[] {
  return pages.flatMap(({ body }) => body.data.map((one: any) => `${one.botId} ${one.guildId}`))
}

function albumsOf(source: string, count: number) {
  const one = { kind: 'album' as const, author: null, trackCount: null, artworkUrl: null, source }
  return Array.from({ length: count }, (_, at) => ({ ...one, title: `${source} ${at}`, uri: `${source}://${at}` }))
}

describe('a list that is read in pages', () => {
  const keep = closing()
  let api: TestApi
  beforeEach(async () => {
    api = keep(await startApi())
  })

  const get = (path: string, key: string = keys.linked) => api.call('GET', path, { key })

  /** All pages of a path, one after the other; `between` runs after each. */
  async function pagesOf(path: string, { key = keys.linked, between = async (_page: Called) => {} } = {}) {
    const pages: Called[] = []
    for (let next = ''; ;) {
      const page = await get(next === '' ? path : `${path}&cursor=${next}`, key)
      expect(page.status, JSON.stringify(page.body)).to.equal(200)
      pages.push(page)
      if (page.body.next === null) return pages
      next = page.body.next
      await between(page)
    }
  }

  const play = (query: string, path = guild, options = {}) =>
    api.call('POST', `${path}/play`, { body: { query, channelId }, ...options })
  const fill = async (count: number) => {
    for (let i = 0; i <= count; i++) await play(['night', 'glass', 'low'][i % 3] ?? '')
  }
  const open = (id: string, channel: string) =>
    api.call('POST', `/v1/music/guilds/${id}/play`, { key: keys.pool, body: { query: 'night', channelId: channel } })

  it('is whole without a limit, as it always was', async () => {
    await fill(5)
    for (const path of [`${guild}/queue`, '/v1/music/players']) expect((await get(path)).body.next).to.equal(null)
    expect((await get(`${guild}/queue`)).body.data.queue).to.have.length(5)
  })

  it('comes with its first 25 tracks and their number after a command, or with as many as the caller wants', async () => {
    await fill(30)
    const commands = [
      ['PATCH', 'player', { volume: 80 }],
      ['POST', 'queue/shuffle', undefined],
      ['POST', 'queue/move', { from: 1, to: 2 }],
    ] as const
    for (const [method, path, body] of commands) {
      const lengths = async (query: string) => {
        const { data } = (await api.call(method, `${guild}/${path}${query}`, { ...(body && { body }) })).body
        return [data.queue.length, data.queueLength]
      }
      const answered = [await lengths(''), await lengths('?queue=0'), await lengths('?queue=10000')]
      expect(answered, path).to.deep.equal([
        [25, 30],
        [0, 30],
        [30, 30],
      ])
    }
    expect((await get(`${guild}/player`)).body.data.queue).to.have.length(30)
    const { status, body } = await api.call('PATCH', `${guild}/player?queue=10001`, { body: { volume: 80 } })
    expect([status, body.error.details[0].field]).to.deep.equal([422, 'query.queue'])
  })

  it('gives each track of a queue once, in its order', async () => {
    await fill(7)
    const whole = titles([await get(`${guild}/queue`)])
    for (const limit of [1, 2, 3, 7, 8]) {
      const pages = await pagesOf(`${guild}/queue?limit=${limit}`)
      expect(titles(pages), String(limit)).to.deep.equal(whole)
      expect(pages, String(limit)).to.have.length(Math.ceil(7 / limit))
    }
  })

  it('continues behind its last track while the queue moves, and says that it has changed', async () => {
    await fill(8)
    const whole = titles([await get(`${guild}/queue`)])
    let turn = 0
    const pages = await pagesOf(`${guild}/queue?limit=3`, {
      async between() {
        turn += 1
        if (turn === 1) await api.call('POST', `${guild}/skip`)
        else await api.call('POST', `${guild}/play`, { body: { query: 'low', when: 'next' } })
      },
    })
    expect(titles(pages)).to.deep.equal(whole)
    const versions = new Set(pages.map(({ body }) => body.data.queueVersion))
    expect(versions.size).to.equal(3)
    expect(pages[0]?.headers.get('etag')).to.equal(`"${pages[0]?.body.data.queueVersion}"`)
  })

  it('leaves no track out where the last one of a page is gone', async () => {
    await fill(6)
    const whole = titles([await get(`${guild}/queue`)])
    const pages = await pagesOf(`${guild}/queue?limit=3`, {
      between: async () => void (await api.call('DELETE', `${guild}/queue/3`)),
    })
    expect(titles(pages)).to.deep.equal(whole)
    const { next } = (await get(`${guild}/queue?limit=2`)).body
    await api.call('DELETE', `${guild}/queue`)
    await fill(2)
    expect((await get(`${guild}/queue?limit=2&cursor=${next}`)).body.data.queue).to.have.length(2)
  })

  it('gives each player of a pool once, while others come and go', async () => {
    await open(guildId, channelId)
    await open(guildId, secondChannelId)
    await open(secondGuildId, channelId)
    const all = places([await get('/v1/music/players', keys.pool)])
    expect(all).to.have.length(3)
    expect(places(await pagesOf('/v1/music/players?limit=1', { key: keys.pool }))).to.deep.equal(all)
    const seen = await pagesOf('/v1/music/players?limit=1', {
      key: keys.pool,
      async between({ body }) {
        const [{ botId, guildId: id, channelId: channel }] = body.data
        if (botId === bots.first && id === guildId) {
          await api.call('DELETE', `/v1/music/guilds/${id}/player?channelId=${channel}`, { key: keys.pool })
        }
      },
    })
    expect(places(seen)).to.deep.equal(all)
  })

  it('continues for each source of music on its own', async () => {
    const shelves = [albumsOf('library', 5), albumsOf('http', 12)]
    const lists: PlayerService['lists'] = async ({ source, limit, offset }) =>
      shelves
        .filter(([first]) => source === undefined || first?.source === source)
        .flatMap((shelf) => shelf.slice(offset, offset + limit))
        .slice(0, limit)
    const music = createFakeMusic(createEventBus({ log: createLog('silent') }))
    const withLists = new Proxy(music, {
      get: (target, name) => (name === 'lists' ? lists : Reflect.get(target, name)),
    })
    api = keep(await startApi({ app: { music: withLists } }))
    const pages = await pagesOf('/v1/music/lists?type=album&limit=4')
    const found = pages.flatMap(({ body }) => body.data.map(({ title }: { title: string }) => title))
    expect(found).to.have.members(shelves.flat().map(({ title }) => title))
    expect(found).to.have.length(17)
    const { next } = (await get('/v1/music/lists?type=album&limit=4')).body
    expect((await get(`/v1/music/lists?type=artist&limit=4&cursor=${next}`)).status).to.equal(422)
  })

  it('refuses a cursor that it did not give, by name', async () => {
    await fill(4)
    const { next } = (await get(`${guild}/queue?limit=2`)).body
    const changed = `${next.slice(0, 3)}${next[3] === 'A' ? 'B' : 'A'}${next.slice(4)}`
    for (const cursor of ['', 'x', 'W10', next.slice(1), next.slice(0, -1), changed, `${next}A`, 'A'.repeat(1001)]) {
      const { status, body } = await get(`${guild}/queue?limit=2&cursor=${cursor}`)
      expect([status, body.error.details[0].field], cursor).to.deep.equal([422, 'query.cursor'])
    }
    expect((await get(`/v1/music/players?limit=2&cursor=${next}`)).status).to.equal(422)
    expect((await get(`${guild}/queue?limit=2&cursor=${next}`)).status).to.equal(200)
  })
})
