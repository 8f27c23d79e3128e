import { expect } from 'chai'
import { Fault } from '../../../lib/errors.ts'
import { NO_RULES } from '../../../bot/player/queue/queue-limits.ts'
import {
  CHANNEL,
  createStage,
  faultOf,
  GUILD,
  OTHER_BOT,
  OTHER_CHANNEL,
  OTHER_GUILD,
  tokenOf,
  type Stage,
} from '../../support/stage.ts'

describe('music: play', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage()
  })
  afterEach(() => stage.close())

  it('joins the channel and plays at once what it finds first', async () => {
    expect(await stage.play('A B')).to.deep.equal({
      botId: stage.scope.botId,
      track: { title: 'A', author: 'somebody', lengthMs: 60_000, uri: null, artworkUrl: null, isStream: false },
      position: 0,
      added: 2,
      total: null,
    })
    expect(stage.node.calls).to.deep.equal([`join ${CHANNEL}`, 'play /A.ogg'])
    expect(stage.told).to.deep.equal(['trackStarted A'])
    expect(await stage.titles()).to.equal('A B')
  })

  it('puts tracks behind what plays and ignores the channel then', async () => {
    await stage.play('A')
    const result = await stage.music.play(stage.scope, GUILD, { encoded: tokenOf('B'), channelId: OTHER_CHANNEL })
    expect(result).to.deep.include({ position: 1, added: 1 })
    expect((await stage.play('C D')).position).to.equal(2)
    expect(await stage.titles()).to.equal('A B C D')
    expect((await stage.info()).channelId).to.equal(CHANNEL)
  })

  it('puts tracks ahead of what waits, however fair the turns are, or plays them at once', async () => {
    const play = (query: string, when: 'next' | 'now', rules = NO_RULES) =>
      stage.music.play(stage.scope, GUILD, { query, when, rules, channelId: CHANNEL })
    expect(await play('A B', 'next')).to.include({ position: 0, added: 2 })
    expect(await play('C D', 'next', { ...NO_RULES, fair: true })).to.include({ position: 1, added: 2 })
    expect(await stage.titles()).to.equal('A C D B')
    expect(await play('E F', 'now')).to.include({ position: 0, added: 2 })
    expect(await stage.titles()).to.equal('E F C D B')
    expect(stage.told).to.deep.equal(['trackStarted A', 'trackEnded replaced', 'trackStarted E'])
    await stage.music.previous(stage.scope, GUILD)
    expect(await stage.titles()).to.equal('A E F C D B')
  })

  it('keeps what was set as the next track behind what is played at once, and says why that cannot be played', async () => {
    await stage.play('A B')
    await stage.music.setNextTrack(stage.scope, GUILD, { track: { encoded: tokenOf('N') } })
    await stage.music.play(stage.scope, GUILD, { query: 'C', when: 'now' })
    expect(await stage.titles()).to.equal('C N B')
    expect(await stage.music.nextTrack(stage.scope, GUILD)).to.deep.equal({ track: null })
    const refused = stage.music.play(stage.scope, GUILD, { query: 'broken', when: 'now' })
    expect(await faultOf(refused)).to.equal('validation_error unplayable')
    expect(await stage.titles()).to.equal('N B')
  })

  it('needs a channel while the bot is in none', async () => {
    expect(await faultOf(stage.music.play(stage.scope, GUILD, { query: 'A' }))).to.equal(
      'validation_error channel_not_joinable',
    )
    await stage.play('A')
    expect((await stage.music.play(stage.scope, GUILD, { query: 'B' })).position).to.equal(1)
  })

  it('answers 404 for a guild without the bot and 422 for a channel that is no voice channel', async () => {
    const wish = { query: 'A', channelId: CHANNEL }
    expect(await faultOf(stage.music.play(stage.scope, '999999999999999999', wish))).to.equal('not_found')
    expect(await faultOf(stage.music.play(stage.scope, GUILD, { ...wish, channelId: '3' }))).to.equal(
      'validation_error channel_not_joinable',
    )
  })

  it('answers 503 when the bot is unknown, away, or no audio node runs', async () => {
    const wish = { query: 'A', channelId: CHANNEL }
    expect(await faultOf(stage.music.play({ ...stage.scope, botId: '7' }, GUILD, wish))).to.equal('service_unavailable')
    stage.isConnected = false
    expect(await faultOf(stage.play('A'))).to.equal('service_unavailable')
    expect(await faultOf(stage.info())).to.equal('service_unavailable')
    stage.isConnected = true
    stage.node.die()
    expect(await faultOf(stage.play('A'))).to.equal('service_unavailable')
    expect(stage.players.count).to.equal(0)
  })

  it('leaves no player behind when nothing is found or a token is worthless', async () => {
    expect(await faultOf(stage.play('nothing'))).to.equal('validation_error nothing_found')
    for (const encoded of ['rubbish', tokenOf('gone')]) {
      const task = stage.music.play(stage.scope, GUILD, { encoded, channelId: CHANNEL })
      expect(await faultOf(task)).to.equal('validation_error unplayable')
    }
    expect(stage.node.calls).to.deep.equal([])
    expect(await faultOf(stage.info())).to.equal('not_found')
  })

  it('leaves no player behind when what it names cannot be opened or decoded, and frees the place', async () => {
    const who = { ...stage.scope, playerCeiling: 1 }
    for (const query of ['gone', 'broken', 'gone1 broken2 gone3']) {
      const task = stage.music.play(who, GUILD, { query, channelId: CHANNEL })
      expect(await faultOf(task), query).to.equal('validation_error unplayable')
      expect([stage.players.count, stage.saved.size, stage.node.voices.size], query).to.deep.equal([0, 0, 0])
    }
    const playlist = [tokenOf('gone'), tokenOf('broken')]
    const task = stage.music.play(who, GUILD, { playlist, channelId: CHANNEL })
    expect([await faultOf(task), stage.players.count]).to.deep.equal(['validation_error unplayable', 0])
    expect((await stage.music.play(who, OTHER_GUILD, { query: 'A', channelId: CHANNEL })).position).to.equal(0)
  })

  it('keeps the player where another request at the same moment plays, and where something played before', async () => {
    const [bad, good, worse] = await Promise.all([
      faultOf(stage.play('broken')),
      faultOf(stage.play('A')),
      faultOf(stage.play('gone')),
    ])
    expect([bad, good, worse]).to.deep.equal(['validation_error unplayable', 'no fault', 'no fault'])
    expect((await stage.titles()).startsWith('A')).to.equal(true)
    await stage.music.clear(stage.scope, GUILD)
    await stage.music.skip(stage.scope, GUILD)
    expect(await faultOf(stage.play('broken'))).to.equal('validation_error unplayable')
    expect(await stage.titles()).to.equal('-')
  })

  it('leaves nothing behind when the join fails, and frees the place', async () => {
    stage.node.refusedChannels.add(CHANNEL)
    const who = { ...stage.scope, playerCeiling: 1 }
    for (let tries = 0; tries < 3; tries += 1) {
      const task = stage.music.play(who, GUILD, { query: 'A', channelId: CHANNEL })
      expect(await faultOf(task)).to.equal('validation_error channel_not_joinable')
    }
    expect([stage.players.count, stage.saved.size, stage.told.length]).to.deep.equal([0, 0, 0])
    expect(stage.node.voices.size).to.equal(0)
    const cluster = await stage.music.play(who, GUILD, { query: 'A', channelId: OTHER_CHANNEL })
    expect(cluster.position).to.equal(0)
  })

  it('says 422 when the only track cannot be decoded, and continues when another one can', async () => {
    expect(await faultOf(stage.play('broken'))).to.equal('validation_error unplayable')
    expect(stage.told).to.deep.equal(['trackEnded loadFailed', 'queueEmptied', 'playerClosed idle'])
    expect(await stage.play('broken B')).to.deep.include({ position: 0, added: 2 })
    expect(await stage.titles()).to.equal('B')
  })

  it('lets two requests at once pass the ceiling together never', async () => {
    const who = { ...stage.scope, playerCeiling: 1 }
    const answers = await Promise.all(
      [GUILD, OTHER_GUILD, '100000000000000003'].map((guildId) =>
        faultOf(stage.music.play(who, guildId, { query: 'A', channelId: CHANNEL })),
      ),
    )
    expect(answers.toSorted()).to.deep.equal(['no fault', 'player_limit', 'player_limit'])
  })

  it('counts the players of all bots of the project, and of no other project', async () => {
    const who = { ...stage.scope, playerCeiling: 2 }
    const wish = { query: 'A', channelId: CHANNEL }
    await stage.music.play(who, GUILD, wish)
    await stage.music.play({ ...who, botId: OTHER_BOT }, GUILD, wish)
    expect(await faultOf(stage.music.play(who, OTHER_GUILD, wish))).to.equal('player_limit')
    const other = { projectId: 'another', botId: OTHER_BOT, playerCeiling: 1 }
    await stage.music.play(other, OTHER_GUILD, wish)
    await stage.music.close(who, GUILD)
    await stage.music.play(who, OTHER_GUILD, wish)
  })

  it('counts players of bots that run elsewhere against the same ceiling, until each is released once', async () => {
    const who = { ...stage.scope, playerCeiling: 2 }
    const wish = { query: 'A', channelId: CHANNEL }
    const release = stage.players.ceiling.reserve(who.projectId, who.playerCeiling)
    stage.players.ceiling.reserve('another', 1)
    expect(() => stage.players.ceiling.reserve('another', 1)).to.throw(Fault, 'Player limit reached (1)')
    await stage.music.play(who, GUILD, wish)
    expect(() => stage.players.ceiling.reserve(who.projectId, who.playerCeiling)).to.throw(
      Fault,
      'Player limit reached (2)',
    )
    expect(await faultOf(stage.music.play(who, OTHER_GUILD, wish))).to.equal('player_limit')
    release()
    release()
    await stage.music.play(who, OTHER_GUILD, wish)
    expect(() => stage.players.ceiling.reserve(who.projectId, who.playerCeiling)).to.throw(
      Fault,
      'Player limit reached (2)',
    )
  })

  it('makes one player of two requests at once for the same guild', async () => {
    const answers = await Promise.all([stage.play('A'), stage.play('B')])
    expect(answers.map(({ position }) => position)).to.deep.equal([0, 1])
    expect(stage.node.calls.filter((call) => call.startsWith('join'))).to.have.length(1)
  })

  it('spreads players over the audio nodes that are alive', async () => {
    stage.close()
    stage = createStage({ nodeCount: 3 })
    stage.nodes[1]?.die()
    for (let guild = 1; guild <= 4; guild += 1) {
      await stage.music.play(stage.scope, `10000000000000000${guild}`, { query: 'A', channelId: CHANNEL })
    }
    expect(stage.nodes.map(({ voices }) => voices.size)).to.deep.equal([2, 0, 2])
  })
})
