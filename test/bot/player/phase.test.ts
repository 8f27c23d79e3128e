import { expect } from 'chai'
import {
  channelOf,
  isPaused,
  next,
  playOf,
  positionAt,
  type PlayerEvent,
  type Phase,
  type ActivePhase,
} from '../../../bot/player/phase.ts'

const NOW = 10_000

const idle: ActivePhase = { at: 'idle', channelId: 'a', sinceMs: 1000 }
const loading: ActivePhase = { at: 'loading', channelId: 'a', playId: 1, positionMs: 300, paused: false }
const held: ActivePhase = { at: 'loading', channelId: 'a', playId: 1, positionMs: 300, paused: true }
const playing: ActivePhase = { at: 'playing', channelId: 'a', playId: 1, positionMs: 300, measuredAtMs: NOW - 1000 }
const paused: ActivePhase = { at: 'paused', channelId: 'a', playId: 1, positionMs: 300 }

const PHASES: Readonly<Record<string, Phase>> = {
  joining: { at: 'joining', channelId: 'a' },
  idle,
  loading,
  held,
  playing,
  paused,
  'restoring idle': { at: 'restoring', after: idle },
  'restoring loading': { at: 'restoring', after: loading },
  'restoring held': { at: 'restoring', after: held },
  'restoring playing': { at: 'restoring', after: { ...playing, positionMs: 1300, measuredAtMs: NOW - 500 } },
  'restoring paused': { at: 'restoring', after: paused },
  closed: { at: 'closed', why: 'idle' },
}

const HAPPENINGS: Readonly<Record<string, PlayerEvent>> = {
  ready: { type: 'voiceReady', channelId: 'b' },
  restoring: { type: 'voiceRestoring' },
  moved: { type: 'moved', channelId: 'b' },
  stayed: { type: 'moved', channelId: 'a' },
  loading: { type: 'loading', playId: 2, positionMs: 70, paused: false },
  started: { type: 'started', playId: 1 },
  'started late': { type: 'started', playId: 0 },
  measured: { type: 'measured', playId: 1, positionMs: 900 },
  'measured late': { type: 'measured', playId: 0, positionMs: 900 },
  paused: { type: 'paused' },
  resumed: { type: 'resumed' },
  left: { type: 'left' },
  emptied: { type: 'emptied' },
  closed: { type: 'closed', why: 'disconnected' },
}

/** A phase in a word or two: `playing 1 b 900` is play 1 in channel b at 900 ms; `~` before it: voice is being restored. */
function tell(phase: Phase): string {
  if (phase.at === 'restoring') return `~${tell(phase.after)}`
  if (phase.at === 'closed') return `closed ${phase.why}`
  if (phase.at === 'joining') return `joining ${phase.channelId}`
  if (phase.at === 'idle') return `idle ${phase.channelId} since ${phase.sinceMs}`
  const state = phase.at === 'loading' && phase.paused ? 'held' : phase.at
  return `${state} ${phase.playId} ${phase.channelId} ${positionAt(phase, NOW)}`
}

const same = '='
const NEXT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  joining: {
    ready: 'idle b since 10000',
    restoring: same,
    moved: 'joining b',
    stayed: same,
    loading: same,
    started: same,
    'started late': same,
    measured: same,
    'measured late': same,
    paused: same,
    resumed: same,
    left: same,
    emptied: same,
    closed: 'closed disconnected',
  },
  idle: {
    ready: 'idle b since 1000',
    restoring: '~idle a since 1000',
    moved: 'idle b since 1000',
    stayed: same,
    loading: 'loading 2 a 70',
    started: same,
    'started late': same,
    measured: same,
    'measured late': same,
    paused: same,
    resumed: same,
    left: same,
    emptied: same,
    closed: 'closed disconnected',
  },
  loading: {
    ready: 'loading 1 b 300',
    restoring: '~loading 1 a 300',
    moved: 'loading 1 b 300',
    stayed: same,
    loading: 'loading 2 a 70',
    started: 'playing 1 a 300',
    'started late': same,
    measured: same,
    'measured late': same,
    paused: 'held 1 a 300',
    resumed: same,
    left: 'loading 1 a 0',
    emptied: 'idle a since 10000',
    closed: 'closed disconnected',
  },
  held: {
    ready: 'held 1 b 300',
    restoring: '~held 1 a 300',
    moved: 'held 1 b 300',
    stayed: same,
    loading: 'loading 2 a 70',
    started: 'paused 1 a 300',
    'started late': same,
    measured: same,
    'measured late': same,
    paused: same,
    resumed: 'loading 1 a 300',
    left: 'held 1 a 0',
    emptied: 'idle a since 10000',
    closed: 'closed disconnected',
  },
  playing: {
    ready: 'playing 1 b 1300',
    restoring: '~playing 1 a 1300',
    moved: 'playing 1 b 1300',
    stayed: same,
    loading: 'loading 2 a 70',
    started: same,
    'started late': same,
    measured: 'playing 1 a 900',
    'measured late': same,
    paused: 'paused 1 a 1300',
    resumed: same,
    left: 'loading 1 a 0',
    emptied: 'idle a since 10000',
    closed: 'closed disconnected',
  },
  paused: {
    ready: 'paused 1 b 300',
    restoring: '~paused 1 a 300',
    moved: 'paused 1 b 300',
    stayed: same,
    loading: 'loading 2 a 70',
    started: same,
    'started late': same,
    measured: 'paused 1 a 900',
    'measured late': same,
    paused: same,
    resumed: 'playing 1 a 300',
    left: 'held 1 a 0',
    emptied: 'idle a since 10000',
    closed: 'closed disconnected',
  },
  closed: Object.fromEntries(Object.keys(HAPPENINGS).map((name) => [name, same])),
}

