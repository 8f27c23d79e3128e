import { expect } from 'chai'
import { Fault } from '../../../lib/errors.ts'
import { closing } from '../../support/closing.ts'
import { channelId, guildId, secondGuildId, songs } from '../../support/fake-music.ts'
import { keys, startApi, type TestApi } from '../../support/api.ts'

const guild = `/v1/music/guilds/${guildId}`

function fields(called: { body: any }): string[] {
  return called.body.error.details.map(({ field }: { field: string }) => field)
}

const titles = ({ body }: { body: any }) => body.data.queue.map(({ title }: { title: string }) => title)

describe('the music routes', () => {
  const keep = closing()
  let api: TestApi
  beforeEach(async () => {
    api = keep(await startApi())
  })

  const start = () => api.call('POST', `${guild}/play`, { body: { query: 'night', channelId } })

  it('play, tell of the player and its queue, skip and close', async () => {
    const played = await start()
    expect(played.status).to.equal(200)
    expect(played.body.data).to.include({ position: 0, added: 1, total: null })
    expect(played.body.data.track)
      .to.include({ title: 'Night Ferry', lengthMs: 214_000 })
      .and.not.have.property('encoded')

    const { encoded } = songs[1]
    const queued = await api.call('POST', `${guild}/play`, { body: { track: { encoded } } })
    expect(queued.body.data.position).to.equal(1)

    const { data: player } = (await api.call('GET', `${guild}/player`)).body
    expect(player).to.have.all.keys(
      'node',
      'botId',
      'channelId',
      'paused',
      'positionMs',
      'volume',
      'muted',
      'loop',
      'current',
      'queue',
      'queueLength',
      'queueVersion',
      'streamTitle',
      'privacyCode',
      'silenced',
      'filters',
      'sleep',
      'crossfadeMs',
      'fadeMs',
      'autoplay',
      'suggestion',
      'chapters',
      'sponsorBlock',
      'segments',
      'recommendation',
    )
    expect(player.queue).to.deep.equal([songs[1]])
    expect(player.current.encoded).to.equal(songs[0].encoded)

    const { data: queue } = (await api.call('GET', `${guild}/queue`)).body
    expect(queue.queue[0]).to.not.have.property('encoded')
    expect(queue.lengthMs).to.equal(304_000)

    const { data: all } = (await api.call('GET', '/v1/music/players')).body
    expect(all).to.deep.equal([{ guildId, ...player }])

    expect((await api.call('POST', `${guild}/skip`)).body.data.track.title).to.equal('Glass Harbour')
    expect((await api.call('POST', `${guild}/skip`)).body).to.deep.equal({ data: { track: null } })
    expect((await api.call('POST', `${guild}/skip`)).body.error.code).to.equal('conflict')
    expect((await api.call('DELETE', `${guild}/player`)).body).to.deep.equal({ data: { closed: true } })
    expect((await api.call('GET', `${guild}/player`)).status).to.equal(404)
  })

  it('say why there is nothing to play, for programs to branch on', async () => {
    const refused = await api.call('POST', `${guild}/play`, { body: { query: 'nowhere to be found', channelId } })
    const { code, reason, details } = refused.body.error
    const field = 'body.query'
    expect([refused.status, code, reason, details[0].field]).to.deep.equal([
      422,
      'validation_error',
      'nothing_found',
      field,
    ])
  })

  it('edit the queue and go back', async () => {
    for (const query of ['night', 'glass', 'low']) {
      await api.call('POST', `${guild}/play`, { body: { query, channelId } })
    }
    const moved = await api.call('POST', `${guild}/queue/move`, { body: { from: 2, to: 1 } })
    expect(titles(moved)).to.deep.equal(['Low Tide', 'Glass Harbour'])
    for (const query of ['night', 'low']) await api.call('POST', `${guild}/play`, { body: { query } })
    const deduplicated = await api.call('POST', `${guild}/queue/remove-duplicates`)
    expect(titles(deduplicated)).to.deep.equal(['Low Tide', 'Glass Harbour'])
    expect(titles(await api.call('POST', `${guild}/queue/shuffle`))).to.have.length(2)
    expect(titles(await api.call('DELETE', `${guild}/queue/1`))).to.have.length(1)
    expect(fields(await api.call('DELETE', `${guild}/queue/2`))).to.deep.equal(['path.position'])
    for (const position of ['0', '-1', 'one', '5001']) {
      const refused = await api.call('DELETE', `${guild}/queue/${position}`)
      expect([refused.status, fields(refused)]).to.deep.equal([422, ['path.position']])
    }
    const wrong = await api.call('POST', `${guild}/queue/move`, { body: { from: 0.5 } })
    expect(fields(wrong)).to.have.members(['body.from', 'body.to'])
    expect(titles(await api.call('DELETE', `${guild}/queue`))).to.deep.equal([])
    await api.call('POST', `${guild}/skip`)
    expect((await api.call('POST', `${guild}/previous`)).body.data.track.title).to.equal('Night Ferry')
    expect((await api.call('POST', `${guild}/previous`)).body.error.code).to.equal('conflict')
    expect((await api.call('POST', '/v1/music/guilds/81384788765712399/previous')).status).to.equal(404)
  })

  it('skip to a position of the queue', async () => {
    for (const query of ['night', 'glass', 'low']) {
      await api.call('POST', `${guild}/play`, { body: { query, channelId } })
    }
    const to = (position: unknown) => api.call('POST', `${guild}/queue/skip-to`, { body: { position } })
    expect((await to(3)).body.error).to.include({ code: 'validation_error' })
    expect(fields(await to(0))).to.deep.equal(['body.position'])
    expect((await to(2)).body.data.track.title).to.equal('Low Tide')
    expect(titles(await api.call('GET', `${guild}/queue`))).to.deep.equal([])
  })

  it('set, read and take back the next track', async () => {
    const next = (method: 'GET' | 'PUT' | 'DELETE', body?: unknown) =>
      api.call(method, `${guild}/next-track`, body === undefined ? {} : { body })
    const { encoded } = songs[1]
    await start()
    expect((await next('GET')).body).to.deep.equal({ data: { track: null } })
    expect((await next('PUT', { track: { encoded } })).body.data.track).to.include({ title: 'Glass Harbour', encoded })
    expect((await next('GET')).body.data.track.title).to.equal('Glass Harbour')
    expect((await next('DELETE')).body).to.deep.equal({ data: { track: null } })
    expect(fields(await next('PUT', {}))).to.deep.equal(['body.track'])
    expect(fields(await next('PUT', { track: { encoded: 'nonsense' } }))).to.deep.equal(['body.track.encoded'])
    await api.call('POST', `${guild}/skip`)
    const refused = await next('PUT', { track: { encoded } })
    expect([refused.status, refused.body.error.code]).to.deep.equal([409, 'conflict'])
  })

  const mix = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', body?: unknown) =>
    api.call(method, `${guild}/mix${path}`, body === undefined ? {} : { body })

  it('lay sounds over the track, list, change and remove them', async () => {
    const { encoded } = songs[1]
    await start()
    const { data } = (await mix('POST', '', { track: { encoded } })).body
    expect(data).to.deep.include({ volume: 0.8, positionMs: 0 })
    expect(data.track).to.include({ title: 'Glass Harbour', encoded })
    expect((await mix('PATCH', `/${data.id}`, { volume: 0.25 })).body.data.volume).to.equal(0.25)
    expect((await mix('GET')).body.data).to.deep.equal([{ ...data, volume: 0.25 }])
    for (const volume of [-0.1, 1.1, '1', null]) {
      expect(fields(await mix('POST', '', { track: { encoded }, volume }))).to.deep.equal(['body.volume'])
      expect(fields(await mix('PATCH', `/${data.id}`, { volume }))).to.deep.equal(['body.volume'])
    }
    expect(fields(await mix('DELETE', '/first'))).to.deep.equal(['path.id'])
    expect((await mix('DELETE', `/${data.id}`)).body.data.id).to.equal(data.id)
    expect((await mix('DELETE', `/${data.id}`)).status).to.equal(404)
    for (let i = 0; i < 5; i += 1) expect((await mix('POST', '', { track: { encoded } })).status).to.equal(200)
    expect((await mix('POST', '', { track: { encoded } })).body.error.code).to.equal('conflict')
  })

  it('mute by default without any body, and unmute in both ways', async () => {
    await start()
    const mute = (body?: unknown) => api.call('POST', `${guild}/mute`, body === undefined ? {} : { body })
    expect((await mute()).body).to.deep.equal({ data: { muted: true } })
    expect((await mute({})).body).to.deep.equal({ data: { muted: true } })
    expect((await mute({ muted: false })).body).to.deep.equal({ data: { muted: false } })
    await mute({ muted: true })
    await api.call('PATCH', `${guild}/player`, { body: { volume: 30 } })
    expect((await api.call('DELETE', `${guild}/mute`)).body).to.deep.equal({ data: { muted: false } })
    expect((await api.call('GET', `${guild}/player`)).body.data.volume).to.equal(100)
  })

  it('change any field of the player, and leave the others', async () => {
    await start()
    const { body } = await api.call('PATCH', `${guild}/player`, { body: { paused: true, volume: 55.5, loop: 'queue' } })
    expect(body.data).to.include({ paused: true, volume: 55.5, loop: 'queue', positionMs: 0 })
    expect((await api.call('PATCH', `${guild}/player`, { body: {} })).body.data).to.include({ volume: 55.5 })
  })

  const patchFilters = (filters: unknown) => api.call('PATCH', `${guild}/player`, { body: { filters } })

  it('set filters with the defaults of Lavalink, and refuse those that there are not or beyond their bounds', async () => {
    await start()
    const set = await patchFilters({ timescale: { rate: 1.5 }, equalizer: [{ band: 0, gain: -0.25 }], tremolo: {} })
    expect(set.body.data.filters).to.deep.equal({
      timescale: { speed: 1, pitch: 1, rate: 1.5 },
      equalizer: [{ band: 0, gain: -0.25 }],
      tremolo: { frequency: 2, depth: 0.5 },
    })
    expect((await patchFilters({ preset: '8d' })).status).to.equal(200)
    expect((await patchFilters({})).body.data.filters).to.deep.equal({})
    for (const [filters, field] of [
      [{ chorus: {} }, 'body.filters.chorus'],
      [{ echo: { delayMs: 5 } }, 'body.filters.echo.delayMs'],
      [{ reverb: { mix: 2 } }, 'body.filters.reverb.mix'],
      [{ lowPass: { smoothing: 20, cutoff: 1 } }, 'body.filters.lowPass.cutoff'],
      [{ preset: 'loud' }, 'body.filters.preset'],
      [{ volume: 6 }, 'body.filters.volume'],
      [{ equalizer: [{ band: 15, gain: 0 }] }, 'body.filters.equalizer.0.band'],
      [{ timescale: { speed: 0 } }, 'body.filters.timescale.speed'],
      [{ rotation: { rotationHz: '1' } }, 'body.filters.rotation.rotationHz'],
    ] as const) {
      const refused = await patchFilters(filters)
      expect([refused.status, fields(refused)], JSON.stringify(filters)).to.deep.equal([422, [field]])
    }
  })

  it('name every wrong field of a change at once', async () => {
    const wrong = await api.call('PATCH', `/v1/music/guilds/12/player`, {
      body: { paused: 'yes', volume: 201, loop: 'all', positionMs: -1 },
    })
    expect(wrong.status).to.equal(422)
    expect(fields(wrong)).to.have.members([
      'path.guildId',
      'body.paused',
      'body.volume',
      'body.loop',
      'body.positionMs',
    ])
  })

  it('want exactly one of query and track', async () => {
    for (const body of [{}, { query: 'a', track: { encoded: 'b' }, channelId }, undefined]) {
      const refused = await api.call('POST', `${guild}/play`, body === undefined ? {} : { body })
      expect(refused.status).to.equal(422)
      expect(refused.body.error.code).to.equal('validation_error')
      expect(fields(refused)).to.deep.equal(['body.query', 'body.track'])
    }
  })

  it('name the field of a track reference, a channel and a query', async () => {
    const wrong = await api.call('POST', `${guild}/play`, { body: { query: '', track: {}, channelId: 5 } })
    expect(fields(wrong)).to.have.members(['body.query', 'body.track.encoded', 'body.channelId'])
    const long = await api.call('POST', `${guild}/play`, { body: { query: 'x'.repeat(501), channelId } })
    expect(fields(long)).to.deep.equal(['body.query'])
  })

  it('count the characters of a query as code points', async () => {
    const { body } = await api.call('POST', `${guild}/play`, { body: { query: '𝄞'.repeat(500), channelId } })
    expect(body.error.message).to.equal('Nothing was found.')
  })

  it('search with a limit, and know the sources by name', async () => {
    const found = await api.call('GET', '/v1/music/search?q=i&limit=2')
    expect(found.body.data).to.have.length(2)
    expect(found.body.data[0]).to.deep.equal({ ...songs[0], source: 'library' })
    for (const query of [
      '',
      '?q=',
      '?q=a&limit=0',
      '?q=a&limit=26',
      '?q=a&limit=1e1',
      '?q=a&limit=',
      '?q=a&source=tape',
    ]) {
      expect((await api.call('GET', `/v1/music/search${query}`)).status, query).to.equal(422)
    }
    expect(fields(await api.call('GET', '/v1/music/search?limit=x'))).to.deep.equal(['query.q', 'query.limit'])
  })

  it("take the bot from the key, so that no key reaches another bot's players", async () => {
    await start()
    for (const key of [keys.otherBot, keys.otherProject]) {
      expect((await api.call('GET', `${guild}/player`, { key })).status).to.equal(404)
      expect((await api.call('DELETE', `${guild}/player`, { key })).status).to.equal(404)
      expect((await api.call('GET', '/v1/music/players', { key })).body).to.deep.equal({ data: [], next: null })
    }
  })

  it("pass the ceiling of the project's plan on", async () => {
    const path = `/v1/music/guilds/${secondGuildId}/play`
    await api.call('POST', path, { key: keys.free, body: { query: 'low', channelId } })
    expect(api.music.lastCeiling()).to.equal(5)
  })

  it('answer each fault of the music with its status and code', async () => {
    for (const [code, status, shown] of [
      ['not_found', 404, 'not_found'],
      ['conflict', 409, 'conflict'],
      ['validation_error', 422, 'validation_error'],
      ['service_unavailable', 503, 'service_unavailable'],
      ['player_limit', 403, 'player_limit'],
      ['upstream_failed', 502, 'service_unavailable'],
      ['timed_out', 504, 'service_unavailable'],
    ] as const) {
      api.music.failWith(new Fault(code, 'As told.', code === 'service_unavailable' ? { retryAfterMs: 1200 } : {}))
      const { status: got, headers, body } = await api.call('GET', `${guild}/player`)
      expect([got, body.error.code, body.error.message]).to.deep.equal([status, shown, 'As told.'])
      const waitMs = code === 'service_unavailable' ? 1200 : undefined
      expect([headers.get('retry-after'), body.error.retryAfterMs]).to.deep.equal([null, waitMs])
    }
  })
})
