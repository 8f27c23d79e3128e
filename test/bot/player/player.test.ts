import { expect } from 'chai'
import type { PlayOptions } from '../../../bot/audio/node/protocol.ts'
import { DISCONNECTED } from '../../../bot/player/voice-lifecycle.ts'
import type { Loop } from '../../../bot/player/inputs.ts'
import { Fault } from '../../../lib/errors.ts'
import { settle } from '../../support/manual-clock.ts'
import { BOT, CHANNEL, createStage, faultOf, GUILD, OTHER_CHANNEL, type Stage } from '../../support/stage.ts'

describe('player', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage()
  })
  afterEach(() => stage.close())

  const ref = { botId: BOT, guildId: GUILD }

  it('opens a track that broke off once more when that fails at first, and leaves it when it fails again', async () => {
    for (const [failures, told] of [
      [1, 'trackStarted A'],
      [2, 'trackStarted A, trackEnded loadFailed, trackStarted B'],
    ] as const) {
      stage.told.length = 0
      await stage.play('A B')
      const { playId = 0 } = stage.node.voices.get(GUILD)?.play ?? {}
      stage.node.tell({ ...ref, type: 'position', playId, positionMs: 5000 })
      failPlays(stage, failures)
      await stage.finish('loadFailed')
      expect(stage.told.join(', '), `${failures} failures`).to.equal(told)
      expect((await stage.info()).current?.title).to.equal(failures === 1 ? 'A' : 'B')
      await stage.player().close(DISCONNECTED)
    }
  })

  describe('at the end of a track', () => {
    const CASES: readonly (readonly [Loop, string, string, string])[] = [
      ['off', 'A', 'finished', '-'],
      ['off', 'A B C', 'finished', 'B C'],
      ['off', 'A B C', 'loadFailed', 'B C'],
      ['track', 'A B', 'finished', 'A B'],
      ['track', 'A B', 'loadFailed', 'B'],
      ['track', 'A', 'loadFailed', '-'],
      ['queue', 'A', 'finished', 'A'],
      ['queue', 'A B C', 'finished', 'B C A'],
      ['queue', 'A B C', 'loadFailed', 'B C'],
    ]
    for (const [loop, before, reason, after] of CASES) {
      it(`loop ${loop}: ${before} ${reason} → ${after}`, async () => {
        await stage.play(before)
        await stage.music.patch(stage.scope, GUILD, { loop })
        await stage.finish(reason as 'finished')
        const { current, queue } = await stage.info()
        expect([current?.title ?? '-', ...queue.map(({ title }) => title)].join(' ')).to.equal(after)
        const first = after.split(' ')[0]
        const then = after === '-' ? 'queueEmptied' : `trackStarted ${first}`
        expect(stage.told).to.deep.equal(['trackStarted A', `trackEnded ${reason}`, then])
      })
    }

    it('ignores a late word about an earlier track', async () => {
      await stage.play('A B C')
      stage.node.finish(GUILD)
      const late = { ...ref, type: 'trackEnded', playId: 1, reason: 'finished', message: null } as const
      stage.node.tell(late)
      await settle()
      stage.node.tell(late)
      await settle()
      expect((await stage.info()).current?.title).to.equal('B')
    })

    for (const loop of ['off', 'track', 'queue'] as const) {
      it(`comes to rest with a hundred tracks that cannot be played · loop ${loop}`, async () => {
        await stage.play('A')
        await stage.music.patch(stage.scope, GUILD, { loop: 'off' })
        await stage.play(Array.from({ length: 100 }, (_, index) => `broken${index}`).join(' '))
        await stage.finish()
        await stage.music.patch(stage.scope, GUILD, { loop })
        expect((await stage.info()).current).to.equal(null)
        expect(stage.told.filter((event) => event === 'trackEnded loadFailed')).to.have.length(100)
        expect(stage.told.at(-1)).to.equal('queueEmptied')
      })
    }

    it('drops a track that ends as soon as it begins, instead of spinning on it', async () => {
      await stage.play('A')
      await stage.music.patch(stage.scope, GUILD, { loop: 'track' })
      stage.node.finish(GUILD)
      await settle()
      expect((await stage.info()).current).to.equal(null)
      expect(stage.told).to.deep.equal(['trackStarted A', 'trackEnded finished', 'queueEmptied'])
    })
  })

  it('tells what a radio says it plays, until the next track', async () => {
    await stage.play('radio B')
    stage.node.tell({ ...ref, type: 'streamTitle', playId: 7, title: 'from another play' })
    expect((await stage.info()).streamTitle).to.equal(null)
    stage.node.tell({ ...ref, type: 'streamTitle', playId: 1, title: 'Somebody - Something' })
    expect((await stage.info()).streamTitle).to.equal('Somebody - Something')
    await stage.music.skip(stage.scope, GUILD)
    expect((await stage.info()).streamTitle).to.equal(null)
  })

  describe('when voice is lost', () => {
    it('holds the position while it is restored and continues from there', async () => {
      await stage.play('A')
      stage.node.tell({ ...ref, type: 'position', playId: 1, positionMs: 4000 })
      await stage.clock.advance(500)
      stage.node.tell({ ...ref, type: 'voiceRestoring', closeCode: 4015 })
      await stage.clock.advance(1500)
      expect((await stage.info()).positionMs).to.equal(4500)
      stage.node.tell({ ...ref, type: 'voiceReady', channelId: CHANNEL })
      await stage.clock.advance(250)
      expect((await stage.info()).positionMs).to.equal(4750)
      expect(stage.told).to.deep.equal(['trackStarted A'])
    })

    for (const loss of [
      { why: 'kicked', closeCode: 4014 },
      { why: 'refused', closeCode: 4017 },
      { why: 'unreachable', closeCode: null },
    ] as const) {
      it(`closes when voice ends for good: ${loss.why}`, async () => {
        await stage.play('A B')
        stage.node.tell({ ...ref, type: 'voiceLost', loss })
        await settle()
        expect(stage.told.slice(1)).to.deep.equal(['trackEnded cleanup', 'playerClosed disconnected'])
        expect([stage.players.count, stage.saved.size]).to.deep.equal([0, 0])
      })
    }

    it('closes once when the kick is told twice', async () => {
      await stage.play('A')
      stage.player().placed({ channelId: null, silenced: null })
      stage.node.tell({ ...ref, type: 'voiceLost', loss: { why: 'kicked', closeCode: 4014 } })
      await settle()
      expect(stage.told.filter((event) => event.startsWith('playerClosed'))).to.have.length(1)
    })

    it('waits for the bot to come back when voice ends because its session with Discord did', async () => {
      await stage.play('A')
      stage.node.tell({ ...ref, type: 'position', playId: 1, positionMs: 9000 })
      stage.isConnected = false
      stage.node.tell({ ...ref, type: 'voiceLost', loss: { why: 'kicked', closeCode: 4014 } })
      await stage.clock.advance(20_000)
      expect(stage.player().isAdrift).to.equal(true)
      stage.isConnected = true
      stage.player().recover()
      await settle()
      expect(stage.node.voices.get(GUILD)?.play?.positionMs).to.equal(9000)
      expect(stage.told).to.deep.equal(['trackStarted A'])
    })

    it('only plans while its voice is away, and carries it out afterwards', async () => {
      await stage.play('A B')
      stage.isConnected = false
      stage.node.tell({ ...ref, type: 'voiceLost', loss: { why: 'unreachable', closeCode: null } })
      stage.node.voices.clear()
      expect((await stage.music.skip(stage.scope, GUILD)).track?.title).to.equal('B')
      await stage.music.patch(stage.scope, GUILD, { volume: 50, positionMs: 7000, paused: true })
      stage.isConnected = true
      stage.player().recover()
      await settle()
      const { play: played } = stage.node.voices.get(GUILD) ?? {}
      expect(played).to.deep.include({ positionMs: 7000, volume: 50, paused: true })
      expect(played?.playable).to.deep.include({ path: '/B.ogg' })
      expect(stage.told).to.deep.equal(['trackStarted A', 'trackEnded replaced', 'trackStarted B'])
    })

    it('follows a member who moves it to another channel', async () => {
      await stage.play('A')
      stage.player().placed({ channelId: OTHER_CHANNEL, silenced: null })
      expect((await stage.info()).channelId).to.equal(OTHER_CHANNEL)
      await settle()
      expect([...stage.saved.values()][0]?.channelId).to.equal(OTHER_CHANNEL)
      expect(stage.told).to.deep.equal(['trackStarted A'])
    })
  })

  describe('when its audio node dies', () => {
    it('joins and plays again at the old position, without telling of a new track', async () => {
      await stage.play('A B')
      await stage.music.patch(stage.scope, GUILD, { volume: 70 })
      stage.node.tell({ ...ref, type: 'position', playId: 1, positionMs: 20_000 })
      stage.node.die()
      expect(await faultOf(stage.music.skip(stage.scope, GUILD))).to.equal('service_unavailable')
      stage.node.revive()
      await settle()
      const voice = stage.node.voices.get(GUILD)
      expect(voice?.play).to.deep.include({ positionMs: 20_000, volume: 70, paused: false })
      expect(stage.told).to.deep.equal(['trackStarted A'])
      expect((await stage.info()).positionMs).to.equal(20_000)
    })

    it('joins later if the new thread does not answer in time, and is not lost', async () => {
      await stage.play('A B')
      const join = stage.node.join.bind(stage.node)
      let tries = 0
      stage.node.join = async () => {
        tries += 1
        throw new Fault('service_unavailable', "The audio thread didn't respond in time.")
      }
      stage.node.die()
      stage.node.revive()
      await settle()
      await stage.clock.advance(2000)
      expect(tries).to.equal(2)
      stage.node.join = join
      await stage.clock.advance(2000)
      await settle()
      expect(stage.told).to.deep.equal(['trackStarted A'])
      expect(stage.node.voices.get(GUILD)?.play).to.include({ paused: false })
      await stage.clock.advance(10_000)
      expect(stage.node.calls.filter((call) => call.startsWith('join'))).to.have.length(2)
    })

    it('stays paused if it was', async () => {
      await stage.play('A')
      await stage.music.patch(stage.scope, GUILD, { paused: true })
      stage.node.die()
      stage.node.revive()
      await settle()
      expect(stage.node.voices.get(GUILD)?.play?.paused).to.equal(true)
      expect((await stage.info()).paused).to.equal(true)
    })

    it('loses nothing when a track ended just before', async () => {
      await stage.play('A B')
      await stage.clock.advance(1000)
      const gate = Promise.withResolvers<void>()
      stage.node.gate = gate.promise
      stage.node.finish(GUILD)
      await settle()
      stage.node.die()
      stage.node.revive()
      stage.node.gate = Promise.resolve()
      gate.resolve()
      await settle()
      expect(stage.told).to.deep.equal(['trackStarted A', 'trackEnded finished', 'trackStarted B'])
      expect(stage.node.voices.get(GUILD)?.play?.playable).to.deep.include({ path: '/B.ogg' })
    })

    it('keeps the whole queue when the node dies while a track is opened', async () => {
      await stage.play('A B C D')
      await stage.clock.advance(1000)
      const gate = Promise.withResolvers<void>()
      stage.node.gate = gate.promise
      stage.node.finish(GUILD)
      await settle()
      stage.node.die()
      gate.resolve()
      await settle()
      const { current, queue } = await stage.info()
      expect([current, ...queue].map((track) => track?.title)).to.deep.equal(['B', 'C', 'D'])
      stage.node.revive()
      await settle()
      expect(stage.node.voices.get(GUILD)?.play?.playable).to.deep.include({ path: '/B.ogg' })
      expect(stage.told).to.deep.equal(['trackStarted A', 'trackEnded finished', 'trackStarted B'])
    })

    it('closes when the channel does not take it back', async () => {
      await stage.play('A')
      stage.node.die()
      stage.node.refusedChannels.add(CHANNEL)
      stage.node.revive()
      await settle()
      expect(stage.told.at(-1)).to.equal('playerClosed disconnected')
      expect(stage.players.count).to.equal(0)
    })
  })
})

/** The next so many plays of the node are refused. */
function failPlays({ node }: Stage, times: number): void {
  const play = node.play.bind(node)
  let left = times
  Object.assign(node, {
    play: async (options: PlayOptions) => {
      if (left-- > 0) throw new Fault('upstream_failed', 'It was killed.')
      return play(options)
    },
  })
}
