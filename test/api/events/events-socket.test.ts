import { once } from 'node:events'
import { EVENT_TYPES } from '../../../lib/event-types.ts'
import { expect } from 'chai'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BotEvent } from '../../../bot/events.ts'
import { SocketEvent } from '../../../api/schemas/events.ts'
import { closing } from '../../support/closing.ts'
import { channelId, guildId, songs } from '../../support/fake-music.ts'
import { bots, keys, startApi, unknownKey, type TestApi } from '../../support/api.ts'
import { toTrack } from '../../../bot/tracks/track.ts'
import { exchangeBytes, parseAnswers } from '../../support/raw.ts'
import { eventually } from '../../support/service.ts'
import { openEvents, refusedHandshake } from '../../support/socket.ts'
import { projects } from '../../support/projects.ts'
import { areServicesDivided } from '../../support/divided-api.ts'

const fast = { tickMs: 10, pingEveryMs: 200, keyCheckEveryMs: 30 }

function started(botId: string): BotEvent {
  return { type: 'trackStarted', botId, guildId, track: toTrack(songs[0]) }
}

describe('the events socket', () => {
  const keep = closing()
  let api: TestApi
  beforeEach(async () => {
    api = keep(await startApi())
  })

  const open = async (key: string | null, query = '', options = {}) =>
    keep(await openEvents(api.baseUrl, key, query, options))
  const emit = (event: BotEvent, projectId: string = projects.one) => api.events.emit({ projectId, event })

  it('says ready first, with its bot and the types it will get', async () => {
    const linked = await open(keys.linked)
    expect(await linked.message(0)).to.deep.equal({ type: 'ready', botId: bots.first, events: EVENT_TYPES })
    const unlinked = await open(keys.unlinked, '?events=playerClosed,%20trackEnded')
    expect(await unlinked.message(0)).to.deep.equal({
      type: 'ready',
      botId: null,
      events: ['trackEnded', 'playerClosed'],
    })
  })

  it('takes its key from the query too, and carries the request id in its handshake', async () => {
    const byQuery = await open(null, `?key=${keys.linked}`, { headers: { 'x-request-id': 'mine' } })
    expect((await byQuery.message(0)).botId).to.equal(bots.first)
    const id = await new Promise((resolve) => {
      void open(keys.linked, '', {
        headers: { authorization: `bearer ${keys.linked}`, 'x-request-id': 'mine' },
        finishRequest: (request: any) => {
          request.on('upgrade', (response: any) => resolve(response.headers['x-request-id']))
          request.end()
        },
      })
    })
    expect(id).to.equal('mine')
    expect(JSON.stringify(api.log)).not.to.match(/svc\.[0-9a-f]{8}/)
  })

  it('prefers the key of the header', async () => {
    const { messages, message } = await open(keys.otherBot, `?key=${keys.linked}`)
    await message(0)
    expect(messages[0].botId).to.equal(bots.second)
  })

  it('hears its own bot, or every bot of its own project when its key has none', async () => {
    const linked = await open(keys.linked)
    const unlinked = await open(keys.unlinked)
    const stranger = await open(keys.otherProject)
    emit(started(bots.first))
    emit(started(bots.second))
    emit({ type: 'botStopped', botId: bots.other, reason: 'shutdown' }, projects.two)
    // The same bot id under another project is another project's affair.
    emit({ type: 'queueEmptied', botId: bots.first, guildId }, projects.two)
    await linked.message(1)
    await unlinked.message(2)
    await stranger.message(1)
    await sleep(20)
    expect(linked.messages.slice(1)).to.deep.equal([started(bots.first)])
    expect(unlinked.messages.slice(1)).to.deep.equal([started(bots.first), started(bots.second)])
    expect(stranger.messages.slice(1)).to.deep.equal([{ type: 'botStopped', botId: bots.other, reason: 'shutdown' }])
  })

  it('brings what the music routes cause, each message as its schema says', async () => {
    const { messages, message } = await open(keys.linked)
    await api.call('POST', `/v1/music/guilds/${guildId}/play`, { body: { query: 'night', channelId } })
    await message(2)
    await api.call('DELETE', `/v1/music/guilds/${guildId}/player`)
    await message(4)
    expect(messages.map(({ type }) => type).join(' ')).to.equal(
      'ready trackStarted chapterStarted trackEnded playerClosed',
    )
    for (const one of messages) expect(SocketEvent.safeParse(one).error).to.equal(undefined)
  })

  it('brings only the types that were named', async () => {
    const { messages, message } = await open(keys.linked, '?events=queueEmptied')
    emit(started(bots.first))
    emit({ type: 'queueEmptied', botId: bots.first, guildId })
    await message(1)
    expect(messages.slice(1)).to.deep.equal([{ type: 'queueEmptied', botId: bots.first, guildId }])
  })

  it('refuses a bad key and an unknown type before the upgrade, with the error body', async () => {
    for (const [path, status, code] of [
      ['/v1/events', 401, 'invalid_api_key'],
      ['/v1/events?key=svc.nonsense', 401, 'invalid_api_key'],
      [`/v1/events?key=${keys.linked}&key=${keys.linked}`, 401, 'invalid_api_key'],
      [`/v1/events?key=${unknownKey}`, 401, 'invalid_api_key'],
      [`/v1/events?key=${keys.revoked}`, 401, 'api_key_revoked'],
      [`/v1/events?key=${keys.expired}&events=nonsense`, 401, 'api_key_revoked'],
      [`/v1/events?key=${keys.fetchOnly}`, 403, 'forbidden'],
      [`/v1/events?key=${keys.linked}&events=nonsense`, 422, 'validation_error'],
      [`/v1/events?key=${keys.linked}&events=trackStarted,TrackEnded`, 422, 'validation_error'],
      [`/v1/events?key=${keys.linked}&events=`, 422, 'validation_error'],
      [`/v1/events?key=${keys.linked}&events=ping&events=ready`, 422, 'validation_error'],
    ] as const) {
      const { status: got, headers, body } = await refusedHandshake(api.baseUrl, path)
      expect([got, body.error.code], path).to.deep.equal([status, code])
      expect(body.requestId, path).to.equal(headers['x-request-id'])
      if (status === 422) expect(body.error.details[0].field).to.equal('query.events')
    }
  })

  it('tells a caller who sends no handshake to send one', async () => {
    const { status, headers, body } = await api.call('GET', '/v1/events')
    expect([status, body.error.code]).to.deep.equal([426, 'bad_request'])
    expect(headers.get('upgrade')).to.equal('websocket')
    expect((await api.call('GET', '/v1/events', { key: null })).status).to.equal(401)
    expect((await api.call('GET', '/v1/events?events=x')).status).to.equal(422)
  })

  it('refuses a broken handshake with the error body', async () => {
    const auth = `Authorization: Bearer ${keys.linked}`
    for (const lines of [
      ['Sec-WebSocket-Version: 13'],
      ['Sec-WebSocket-Key: short', 'Sec-WebSocket-Version: 13'],
      ['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 12'],
    ]) {
      const head = ['GET /v1/events HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket', auth, ...lines]
      const [answer] = parseAnswers(await exchangeBytes(api.port, `${head.join('\r\n')}\r\n\r\n`))
      expect([answer?.status, answer?.body.error.code], lines[0]).to.deep.equal([400, 'bad_request'])
      expect(answer?.body.requestId).to.equal(answer?.headers['x-request-id'])
    }
  })

  it('keeps a hundred events in order for each of 120 sockets', async () => {
    const sockets = await Promise.all(Array.from({ length: 120 }, () => open(keys.linked, '?events=queueEmptied')))
    for (let at = 0; at < 100; at++) emit({ type: 'queueEmptied', botId: bots.first, guildId: String(at) })
    for (const one of sockets) {
      await one.message(100)
      expect(one.messages.slice(1).map(({ guildId: id }) => Number(id))).to.deep.equal(
        Array.from({ length: 100 }, (_, at) => at),
      )
    }
  })

  it('ignores any text from a client, up to 64 KiB a message and 1,000 messages in 10 s', async () => {
    const { socket, message } = await open(keys.linked)
    socket.send('{"type":"nonsense"}')
    socket.send('x'.repeat(64 * 1024))
    for (let at = 0; at < 900; at++) socket.send('pong')
    for (let at = 0; at < 30; at++) socket.ping()
    emit(started(bots.first))
    await message(1)
    expect(socket.readyState).to.equal(socket.OPEN)
  })

  it('closes with 1008 on a message in pieces of one byte, and takes one in as many as a network makes of it', async () => {
    const endless = await open(keys.linked)
    const patient = await open(keys.linked)
    for (let at = 0; at < 16; at++) patient.socket.send('x'.repeat(4096), { fin: at === 15 })
    for (let at = 0; at < 100; at++) endless.socket.send('x', { fin: false })
    expect((await endless.closed()).code).to.equal(1008)
    patient.socket.ping()
    await once(patient.socket, 'pong')
  })

  it('closes with 1009 on a longer message and with 1008 on more messages, and harms no other socket', async () => {
    const quiet = await open(keys.linked)
    const wordy = await open(keys.linked)
    wordy.socket.send('x'.repeat(64 * 1024 + 1))
    expect((await wordy.closed()).code).to.equal(1009)
    const loud = await open(keys.linked)
    for (let at = 0; at < 1001; at++) loud.socket.send('pong')
    expect(await loud.closed()).to.deep.equal({ code: 1008, reason: 'More than 1000 messages in 10 s.' })
    emit(started(bots.first))
    await quiet.message(1)
    expect(quiet.socket.readyState).to.equal(quiet.socket.OPEN)
  })

  it('closes a socket that does not read with 4008 once 1 MiB waits, and harms no other', async () => {
    const slow = await open(keys.linked)
    const other = await open(keys.linked)
    slow.socket.pause()
    const track = { ...toTrack(songs[0]), title: 'x'.repeat(100_000) }
    // The kernel takes some megabytes before anything waits here, and more where a balancer stands between.
    const most = areServicesDivided ? 400 : 150
    for (let at = 1; at <= most; at++) {
      emit({ type: 'trackStarted', botId: bots.first, guildId, track })
      if (at % 5 === 0) await other.message(at)
    }
    slow.socket.resume()
    expect((await slow.closed()).code).to.equal(4008)
    expect(slow.messages.length).to.be.lessThan(most)
    expect(other.socket.readyState).to.equal(other.socket.OPEN)
  })

  it('is closed with 1001 when the service stops, and with 1012 where others take over', async () => {
    const { closed } = await open(keys.linked)
    await api.close()
    expect((await closed()).code).to.equal(areServicesDivided ? 1012 : 1001)
  })

  it('hears what ends while the service stops, behind the last request and before it is closed', async () => {
    const botId = bots.first
    const ends = [
      { type: 'trackEnded', botId, guildId: '1', reason: 'cleanup' },
      { type: 'playerClosed', botId, guildId: '1', reason: 'disconnected' },
      { type: 'botStopped', botId, reason: 'shutdown' },
    ] as const
    const stopping: TestApi = await startApi({
      peers: null,
      async beforeSockets() {
        for (const event of ends) stopping.events.emit({ projectId: projects.one, event })
      },
    })
    const sockets = await Promise.all(Array.from({ length: 60 }, () => openEvents(stopping.baseUrl, keys.linked)))
    await stopping.close()
    for (const { messages, closed } of sockets) {
      await closed()
      expect(messages.slice(1)).to.deep.equal(ends)
    }
  })
})

