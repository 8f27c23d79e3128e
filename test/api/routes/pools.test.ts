import { expect } from 'chai'
import type { TrackMetadata } from '../../../bot/tracks/track-metadata.ts'
import { Fault } from '../../../lib/errors.ts'
import { createFakeTrackMetadata } from '../../support/fake-track-metadata.ts'
import { bots, keys, startApi, type TestApi } from '../../support/api.ts'
import { closing } from '../../support/closing.ts'
import { channelId, guildId, secondChannelId, secondGuildId } from '../../support/fake-music.ts'
import { eventually } from '../../support/service.ts'
import { openEvents } from '../../support/socket.ts'
import { projects } from '../../support/projects.ts'

const guild = `/v1/music/guilds/${guildId}`
/** Says only whose player it would look at. */
const KNOWLEDGE: TrackMetadata = {
  ...createFakeTrackMetadata(),
  lyrics: ({ botId }) => Promise.reject(new Fault('not_found', `Asked of ${botId}.`)),
}
/** A channel that none of the bots is in. */
const thirdChannelId = '81384788765712399'

const reasonOf = ({ status, body }: { status: number; body: any }) => [status, body.error.reason]
const fieldsOf = ({ body }: { body: any }) => body.error.details.map(({ field }: { field: string }) => field)

