import { expect } from 'chai'
import { closing } from '../../support/closing.ts'
import { channelId, guildId, secondGuildId } from '../../support/fake-music.ts'
import { startApi, type CallOptions, type TestApi } from '../../support/api.ts'

const guild = `/v1/music/guilds/${guildId}`

describe('two who edit one queue', () => {
  const keep = closing()
  let api: TestApi
  beforeEach(async () => {
    api = keep(await startApi())
    for (const query of ['night', 'glass', 'low', 'night']) await play(query)
  })

  const play = (query: string, options: CallOptions = {}) =>
    api.call('POST', `${guild}/play`, { body: { query, channelId }, ...options })
  const move = (from: number, to: number, tag: string) =>
    api.call('POST', `${guild}/queue/move`, { body: { from, to }, headers: { 'if-match': tag } })
  const read = async (what = 'queue') => {
    const { headers, body } = await api.call('GET', `${guild}/${what}`)
    return { tag: headers.get('etag') ?? '', data: body.data }
  }
  const titles = async () => (await read()).data.queue.map(({ title }: { title: string }) => title).join()

  it('cannot overwrite each other: the later one is told the tag of now', async () => {
    const { tag, data } = await read()
    expect(tag).to.equal(`"${data.queueVersion}"`)
    const first = await move(3, 1, tag)
    expect(first.status).to.equal(200)
    const second = await move(3, 1, tag)
    expect([second.status, second.body.error.code]).to.deep.equal([412, 'precondition_failed'])
    expect(second.headers.get('etag')).to.equal(first.headers.get('etag')).and.not.to.equal(tag)
    expect(await titles()).to.equal('Night Ferry,Glass Harbour,Low Tide')
    expect((await move(3, 1, second.headers.get('etag') ?? '')).status).to.equal(200)
  })

  it('have one change made when both come at once with one tag', async () => {
    const { tag } = await read()
    const answers = await Promise.all([1, 2, 3, 4].map(() => move(3, 1, tag)))
    expect(answers.map(({ status }) => status)).to.have.members([200, 412, 412, 412])
  })

  it('are held apart in every change of a player, and free without the header', async () => {
    const { tag } = await read()
    await api.call('DELETE', `${guild}/queue/3`)
    const changes = [
      ['POST', 'play', { query: 'low' }],
      ['POST', 'skip'],
      ['POST', 'queue/shuffle'],
      ['POST', 'queue/remove-duplicates'],
      ['POST', 'queue/skip-to', { position: 1 }],
      ['DELETE', 'queue'],
      ['DELETE', 'queue/1'],
      ['PATCH', 'player', { loop: 'queue' }],
      ['PUT', 'player/sleep', { minutes: 5 }],
      ['DELETE', 'player'],
    ] as const
    for (const [method, path, body] of changes) {
      const call = { headers: { 'if-match': tag }, ...(body && { body }) }
      const { status } = await api.call(method, `${guild}/${path}`, call)
      expect(status, `${method} ${path}`).to.equal(412)
    }
    expect(await titles()).to.equal('Glass Harbour,Low Tide')
    for (const any of ['*', '"other", *']) {
      expect((await api.call('POST', `${guild}/queue/shuffle`, { headers: { 'if-match': any } })).status).to.equal(200)
    }
    expect((await api.call('POST', `${guild}/skip`)).status).to.equal(200)
  })

  it('may use the tag of the player, and one that a proxy made weak', async () => {
    const player = await read('player')
    expect(player.tag.startsWith(`"${player.data.queueVersion}.`)).to.equal(true)
    expect((await move(1, 2, player.tag)).status).to.equal(200)
    expect((await move(1, 2, player.tag)).status).to.equal(412)
    const { tag } = await read()
    expect((await move(1, 2, `"older", W/${tag}`)).status).to.equal(200)
  })

  it('learn that nothing has changed by a 304, and of all that changes the order', async () => {
    const { tag } = await read()
    const ask = (what: string, known: string) =>
      api.call('GET', `${guild}/${what}`, { headers: { 'if-none-match': known } })
    const same = await ask('queue', tag)
    expect([same.status, same.body, same.headers.get('etag')]).to.deep.equal([304, '', tag])
    // The volume is no part of the queue, and one of the player.
    const player = await read('player')
    expect((await ask('player', player.tag)).status).to.equal(304)
    await api.call('PATCH', `${guild}/player`, { body: { volume: 40 } })
    expect((await ask('queue', tag)).status).to.equal(304)
    expect((await ask('player', player.tag)).status).to.equal(200)
    const seen = new Set([tag])
    const edits = [
      () => api.call('PATCH', `${guild}/player`, { body: { loop: 'queue' } }),
      () => api.call('POST', `${guild}/skip`),
      () => play('glass'),
    ]
    for (const edit of edits) {
      await edit()
      seen.add((await read()).tag)
    }
    expect(seen.size).to.equal(4)
  })

  it('cannot meet in a guild without a player', async () => {
    const elsewhere = `/v1/music/guilds/${secondGuildId}`
    const call = { body: { query: 'low', channelId }, headers: { 'if-match': '"any"' } }
    expect((await api.call('POST', `${elsewhere}/play`, call)).status).to.equal(412)
    expect((await api.call('GET', `${elsewhere}/player`)).status).to.equal(404)
  })
})
