import { expect } from 'chai'
import type { Images } from '../../../jobs/images/images.ts'
import { Fault } from '../../../lib/errors.ts'
import { closing } from '../../support/closing.ts'
import { channelId, guildId, secondGuildId } from '../../support/fake-music.ts'
import { FAKE_IMAGES } from '../../support/fake-images.ts'
import { idempotentRequestsInMemory } from '../../support/idempotent-requests.ts'
import { keys, startApi, type CallOptions, type TestApi } from '../../support/api.ts'

const guild = `/v1/music/guilds/${guildId}`
const DAY_MS = 24 * 3_600_000

function tempo(...fields: readonly string[]): string {
  return `{"filters":{"timescale":{${fields.join()}}},"volume":80}`
}

describe('a request with an Idempotency-Key', () => {
  const keep = closing()
  let api: TestApi
  beforeEach(async () => {
    api = keep(await startApi())
  })

  const send = (path: string, idempotencyKey: string, { headers, ...options }: CallOptions = {}, method = 'POST') =>
    api.call(method, path, { ...options, headers: { 'idempotency-key': idempotencyKey, ...headers } })
  const play = (idempotencyKey: string, options: CallOptions = {}) =>
    send(`${guild}/play`, idempotencyKey, { body: { query: 'night', channelId }, ...options })
  const patch = (idempotencyKey: string, query: string, body: unknown) =>
    send(`${guild}/player?${query}`, idempotencyKey, { body }, 'PATCH')
  const tracks = async () => {
    const { data } = (await api.call('GET', `${guild}/queue`)).body
    return data.queue.length + (data.current ? 1 : 0)
  }

  it('is carried out once, and a repetition has the same answer and says so', async () => {
    const first = await play('"one"')
    expect([first.status, first.headers.get('idempotent-replayed')]).to.deep.equal([200, null])
    await play('two')
    for (const key of ['"one"', 'one']) {
      const again = await play(key)
      expect([again.status, again.body]).to.deep.equal([200, first.body])
      expect(again.headers.get('idempotent-replayed')).to.equal('true')
      expect(again.headers.get('content-type')).to.equal(first.headers.get('content-type'))
    }
    expect(await tracks()).to.equal(2)
  })

  it('is carried out once where both come at the same time, and the later one is told to wait', async () => {
    const begun = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const images: Images = {
      async apply(job) {
        await job.inputs()
        begun.resolve()
        await held.promise
        return FAKE_IMAGES.apply(job)
      },
    }
    const slow = keep(await startApi({ app: { images } }))
    const headers = { 'idempotency-key': 'k', 'content-type': 'image/png' }
    const upload = () => slow.call('POST', '/v1/image/filters/blur', { body: 'a picture', headers })
    const first = upload()
    await begun.promise
    const second = await upload()
    expect([second.status, second.body.error.code]).to.deep.equal([409, 'conflict'])
    expect(second.headers.get('retry-after')).to.equal('1')
    held.resolve()
    expect([(await first).status, (await upload()).status]).to.deep.equal([200, 200])

    const answers = await Promise.all([1, 2, 3].map(() => play('k')))
    for (const { status } of answers) expect(status).to.be.oneOf([200, 409])
    expect(await tracks()).to.equal(1)
  })

  it('is refused where the key was sent with another body, path or verb', async () => {
    await play('k')
    const others = [
      () => play('k', { body: { query: 'low', channelId } }),
      () => play('k', { body: { query: 'night', channelId, when: 'now' } }),
      () => send(`${guild}/skip`, 'k'),
      () => send(`${guild}/queue`, 'k', {}, 'DELETE'),
      () => send(`/v1/music/guilds/${secondGuildId}/play`, 'k', { body: { query: 'night', channelId } }),
    ]
    for (const other of others) {
      const { status, body } = await other()
      expect([status, body.error.details[0].field]).to.deep.equal([422, 'header.Idempotency-Key'])
    }
    expect(await tracks()).to.equal(1)
  })

  it('is known by everything that changes a player, with the tag of the first answer', async () => {
    for (const key of ['a', 'b', 'c', 'd']) await play(key)
    const calls = [
      ['POST', 'queue/move', { from: 3, to: 1 }],
      ['DELETE', 'queue/1'],
      ['POST', 'queue/shuffle'],
      ['POST', 'skip'],
      ['PATCH', 'player', { volume: 55 }],
      ['DELETE', 'player'],
    ] as const
    for (const [method, path, body] of calls) {
      const options = body ? { body } : {}
      const key = `${method} ${path}`
      const first = await send(`${guild}/${path}`, key, options, method)
      const again = await send(`${guild}/${path}`, key, options, method)
      expect([first.status, again.status, again.body], path).to.deep.equal([200, 200, first.body])
      expect(again.headers.get('etag'), path).to.equal(first.headers.get('etag'))
      expect(again.headers.get('idempotent-replayed'), path).to.equal('true')
    }
    expect((await api.call('GET', `${guild}/player`)).status).to.equal(404)
  })

  it('replays instead of holding the repetition against a tag that the first one has changed', async () => {
    await play('a')
    const tag = (await api.call('GET', `${guild}/queue`)).headers.get('etag') ?? ''
    const headers = { 'if-match': tag }
    expect((await play('b', { headers })).status).to.equal(200)
    expect((await play('b', { headers })).status).to.equal(200)
    expect((await play('c', { headers })).status).to.equal(412)
    expect(await tracks()).to.equal(2)
  })

  it('that was refused may be sent again, since it changed nothing', async () => {
    const wrong = { body: { query: 'nowhere to be found', channelId } }
    expect((await play('k', wrong)).status).to.equal(422)
    const again = await play('k', wrong)
    expect([again.status, again.headers.get('idempotent-replayed')]).to.deep.equal([422, null])
    expect((await play('k')).status).to.equal(200)
    expect((await play('k2', { body: {} })).status).to.equal(422)
    expect((await play('k2')).status).to.equal(200)
  })

  it('is known in all of its project, where another bot is another request, and in no other project', async () => {
    await play('k')
    const { status, body } = await play('k', { key: keys.otherBot })
    expect([status, body.error.details[0].field]).to.deep.equal([422, 'header.Idempotency-Key'])
    const elsewhere = await play('k', { key: keys.otherProject })
    expect([elsewhere.status, elsewhere.headers.get('idempotent-replayed')])
      .to.not.include(422)
      .and.not.include('true')
  })

  it('is the same request with its fields and parameters in another order, or written otherwise', async () => {
    const track = { query: 'night', channelId }
    const first = await play('k', { body: track })
    const turned = Object.fromEntries(Object.entries(track).toReversed())
    const spaced = JSON.stringify(turned, null, 2).replace('night', '\\u006eight')
    for (const body of [turned, spaced]) {
      const again = await play('k', { body })
      expect([again.status, again.headers.get('idempotent-replayed'), again.body]).to.deep.equal([
        200,
        'true',
        first.body,
      ])
    }
    await patch('p', `queue=3&channelId=${channelId}`, tempo('"speed":1.5', '"pitch":1'))
    const same = await patch('p', `channelId=${channelId}&queue=3`, tempo('"pitch":1.0', '"speed":1.50'))
    expect([same.status, same.headers.get('idempotent-replayed')]).to.deep.equal([200, 'true'])
    expect((await patch('p', `channelId=${channelId}&queue=3`, tempo('"pitch":1', '"speed":1.6'))).status).to.equal(422)
    expect(await tracks()).to.equal(1)
  })

  it('changes the player once, however long the answer was', async () => {
    for (let i = 0; i < 180; i++) await play(`track ${i}`)
    const first = await patch('k', 'queue=500', { volume: 40, positionMs: 0 })
    expect(JSON.stringify(first.body)).to.have.length.greaterThan(16_384)
    await patch('other', '', { volume: 90 })
    const again = await patch('k', 'queue=500', { positionMs: 0, volume: 40 })
    expect([again.status, again.headers.get('idempotent-replayed'), again.body.data.volume]).to.deep.equal([
      200,
      'true',
      90,
    ])
  })

  it('is forgotten after a day', async () => {
    await play('k')
    api.clock.nowMs += DAY_MS - 1000
    expect((await play('k')).headers.get('idempotent-replayed')).to.equal('true')
    api.clock.nowMs += 2000
    expect((await play('k')).headers.get('idempotent-replayed')).to.equal(null)
    expect(await tracks()).to.equal(2)
  })

  it('has a key of 1 to 255 printable characters', async () => {
    for (const bad of ['""', 'é', 'x'.repeat(256)]) {
      const { status, body } = await play(bad)
      expect([status, body.error.details[0].field], bad).to.deep.equal([422, 'header.Idempotency-Key'])
    }
    for (const good of ['x', 'x'.repeat(255), '"with \\"quotes\\""', 'a, b; c=d']) {
      expect((await play(good)).status, good).to.equal(200)
    }
  })

  it('answers with the queue of now where its own answer was too long to keep', async () => {
    for (let i = 0; i < 180; i++) await play(`track ${i}`)
    const first = await send(`${guild}/queue/move?queue=500`, 'k', { body: { from: 3, to: 1 } })
    await play('one more')
    const again = await send(`${guild}/queue/move?queue=500`, 'k', { body: { from: 3, to: 1 } })
    expect(again.headers.get('idempotent-replayed')).to.equal('true')
    expect(again.body.data.queue).to.have.length(first.body.data.queue.length + 1)
  })

  it('holds for files too, by what is in them', async () => {
    const images: Images = {
      async apply(job) {
        await job.inputs()
        return FAKE_IMAGES.apply(job)
      },
    }
    const other = keep(await startApi({ app: { images } }))
    const headers = { 'idempotency-key': 'k', 'content-type': 'image/png' }
    const upload = (body: string) => other.call('POST', '/v1/image/filters/blur', { body, headers })
    expect((await upload('a picture')).status).to.equal(200)
    expect((await upload('a picture')).status).to.equal(200)
    expect((await upload('another one')).body.error.details[0].field).to.equal('header.Idempotency-Key')
  })

  it('changes nothing where it cannot be written down first', async () => {
    const refusing = {
      ...idempotentRequestsInMemory(Date.now),
      claim: () => {
        throw new Fault('service_unavailable', 'The database is busy.')
      },
    }
    const other = keep(await startApi({ app: { idempotency: refusing } }))
    const options = { body: { query: 'night', channelId }, headers: { 'idempotency-key': 'k' } }
    expect((await other.call('POST', `${guild}/play`, options)).status).to.equal(503)
    expect((await other.call('GET', `${guild}/player`)).status).to.equal(404)
  })
})