describe('the key of a pool', () => {
  const keep = closing()
  let api: TestApi
  beforeEach(async () => {
    api = keep(await startApi({ app: { trackMetadata: KNOWLEDGE } }))
  })

  const call = (method: string, path: string, body?: object, key: string = keys.pool) =>
    api.call(method, path, { key, ...(body && { body }) })
  const play = (query: string, channel?: string) =>
    call('POST', `${guild}/play`, { query, ...(channel !== undefined && { channelId: channel }) })

  it('plays by the bot in the channel, else by one that is free, and says which', async () => {
    expect((await play('night', channelId)).body.data).to.include({ botId: bots.first, position: 0 })
    expect((await play('glass', secondChannelId)).body.data).to.include({ botId: bots.second, position: 0 })
    expect((await play('low', channelId)).body.data).to.include({ botId: bots.first, position: 1 })
    const { data } = (await call('GET', '/v1/music/players')).body
    expect(data.map((player: any) => [player.botId, player.guildId, player.channelId])).to.deep.equal([
      [bots.first, guildId, channelId],
      [bots.second, guildId, secondChannelId],
    ])
  })

  it('answers 409 where all of its bots are in other channels, and never takes the bot of another project', async () => {
    await play('night', channelId)
    await play('glass', secondChannelId)
    const refused = await play('low', thirdChannelId)
    expect(reasonOf(refused)).to.deep.equal([409, 'bots_busy'])
    expect(refused.body.error.message).to.contain(`${bots.first} in ${channelId}`).and.not.contain(bots.other)
    expect((await call('GET', '/v1/music/players', undefined, keys.otherProject)).body.data).to.deep.equal([])
  })

  it('tells the players of a guild apart by their channel, on every route', async () => {
    await play('night', channelId)
    expect((await call('GET', `${guild}/player`)).body.data.botId).to.equal(bots.first)
    await play('glass', secondChannelId)
    const unclear = await call('GET', `${guild}/player`)
    expect([unclear.status, fieldsOf(unclear)]).to.deep.equal([422, ['query.channelId']])
    expect(unclear.body.error.message).to.contain(secondChannelId)
    const noChannel = await play('low')
    expect([noChannel.status, fieldsOf(noChannel)]).to.deep.equal([422, ['body.channelId']])

    const at = (channel: string, path = '/player') => `${guild}${path}?channelId=${channel}`
    expect((await call('GET', at(secondChannelId))).body.data.botId).to.equal(bots.second)
    await call('PATCH', at(secondChannelId), { volume: 30 })
    expect((await call('GET', at(channelId))).body.data.volume).to.equal(100)
    expect((await call('GET', at(secondChannelId))).body.data.volume).to.equal(30)
    expect((await call('POST', at(channelId, '/skip'))).status).to.equal(200)
    expect((await call('GET', at(secondChannelId, '/queue'))).body.data.current.title).to.equal('Glass Harbour')
    expect((await call('GET', at(thirdChannelId))).status).to.equal(404)
    const lyrics = `/v1/music/lyrics?guildId=${guildId}`
    expect(fieldsOf(await call('GET', lyrics))).to.deep.equal(['query.channelId'])
    const meant = await call('GET', `${lyrics}&channelId=${secondChannelId}`)
    expect(meant.body.error.message).to.equal(`Asked of ${bots.second}.`)
    await call('DELETE', at(channelId))
    expect((await call('GET', `${guild}/player`)).body.data.botId).to.equal(bots.second)
    expect((await call('GET', `/v1/music/guilds/${secondGuildId}/player`)).status).to.equal(404)
  })

  it('gives two requests for two channels at the same moment two bots', async () => {
    const answers = await Promise.all([
      play('night', channelId),
      play('glass', secondChannelId),
      play('low', channelId),
    ])
    const taken = answers.map(({ body }) => body.data.botId)
    expect(new Set(taken.slice(0, 2)).size).to.equal(2)
    expect(taken[2]).to.equal(taken[0])
  })

  it('controls nothing while the pool is empty, and says so', async () => {
    for (const [method, path] of [
      ['GET', '/player'],
      ['POST', '/skip'],
      ['POST', '/play'],
    ] as const) {
      const body = path === '/play' ? { query: 'night', channelId } : undefined
      const refused = await call(method, `${guild}${path}`, body, keys.emptyPool)
      expect([refused.status, refused.body.error.message]).to.deep.equal([
        409,
        "This key's pool has no bots. Add one to it.",
      ])
    }
    expect((await call('GET', '/v1/music/players', undefined, keys.emptyPool)).body.data).to.deep.equal([])
  })

  it('finds the one player of a bot by its channel too, with the key of the bot', async () => {
    await play('night', channelId)
    for (const [channel, status] of [
      [channelId, 200],
      [secondChannelId, 404],
    ] as const) {
      const answer = await call('GET', `${guild}/player?channelId=${channel}`, undefined, keys.linked)
      expect(answer.status).to.equal(status)
    }
  })

  it('hears the events of the bots of its pool and no others, and follows the pool', async () => {
    api = keep(await startApi({ events: { keyCheckEveryMs: 30, tickMs: 10 } }))
    const socket = keep(await openEvents(api.baseUrl, keys.pool))
    const silent = keep(await openEvents(api.baseUrl, keys.emptyPool))
    expect(await socket.message(0)).to.deep.include({ botId: null, botIds: [bots.first, bots.second, bots.other] })
    expect(await silent.message(0)).to.deep.include({ botId: null, botIds: [] })
    const third = '900000000000000004'
    const emit = (botId: string, projectId: string = projects.one) =>
      api.events.emit({ projectId, event: { type: 'queueEmptied', botId, guildId } })
    const heard = () =>
      socket.messages.filter(({ type }: any) => type === 'queueEmptied').map(({ botId }: any) => botId)
    emit(third)
    emit(bots.other, projects.two)
    emit(bots.first)
    emit(bots.second)
    await eventually(
      async () => heard().length,
      (count) => count === 2,
    )
    expect(heard()).to.deep.equal([bots.first, bots.second])
    api.changeKey('pool', { poolBotIds: [third] })
    await eventually(
      async () => (emit(third), heard()),
      (all) => all.includes(third),
    )
    emit(bots.first)
    emit(third)
    await eventually(
      async () => heard(),
      (all) => all.filter((id) => id === third).length >= 2,
    )
    expect(heard().filter((id) => id === bots.first)).to.have.length(1)
    expect(silent.messages.filter(({ type }: any) => type === 'queueEmptied')).to.deep.equal([])
  })
})
