import { expect } from 'chai'
import {
  add,
  addByTurns,
  advance,
  clear,
  EMPTY_QUEUE,
  MAX_HISTORY,
  moveTracks,
  removeTracks,
  setLoop,
  shuffle,
  stepBack,
  type EndReason,
  type Queue,
} from '../../../../bot/player/queue/queue.ts'
import { LONGEST_QUEUE, type Loop } from '../../../../bot/player/inputs.ts'

/** `A BC`: A plays, then B, then C; `-` where nothing plays. */
function tell({ current, queue }: Queue<string>): string {
  return `${current ?? '-'} ${queue.join('')}`.trim()
}

function rotation(text: string, loop: Loop): Queue<string> {
  const [current = '-', queue = ''] = text.split(' ')
  return { current: current === '-' ? null : current, queue: queue.split(''), loop, past: [] }
}

const after = (text: string, loop: Loop, leavings: readonly EndReason[]) =>
  leavings.reduce(advance<string>, rotation(text, loop))

const moved = (from: number, to: number) => {
  const now = moveTracks(rotation('A BCDE', 'off'), [from], to)
  return now && tell(now)
}

const ownerOf = (name: string) => name[0]

const LOOPS: readonly Loop[] = ['off', 'track', 'queue']

/** Before, and after the current track was left in each way under each loop. */
const ADVANCE: readonly (readonly [string, Readonly<Record<EndReason, Readonly<Record<Loop, string>>>>])[] = [
  [
    '-',
    {
      ended: { off: '-', track: '-', queue: '-' },
      skipped: { off: '-', track: '-', queue: '-' },
      failed: { off: '-', track: '-', queue: '-' },
    },
  ],
  [
    'A',
    {
      ended: { off: '-', track: 'A', queue: 'A' },
      skipped: { off: '-', track: '-', queue: 'A' },
      failed: { off: '-', track: '-', queue: '-' },
    },
  ],
  [
    'A B',
    {
      ended: { off: 'B', track: 'A B', queue: 'B A' },
      skipped: { off: 'B', track: 'B', queue: 'B A' },
      failed: { off: 'B', track: 'B', queue: 'B' },
    },
  ],
  [
    'A BC',
    {
      ended: { off: 'B C', track: 'A BC', queue: 'B CA' },
      skipped: { off: 'B C', track: 'B C', queue: 'B CA' },
      failed: { off: 'B C', track: 'B C', queue: 'B C' },
    },
  ],
  [
    'A BCD',
    {
      ended: { off: 'B CD', track: 'A BCD', queue: 'B CDA' },
      skipped: { off: 'B CD', track: 'B CD', queue: 'B CDA' },
      failed: { off: 'B CD', track: 'B CD', queue: 'B CD' },
    },
  ],
]