/** While voice is restored, everything happens to what comes after it, except what is about voice itself. */
function whileRestoring(then: string): Readonly<Record<string, string>> {
  const rows = Object.entries(NEXT[then] ?? {}).map(([name, result]) => {
    if (name === 'ready') return [name, result]
    if (name === 'restoring') return [name, same]
    return [name, result === same || result.startsWith('closed') ? result : `~${result}`]
  })
  return Object.fromEntries(rows)
}

/** The restoring sample stands still at 1300 ms, where the playing one runs from 300. */
function restored(name: string, expected: string | undefined): string | undefined {
  if (name !== 'restoring playing') return expected
  return expected?.replace(/^~playing (\d) (\w) 1300$/, '~playing $1 $2 1800')
}

const fieldsOf = (phase: Phase) => Object.keys(phase).toSorted().join(' ')

describe('phase', () => {
  for (const [name, phase] of Object.entries(PHASES)) {
    const then = name.startsWith('restoring ') ? name.slice('restoring '.length) : null
    const rows = then === null ? NEXT[name] : whileRestoring(then)
    for (const [what, happening] of Object.entries(HAPPENINGS)) {
      const expected = rows?.[what]
      it(`${name} + ${what} → ${expected === same ? 'the very same' : expected}`, () => {
        const before = structuredClone(phase)
        const after = next(phase, happening, NOW)
        if (expected === same) expect(after).to.equal(phase)
        else expect(tell(after)).to.equal(restored(name, expected))
        expect(phase, 'the old phase').to.deep.equal(before)
      })
    }
  }

  it('has exactly the fields of its kind after anything that happens', () => {
    const fields: Readonly<Record<Phase['at'], string>> = {
      joining: 'at channelId',
      idle: 'at channelId sinceMs',
      loading: 'at channelId paused playId positionMs',
      playing: 'at channelId measuredAtMs playId positionMs',
      paused: 'at channelId playId positionMs',
      restoring: 'after at',
      closed: 'at why',
    }
    for (const [name, phase] of Object.entries(PHASES)) {
      for (const [what, happening] of Object.entries(HAPPENINGS)) {
        const after = next(phase, happening, NOW)
        expect(fieldsOf(after), `${name} + ${what}`).to.equal(fields[after.at])
        if (after.at === 'restoring')
          expect(fieldsOf(after.after), `${name} + ${what}`).to.equal(fields[after.after.at])
      }
    }
  })

  it('guesses twice as far at tempo 2, and answers 0 while nothing plays', () => {
    expect(positionAt(playing, NOW - 400, 2)).to.equal(1500)
    const silent = ['joining', 'idle', 'restoring idle', 'closed'].map((name) => PHASES[name] as Phase)
    expect(silent.map((phase) => positionAt(phase, NOW))).to.deep.equal([0, 0, 0, 0])
  })

  it('guesses the position onward while playing, but no further than the next report', () => {
    expect(positionAt(playing, NOW - 1000)).to.equal(300)
    expect(positionAt(playing, NOW - 400)).to.equal(900)
    expect(positionAt(playing, NOW + 60_000)).to.equal(1800)
    expect(positionAt(playing, 0), 'a clock set back').to.equal(300)
  })

  it('lets the position stand still while voice is restored and run on from there afterwards', () => {
    const gone = next(playing, { type: 'voiceRestoring' }, NOW)
    expect(positionAt(gone, NOW + 5000)).to.equal(1300)
    const back = next(gone, { type: 'voiceReady', channelId: 'a' }, NOW + 5000)
    expect(positionAt(back, NOW + 5000)).to.equal(1300)
    expect(positionAt(back, NOW + 5200)).to.equal(1500)
  })

  it('keeps where a player goes on, and its pause, from before the join until its track is opened or gone', () => {
    const returns: PlayerEvent = { type: 'returns', positionMs: 4000, paused: true }
    const joining = next({ at: 'joining', channelId: 'a' }, returns, NOW)
    const joined = next(joining, { type: 'voiceReady', channelId: 'a' }, NOW)
    const cut = next(joined, { type: 'voiceRestoring' }, NOW)
    const known = [joining, joined, cut].map((phase) => [positionAt(phase, NOW + 9000), isPaused(phase)])
    expect(known).to.deep.equal([
      [4000, true],
      [4000, true],
      [4000, true],
    ])
    for (const gone of ['left', 'emptied'] as const) {
      const phase = next(joined, { type: gone }, NOW)
      expect([phase, isPaused(phase)]).to.deep.equal([{ at: 'idle', channelId: 'a', sinceMs: NOW }, false])
    }
  })

  it('answers the channel, the play and the pause in every phase', () => {
    const told = Object.entries(PHASES).map(([name, phase]) => [name, channelOf(phase), playOf(phase), isPaused(phase)])
    expect(told).to.deep.equal([
      ['joining', 'a', null, false],
      ['idle', 'a', null, false],
      ['loading', 'a', 1, false],
      ['held', 'a', 1, true],
      ['playing', 'a', 1, false],
      ['paused', 'a', 1, true],
      ['restoring idle', 'a', null, false],
      ['restoring loading', 'a', 1, false],
      ['restoring held', 'a', 1, true],
      ['restoring playing', 'a', 1, false],
      ['restoring paused', 'a', 1, true],
      ['closed', null, null, false],
    ])
  })
})