describe('the events socket in time', () => {
  const keep = closing()

  it('pings every so often, each socket at its own moment, no matter what it chose to hear', async () => {
    const api = keep(await startApi({ events: fast }))
    const sockets = await Promise.all(
      Array.from({ length: 8 }, async () => keep(await openEvents(api.baseUrl, keys.linked, '?events=botStopped'))),
    )
    for (const { message } of sockets) {
      expect(await message(1)).to.deep.equal({ type: 'ping' })
      expect(await message(2)).to.deep.equal({ type: 'ping' })
    }
  })

  it('closes the sockets of a key that is revoked or expires with 4001, and no others', async () => {
    const api = keep(await startApi({ events: fast }))
    const revoked = keep(await openEvents(api.baseUrl, keys.linked))
    const expired = keep(await openEvents(api.baseUrl, null, `?key=${keys.unlinked}`))
    const other = keep(await openEvents(api.baseUrl, keys.otherBot))
    api.changeKey('linked', { revokedAtMs: api.clock.nowMs })
    api.changeKey('unlinked', { expiresAtMs: api.clock.nowMs + 10_000 })
    expect(await revoked.closed()).to.include({ code: 4001 })
    api.clock.nowMs += 10_000
    expect(await expired.closed()).to.include({ code: 4001 })
    expect(other.socket.readyState).to.equal(other.socket.OPEN)
  })

  it('cuts a peer that has fallen silent', async () => {
    const api = keep(await startApi({ events: { ...fast, pingEveryMs: 50 } }))
    const dead = keep(await openEvents(api.baseUrl, keys.linked, '', { autoPong: false }))
    const alive = keep(await openEvents(api.baseUrl, keys.linked))
    await dead.closed()
    expect(alive.socket.readyState).to.equal(alive.socket.OPEN)
  })

  it('opens no more sockets than there may be', async function () {
    // Each service counts its own.
    if (areServicesDivided) this.skip()
    const api = keep(await startApi({ events: { perProcess: 3, perProject: 2 } }))
    const first = keep(await openEvents(api.baseUrl, keys.linked))
    keep(await openEvents(api.baseUrl, keys.unlinked))
    const full = await refusedHandshake(api.baseUrl, `/v1/events?key=${keys.linked}`)
    expect([full.status, full.body.error.code]).to.deep.equal([429, 'rate_limited'])
    keep(await openEvents(api.baseUrl, keys.otherProject))
    const taken = await refusedHandshake(api.baseUrl, `/v1/events?key=${keys.free}`)
    expect([taken.status, taken.body.error.code, taken.headers['retry-after']]).to.deep.equal([
      503,
      'service_unavailable',
      '30',
    ])
    first.close()
    await eventually(
      () => api.api.openSockets,
      (size) => size === 2,
    )
    keep(await openEvents(api.baseUrl, keys.free))
  })
})