describe('rotation', () => {
  for (const [before, ways] of ADVANCE) {
    for (const leaving of ['ended', 'skipped', 'failed'] as const) {
      for (const loop of LOOPS) {
        const after = ways[leaving][loop]
        it(`${before} · loop ${loop} · ${leaving} → ${after}`, () => {
          const given = Object.freeze(rotation(before, loop))
          const result = advance(given, leaving)
          expect(tell(result)).to.equal(after)
          expect(result.loop).to.equal(loop)
          if (before === '-') expect(result).to.equal(given)
        })
      }
    }
  }

  for (const loop of LOOPS) {
    it(`puts the first track on at once and the others behind · loop ${loop}`, () => {
      const first = add(setLoop<string>(EMPTY_QUEUE, loop), ['A', 'B'])
      expect([tell(first.rotation), first.position, first.added]).to.deep.equal(['A B', 0, 2])
      const more = add(first.rotation, ['C', 'D'])
      expect([tell(more.rotation), more.position, more.added]).to.deep.equal(['A BCD', 2, 2])
      expect(more.rotation.loop).to.equal(loop)
    })

    it(`comes to an end with a hundred broken tracks · loop ${loop}`, () => {
      const names = Array.from({ length: 100 }, (_, index) => `track ${index}`)
      let { rotation: now } = add(setLoop<string>(EMPTY_QUEUE, loop), names)
      let turns = 0
      while (now.current !== null && turns < 1000) {
        now = advance(now, 'failed')
        turns += 1
      }
      expect(turns).to.equal(100)
    })
  }

  it('keeps cycling under loop queue with a single track, for ever', () => {
    let now = rotation('A', 'queue')
    for (let turn = 0; turn < 10; turn += 1) now = advance(now, turn % 2 === 0 ? 'ended' : 'skipped')
    expect(tell(now)).to.equal('A')
  })

  describe('stepping back', () => {
    it('brings back what ended or was skipped, and puts the current track next', () => {
      for (const leaving of ['ended', 'skipped'] as const) {
        const back = stepBack(after('A BC', 'off', [leaving]))
        expect(back && tell(back)).to.equal('A BC')
        expect(back && stepBack(back)).to.equal(null)
      }
    })

    it('continues from the end of the queue, and over what failed', () => {
      const back = stepBack(after('A BC', 'off', ['ended', 'failed', 'ended']))
      expect(back && tell(back)).to.equal('C')
      const further = back && stepBack(back)
      expect(further && tell(further)).to.equal('A C')
    })

    it('takes the track from the back under loop queue, so that nothing is there twice', () => {
      const back = stepBack(after('A BC', 'queue', ['skipped', 'ended']))
      expect(back && tell(back)).to.equal('B CA')
    })

    it('keeps a track that waits again without a loop, and every other one under loop queue', () => {
      const again = { current: 'B', queue: ['C', 'A', 'D'], past: ['A'] }
      expect(stepBack({ ...again, loop: 'off' })).to.deep.equal({
        current: 'A',
        queue: ['B', 'C', 'A', 'D'],
        loop: 'off',
        past: [],
      })
      expect(stepBack({ ...again, loop: 'queue' })).to.deep.equal({
        current: 'A',
        queue: ['B', 'C', 'D'],
        loop: 'queue',
        past: [],
      })
    })

    it('puts nothing next when nothing plays', () => {
      const silent = { current: null, queue: ['B'], loop: 'off', past: ['A'] } as const
      expect(stepBack<string>(silent)?.queue).to.deep.equal(['B'])
    })

    it('drops the last track when the queue is full, instead of letting it grow', () => {
      const queue = Array.from({ length: LONGEST_QUEUE }, (_, index) => `track ${index}`)
      const back = stepBack({ current: 'B', queue, loop: 'off', past: ['A'] })
      expect(back?.queue).to.deep.equal(['B', ...queue.slice(0, -1)])
    })

    it('remembers a bounded number', () => {
      const names = Array.from({ length: MAX_HISTORY + 10 }, (_, index) => `track ${index}`)
      let { rotation: now } = add<string>(EMPTY_QUEUE, names)
      for (const _ of names) now = advance(now, 'ended')
      expect(now.past).to.have.length(MAX_HISTORY)
      expect(now.past[0]).to.equal(names.at(-1))
    })
  })

  describe('the order of the queue', () => {
    it('is shuffled fairly by the numbers given, and keeps every track', () => {
      const shuffled = { current: 'A', queue: ['C', 'D', 'E', 'B'], loop: 'queue', past: [] }
      expect(shuffle(rotation('A BCDE', 'queue'), () => 0)).to.deep.equal(shuffled)
      const seen = new Set<string>()
      for (let turn = 0; turn < 200; turn += 1) seen.add(tell(shuffle(rotation('A BCD', 'off'), Math.random)))
      expect(seen.size).to.equal(6)
      expect(shuffle(rotation('A BCDE', 'off'), () => 0.999).queue).to.deep.equal(['B', 'C', 'D', 'E'])
    })

    it('changes by moves, in both directions', () => {
      expect([moved(1, 4), moved(4, 1), moved(2, 3), moved(2, 2)]).to.deep.equal([
        'A CDEB',
        'A EBCD',
        'A BDCE',
        'A BCDE',
      ])
      for (const [from, to] of [
        [0, 1],
        [1, 0],
        [5, 1],
        [1, 5],
        [1.5, 1],
      ] as const) {
        expect(moved(from, to)).to.equal(null)
      }
    })

    it('loses what is removed or cleared; the current track stays', () => {
      const now = rotation('A BCD', 'queue')
      const without = [1, 3].map((position) => removeTracks(now, [position])).map((it) => it && tell(it))
      expect(without).to.deep.equal(['A CD', 'A BC'])
      expect([0, 4, 1.5].map((position) => removeTracks(now, [position]))).to.deep.equal([null, null, null])
      expect(tell(clear(now))).to.equal('A')
      const cleared = clear(now)
      expect(clear(cleared)).to.equal(cleared)
    })
  })

  it('adds nothing when nothing is given', () => {
    expect(add(EMPTY_QUEUE, [])).to.deep.include({ rotation: EMPTY_QUEUE, added: 0 })
    for (const put of [add<string>, (now: Queue<string>) => addByTurns<string>(now, [], ownerOf)]) {
      expect(put(rotation('A BC', 'off'), [])).to.deep.include({ position: 3, added: 0 })
    }
  })

  it('begins empty, without a loop, and has room for 5,000 waiting tracks and 50 past ones', () => {
    expect(EMPTY_QUEUE).to.deep.equal({ current: null, queue: [], loop: 'off', past: [] })
    expect([LONGEST_QUEUE, MAX_HISTORY]).to.deep.equal([5000, 50])
  })

  it('takes what finds room and no more by turns', () => {
    const queue = Array.from({ length: LONGEST_QUEUE - 2 }, (_, index) => `a${index}`)
    const full = addByTurns<string>({ ...EMPTY_QUEUE, current: 'anow', queue }, ['b1', 'b2', 'b3'], ownerOf)
    expect([full.added, full.position, full.rotation.queue.length]).to.deep.equal([2, 1, LONGEST_QUEUE])
    expect(full.rotation.queue.slice(0, 4)).to.deep.equal(['b1', 'a0', 'b2', 'a1'])
  })

  it('takes what finds room and no more', () => {
    const names = Array.from({ length: LONGEST_QUEUE + 10 }, (_, index) => `track ${index}`)
    const full = add<string>(EMPTY_QUEUE, names)
    expect(full.added).to.equal(LONGEST_QUEUE + 1)
    expect(full.rotation.queue).to.have.length(LONGEST_QUEUE)
    expect(add(full.rotation, ['one more'])).to.deep.include({ rotation: full.rotation, added: 0 })
  })

  it('is the very same when the loop does not change', () => {
    const now = rotation('A B', 'track')
    expect(setLoop(now, 'track')).to.equal(now)
    expect(tell(setLoop(now, 'off'))).to.equal('A B')
  })

  it('puts many tracks in by turns as it puts them in one after the other, and quickly', () => {
    let seed = 7
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    const names = (count: number) => Array.from({ length: count }, (_, at) => `${'abcd'[random(4)]}${at}`)
    for (let round = 0; round < 300; round++) {
      const queue = names(random(12))
      const start = { ...EMPTY_QUEUE, current: random(4) === 0 ? null : `${'abcd'[random(4)]}now`, queue }
      const tracks = names(random(8)).map((name) => `${name}+`)
      const atOnce = addByTurns<string>(start, tracks, ownerOf)
      const [first, ...rest] = tracks
      const begun = first === undefined ? null : addByTurns<string>(start, [first], ownerOf)
      const oneByOne = rest.reduce((now, it) => addByTurns(now, [it], ownerOf).rotation, begun?.rotation ?? start)
      expect(atOnce.rotation.queue, JSON.stringify([start, tracks])).to.deep.equal(oneByOne.queue)
      expect(atOnce.rotation.current).to.equal(oneByOne.current)
      expect([atOnce.position, atOnce.added]).to.deep.equal([begun?.position ?? queue.length + 1, tracks.length])
    }
    const all = addByTurns<string>({ ...EMPTY_QUEUE, queue: names(2500) }, names(2500), ownerOf)
    expect(all.added).to.equal(2500)
  })
})
