import { expect } from 'chai'
import type { Loop } from '../../../bot/player/inputs.ts'
import { settle } from '../../support/manual-clock.ts'
import { BOT, CHANNEL, createStage, faultOf, GUILD, type Stage } from '../../support/stage.ts'

const PHASES = ['idle', 'loading', 'playing', 'paused', 'restoring', 'restoring paused', 'adrift', 'silenced'] as const
type PhaseName = (typeof PHASES)[number]
const LOOPS: readonly Loop[] = ['off', 'track', 'queue']
const LENGTHS = [0, 1, 2, 5]
const ref = { botId: BOT, guildId: GUILD }

/** Current track and queue: `A BC`, or `-`. */
type Line = string

/** The tracks of a line, letter by letter. */
const lettersOf = (line: Line): readonly string[] => line.replace(/[- ]/gu, '').split('')
const toLine = ([current, ...queue]: readonly string[]): Line => `${current ?? '-'} ${queue.join('')}`.trim()

/** The rules of skipping, in their own words: the track is left under every loop, and goes round under `queue`. */
function skipped(line: Line, loop: Loop): Line {
  const [current, ...queue] = lettersOf(line)
  if (current === undefined) return line
  return toLine(loop === 'queue' ? [...queue, current] : queue)
}

/** The rules of ending: `track` repeats it, `queue` sends it to the back, `off` leaves it. */
function ended(line: Line, loop: Loop): Line {
  return loop === 'track' ? line : skipped(line, loop)
}

/**
 * Loop, skip, mute and idle, over all phases, loops and lengths of the queue. A phase is reached the way it is in life;
 * then one thing is done, and everything that callers can see is compared with the rules.
 */
