import { expect } from 'chai'
import type { Loop } from '../../bot/player/inputs.ts'
import { settle } from '../support/manual-clock.ts'
import { BOT, CHANNEL, createStage, faultOf, GUILD, OTHER_BOT, OTHER_GUILD, type Stage } from '../support/stage.ts'

describe('music', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage()
  })
  afterEach(() => stage.close())

  const previous = () => stage.music.previous(stage.scope, GUILD)
  const titles = async (): Promise<string> => {
    const { current, queue } = await stage.music.queue(stage.scope, GUILD)
    return [current?.title ?? '-', ...queue.map(({ title }) => title)].join(' ')
  }

  describe('skip', () => {
    it('plays the next track and answers it', async () => {
      await stage.play('A B')
      expect((await stage.music.skip(stage.scope, GUILD)).track?.title).to.equal('B')
      expect(stage.told).to.deep.equal(['trackStarted A', 'trackEnded replaced', 'trackStarted B'])
    })

    it('answers null when the queue ran out, and 409 when nothing plays', async () => {
      await stage.play('A')
      expect(await stage.music.skip(stage.scope, GUILD)).to.deep.equal({ track: null })
      expect(stage.told).to.deep.equal(['trackStarted A', 'trackEnded stopped', 'queueEmptied'])
      expect(stage.node.voices.get(GUILD)?.play).to.equal(null)
      expect(await faultOf(stage.music.skip(stage.scope, GUILD))).to.equal('conflict')
    })

    const CASES: readonly (readonly [Loop, string, string])[] = [
      ['off', 'A', '-'],
      ['off', 'A B C', 'B C'],
      ['track', 'A', '-'],
      ['track', 'A B C', 'B C'],
      ['queue', 'A', 'A'],
      ['queue', 'A B C', 'B C A'],
    ]
    for (const [loop, before, after] of CASES) {
      it(`loop ${loop}: ${before} → ${after}`, async () => {
        await stage.play(before)
        await stage.music.patch(stage.scope, GUILD, { loop })
        const { track } = await stage.music.skip(stage.scope, GUILD)
        expect(track?.title ?? '-').to.equal(after.split(' ')[0])
        expect(await titles()).to.equal(after)
      })
    }

    it('passes over tracks that cannot be played', async () => {
      await stage.play('A broken1 broken2 B')
      expect((await stage.music.skip(stage.scope, GUILD)).track?.title).to.equal('B')
      expect(stage.told.slice(1)).to.deep.equal([
        'trackEnded replaced',
        'trackEnded loadFailed',
        'trackEnded loadFailed',
        'trackStarted B',
      ])
    })

    it('does not wait for a track that is slow to open', async () => {
      await stage.play('A B C')
      const gate = Promise.withResolvers<void>()
      stage.node.gate = gate.promise
      const slow = stage.music.skip(stage.scope, GUILD)
      await settle()
      stage.node.gate = Promise.resolve()
      const quick = await stage.music.skip(stage.scope, GUILD)
      expect(quick.track?.title).to.equal('C')
      gate.resolve()
      await slow
      await settle()
      expect(await titles()).to.equal('C')
      expect(stage.told.filter((event) => event.startsWith('trackStarted'))).to.deep.equal([
        'trackStarted A',
        'trackStarted C',
      ])
    })
  })

  describe('previous', () => {
    it('plays the track before from its start, with the current one next', async () => {
      await stage.play('A B C')
      await stage.music.skip(stage.scope, GUILD)
      stage.told.length = 0
      expect((await previous()).track?.title).to.equal('A')
      expect(await titles()).to.equal('A B C')
      expect(stage.told).to.deep.equal(['trackEnded replaced', 'trackStarted A'])
      expect(await faultOf(previous())).to.equal('conflict')
      expect(await titles()).to.equal('A B C')
    })

    it('starts again after the queue ran out, and survives a restart', async () => {
      await stage.play('A')
      await stage.music.skip(stage.scope, GUILD)
      expect([...stage.saved.values()][0]?.past).to.have.length(1)
      expect((await previous()).track?.title).to.equal('A')
    })

    it('continues to what can be played', async () => {
      await stage.play('gone1 A')
      await stage.play('B')
      await stage.music.skip(stage.scope, GUILD)
      expect((await previous()).track?.title).to.equal('A')
    })
  })

  describe('shuffle, clear, remove and move', () => {
    it('moves, removes, shuffles and clears what waits, answers the queue and saves it', async () => {
      await stage.play('A B C D')
      const moved = await stage.music.move(stage.scope, GUILD, { from: 3, to: 1 })
      expect(moved.queue.map(({ title }) => title)).to.deep.equal(['D', 'B', 'C'])
      await stage.music.remove(stage.scope, GUILD, { position: 2 })
      expect(await titles()).to.equal('A D C')
      expect([...stage.saved.values()][0]?.queue).to.have.length(2)
      expect((await stage.music.shuffle(stage.scope, GUILD)).queue.map(({ title }) => title)).to.have.members([
        'C',
        'D',
      ])
      expect((await stage.music.clear(stage.scope, GUILD)).queue).to.deep.equal([])
      expect(await titles()).to.equal('A')
      expect(stage.told).to.deep.equal(['trackStarted A'])
    })

    it('names the position that the queue does not have', async () => {
      const move = (from: number, to: number) => stage.music.move(stage.scope, GUILD, { from, to })
      await stage.play('A B')
      expect(await faultOf(stage.music.remove(stage.scope, GUILD, { position: 2 }))).to.equal(
        'validation_error no_such_position',
      )
      expect(await faultOf(move(2, 1))).to.equal('validation_error no_such_position')
      expect(await faultOf(move(1, 2))).to.equal('validation_error no_such_target')
      const elsewhere = stage.music.clear(stage.scope, OTHER_GUILD)
      expect(await faultOf(elsewhere)).to.equal('not_found')
    })
  })

  describe('mute', () => {
    it('touches no volume; its end brings back the volume of its beginning', async () => {
      await stage.play('A')
      const volume = async (): Promise<string> => {
        const info = await stage.info()
        return `${info.volume}${info.muted ? ' muted' : ''}`
      }
      await stage.music.patch(stage.scope, GUILD, { volume: 60 })
      expect(await stage.music.mute(stage.scope, GUILD, { muted: true })).to.deep.equal({ muted: true })
      expect(await volume()).to.equal('60 muted')
      await stage.music.mute(stage.scope, GUILD, { muted: true })
      await stage.music.patch(stage.scope, GUILD, { volume: 20 })
      expect(await stage.music.unmute(stage.scope, GUILD)).to.deep.equal({ muted: false })
      expect(await volume()).to.equal('60')
      expect(await stage.music.unmute(stage.scope, GUILD)).to.deep.equal({ muted: false })
      await stage.music.mute(stage.scope, GUILD, { muted: true })
      await stage.music.patch(stage.scope, GUILD, { volume: 20 })
      await stage.music.mute(stage.scope, GUILD, { muted: false })
      expect(await volume()).to.equal('20')
      expect(stage.node.voices.get(GUILD)?.sound).to.deep.include({ volume: 20, muted: false, paused: false })
    })

    it('lasts from track to track', async () => {
      await stage.play('A B')
      await stage.music.mute(stage.scope, GUILD, { muted: true })
      await stage.music.skip(stage.scope, GUILD)
      expect(stage.node.voices.get(GUILD)?.sound).to.deep.include({ muted: true })
    })
  })

  describe('patch', () => {
    it('pauses, resumes, seeks, sets volume and loop, and answers the player', async () => {
      await stage.play('A B')
      const info = await stage.music.patch(stage.scope, GUILD, {
        paused: true,
        volume: 150,
        loop: 'queue',
        positionMs: 30_000,
      })
      expect(info).to.deep.include({ paused: true, volume: 150, loop: 'queue', positionMs: 30_000 })
      expect(stage.node.calls.slice(2)).to.deep.equal(['sound 150 paused', 'seek 30000'])
      await stage.clock.advance(5000)
      expect((await stage.info()).positionMs).to.equal(30_000)
      await stage.music.patch(stage.scope, GUILD, { paused: false })
      await stage.clock.advance(500)
      expect((await stage.info()).positionMs).to.equal(30_500)
    })

    it('refuses what needs a track when nothing plays, and positions outside it, and changes nothing then', async () => {
      await stage.play('A')
      const beyond = stage.music.patch(stage.scope, GUILD, { positionMs: 60_001, volume: 10 })
      expect(await faultOf(beyond)).to.equal('validation_error no_such_position')
      await stage.music.skip(stage.scope, GUILD)
      for (const wish of [{ paused: true }, { positionMs: 0 }]) {
        expect(await faultOf(stage.music.patch(stage.scope, GUILD, { ...wish, volume: 10 }))).to.equal('conflict')
      }
      expect((await stage.info()).volume).to.equal(100)
      await stage.play('radio')
      expect(await faultOf(stage.music.patch(stage.scope, GUILD, { positionMs: 0 }))).to.equal('conflict')
    })

    it('starts the next track unpaused', async () => {
      await stage.play('A B')
      await stage.music.patch(stage.scope, GUILD, { paused: true })
      await stage.music.skip(stage.scope, GUILD)
      expect((await stage.info()).paused).to.equal(false)
      expect(stage.node.voices.get(GUILD)?.sound?.paused).to.equal(false)
    })

    it('carries volume and loop to tracks that come later', async () => {
      await stage.play('A')
      await stage.music.skip(stage.scope, GUILD)
      await stage.music.patch(stage.scope, GUILD, { volume: 40, loop: 'track' })
      await stage.play('B')
      expect(stage.node.voices.get(GUILD)?.sound?.volume).to.equal(40)
      await stage.clock.advance(1000)
      stage.node.finish(GUILD)
      await settle()
      expect(stage.told.slice(-2)).to.deep.equal(['trackEnded finished', 'trackStarted B'])
    })
  })

  describe('close', () => {
    it('leaves the call, tells the end of the track first and forgets the player', async () => {
      await stage.play('A B')
      expect(await stage.music.close(stage.scope, GUILD)).to.deep.equal({ closed: true })
      expect(stage.told.slice(1)).to.deep.equal(['trackEnded stopped', 'playerClosed disconnected'])
      expect([stage.node.voices.size, stage.saved.size, stage.players.count]).to.deep.equal([0, 0, 0])
      expect(await faultOf(stage.music.close(stage.scope, GUILD))).to.equal('not_found')
    })

    it('works while the join is still under way', async () => {
      const gate = Promise.withResolvers<void>()
      stage.node.gate = gate.promise
      const playing = faultOf(stage.play('A'))
      await settle()
      const closing = stage.music.close(stage.scope, GUILD)
      gate.resolve()
      await closing
      expect(await playing).to.equal('conflict')
      await settle()
      expect([stage.node.voices.size, stage.players.count]).to.deep.equal([0, 0])
    })

    it('stays consistent when play, skip and close race', async () => {
      for (let round = 0; round < 20; round += 1) {
        const tasks = [
          stage.play('A B'),
          stage.music.skip(stage.scope, GUILD),
          stage.play('C'),
          stage.music.close(stage.scope, GUILD),
          stage.play('D'),
          stage.music.skip(stage.scope, GUILD),
        ]
        const faults = await Promise.all(tasks.toSorted(() => (round % 3) - 1).map(faultOf))
        for (const fault of faults) expect(fault).to.be.oneOf(['no fault', 'not_found', 'conflict'])
        await settle()
        const player = stage.players.find(BOT, GUILD)
        expect(stage.node.voices.has(GUILD), 'in voice').to.equal(player !== undefined)
        const playing = stage.node.voices.get(GUILD)?.play?.playable
        const current = player?.info().current
        expect(playing && 'path' in playing ? playing.path : null).to.equal(current ? `/${current.title}.ogg` : null)
        expect(stage.saved.size).to.equal(player ? 1 : 0)
      }
    })
  })

  it('answers 404 for every route of a guild without a player', async () => {
    const { music, scope } = stage
    const tasks = [
      music.skip(scope, GUILD),
      music.mute(scope, GUILD, { muted: true }),
      music.unmute(scope, GUILD),
      music.info(scope, GUILD),
      music.queue(scope, GUILD),
      music.patch(scope, GUILD, { volume: 1 }),
      music.close(scope, GUILD),
    ]
    expect(await Promise.all(tasks.map(faultOf))).to.deep.equal(tasks.map(() => 'not_found'))
  })

  it('counts the length of what is left, streams as nothing', async () => {
    await stage.play('A B radio')
    await stage.clock.advance(1000)
    expect((await stage.music.queue(stage.scope, GUILD)).lengthMs).to.equal(119_000)
  })

  it('lists the players of the one bot', async () => {
    await stage.play('A')
    await stage.music.play({ ...stage.scope, botId: OTHER_BOT }, OTHER_GUILD, { query: 'B', channelId: CHANNEL })
    const players = await stage.music.players(stage.scope)
    expect(players.map(({ guildId, current }) => [guildId, current?.title])).to.deep.equal([[GUILD, 'A']])
  })

  it('hands out tokens that play again', async () => {
    const [found] = await stage.music.search({ q: 'A B C', limit: 1 })
    await stage.music.play(stage.scope, GUILD, { encoded: found?.encoded ?? '', channelId: CHANNEL })
    const { current } = await stage.info()
    expect({ ...current, source: 'local' }).to.deep.equal(found)
  })
})