describe('loop, skip, mute and idle', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage()
  })
  afterEach(() => stage.close())

  const player = () => stage.players.find(BOT, GUILD)
  const info = () => stage.music.info(stage.scope, GUILD)
  const line = async (): Promise<Line> => {
    const { current, queue } = await info()
    return toLine([...(current ? [current.title] : []), ...queue.map(({ title }) => title)])
  }

  /** Brings a player into a phase. @returns what plays and waits then, and what ends the loading, if anything. */
  async function reach(phase: PhaseName, loop: Loop, length: number): Promise<{ before: Line; release: () => void }> {
    const { music, scope, node } = stage
    const names = 'ABCDEF'.slice(0, length + 1).split('')
    const gate = Promise.withResolvers<void>()
    await music.play(scope, GUILD, { query: phase === 'loading' ? 'Z' : 'A', channelId: CHANNEL })
    const rest = names.slice(1).join(' ')
    if (rest !== '' && phase !== 'idle' && phase !== 'loading') await music.play(scope, GUILD, { query: rest })
    switch (phase) {
      case 'idle':
        await music.skip(scope, GUILD)
        break
      case 'loading':
        await music.play(scope, GUILD, { query: names.join(' ') })
        await music.patch(scope, GUILD, { loop })
        node.gate = gate.promise
        // Answered when the loading is over, or interrupted.
        void music.skip(scope, GUILD)
        break
      case 'playing':
        break
      case 'paused':
        await music.patch(scope, GUILD, { paused: true })
        break
      case 'restoring':
        node.tell({ ...ref, type: 'voiceRestoring', closeCode: 4015 })
        break
      case 'restoring paused':
        await music.patch(scope, GUILD, { paused: true })
        node.tell({ ...ref, type: 'voiceRestoring', closeCode: 4015 })
        break
      case 'adrift':
        stage.isConnected = false
        node.tell({ ...ref, type: 'voiceLost', loss: { why: 'unreachable', closeCode: null } })
        break
      case 'silenced':
        player()?.placed({ channelId: CHANNEL, silenced: 'serverMute' })
    }
    if (phase !== 'loading') await music.patch(scope, GUILD, { loop })
    await settle()
    stage.told.splice(0)
    const goesRound = phase === 'loading' && loop === 'queue'
    return {
      before: phase === 'idle' ? '-' : toLine(goesRound ? [...names, 'Z'] : names),
      release() {
        node.gate = Promise.resolve()
        gate.resolve()
      },
    }
  }

  /** Events of the tracks that came and went, without those that could not be told while voice was away. */
  const told = () => stage.told.filter((event) => !event.startsWith('trackStarted'))

  for (const phase of PHASES) {
    for (const loop of LOOPS) {
      for (const length of phase === 'idle' ? [0] : LENGTHS) {
        const what = `${phase} · loop ${loop} · ${length} waiting`

        it(`${what}: skip leaves the track, tells why it ended and answers what is next`, async () => {
          const { before, release } = await reach(phase, loop, length)
          const { music, scope } = stage
          if (phase === 'idle') {
            expect(await faultOf(music.skip(scope, GUILD))).to.equal('conflict')
            expect([await line(), stage.told]).to.deep.equal([before, []])
            return
          }
          const skipping = music.skip(scope, GUILD)
          release()
          const after = skipped(before, loop)
          const [next] = lettersOf(after)
          expect((await skipping).track?.title ?? null).to.equal(next ?? null)
          expect(await line()).to.equal(after)
          expect((await info()).loop).to.equal(loop)
          expect(told()).to.deep.equal(next ? ['trackEnded replaced'] : ['trackEnded stopped', 'queueEmptied'])
          expect((await info()).paused, 'a new track is not paused').to.equal(false)
        })

        it(`${what}: mute touches nothing but itself, and its end brings the volume back`, async () => {
          const { before, release } = await reach(phase, loop, length)
          const { music, scope } = stage
          release()
          await settle()
          await music.patch(scope, GUILD, { volume: 80 })
          const { muted: _, positionMs: at, ...still } = await info()
          for (const isRepeated of [false, true]) {
            expect(await music.mute(scope, GUILD, { muted: true }), String(isRepeated)).to.deep.equal({ muted: true })
            const { muted, positionMs, ...rest } = await info()
            expect([muted, rest]).to.deep.equal([true, still])
            expect(positionMs).to.be.at.least(at)
          }
          await music.patch(scope, GUILD, { volume: 30 })
          expect(await music.mute(scope, GUILD, { muted: false })).to.deep.equal({ muted: false })
          expect((await info()).volume, 'POST mute false leaves the volume').to.equal(30)
          await music.mute(scope, GUILD, { muted: true })
          await music.patch(scope, GUILD, { volume: 55 })
          expect(await music.unmute(scope, GUILD)).to.deep.equal({ muted: false })
          expect(await music.unmute(scope, GUILD)).to.deep.equal({ muted: false })
          expect((await info()).volume, 'DELETE mute brings it back').to.equal(30)
          expect([await line(), (await info()).loop]).to.deep.equal([before, loop])
          expect(told()).to.deep.equal([])
        })

        it(`${what}: the loop takes hold at the end of the track`, async () => {
          const { before, release } = await reach(phase, loop, length)
          const { node, clock } = stage
          release()
          await settle()
          expect((await info()).loop).to.equal(loop)
          expect(await line()).to.equal(before)
          if (phase === 'idle' || phase === 'adrift') return
          await clock.advance(1000)
          node.finish(GUILD)
          await settle()
          const after = ended(before, loop)
          expect(await line()).to.equal(after)
          const empties = lettersOf(after).length === 0
          expect(told()).to.deep.equal(empties ? ['trackEnded finished', 'queueEmptied'] : ['trackEnded finished'])
        })

        it(`${what}: it leaves when nothing plays for five minutes, or no one listens for one`, async () => {
          const { before, release } = await reach(phase, loop, length)
          const { clock } = stage
          release()
          await settle()
          const isIdle = before === '-'
          await clock.advance(299_999)
          expect(player()?.isClosed).to.equal(false)
          await clock.advance(1)
          expect(player() === undefined, 'closed by idleness').to.equal(isIdle)
          if (isIdle) return expect(told()).to.deep.equal(['playerClosed idle'])
          stage.listeners = 0
          player()?.listenersChanged()
          await clock.advance(59_999)
          expect(player()?.isClosed).to.equal(false)
          await clock.advance(1)
          expect(player()).to.equal(undefined)
          expect(told().slice(-2)).to.deep.equal(['trackEnded cleanup', 'playerClosed idle'])
        })
      }
    }
  }
})
