import { expect } from 'chai'
import {
  planMove,
  type FullSince,
  type MovablePlayer,
  type ThreadLoad,
} from '../../../../bot/player/balance/balance-policy.ts'

type Player = MovablePlayer<string>

function player(name: string, given: Partial<Player> = {}): Player {
  return { player: name, weight: 1, isMovable: true, triedAtMs: null, ...given }
}

function thread(id: string, utilization: number, players: readonly Player[] = []): ThreadLoad<string> {
  return { id, utilization, players }
}

const TEN = Array.from({ length: 10 }, (_, i) => player(`p${i}`))

/** Looks once a second. @returns who is moved in each. */
function watch(seconds: readonly (readonly ThreadLoad<string>[])[], startMs = 0): readonly (string | null)[] {
  let fullSince: FullSince = new Map()
  return seconds.map((threads, second) => {
    const plan = planMove(threads, fullSince, startMs + second * 1000)
    fullSince = plan.fullSince
    return plan.move && `${plan.move.player} ${plan.move.from} → ${plan.move.to}`
  })
}

const at = (utilization: number) => [thread('A', utilization, TEN), thread('B', 0.1)]
const times = <T>(count: number, one: T): readonly T[] => Array.from({ length: count }, () => one)

describe('which player leaves a full audio thread', () => {
  it('moves one when a thread has been full for five seconds and another one has room', () => {
    const moves = watch(times(7, [thread('A', 0.9, TEN), thread('B', 0.1)]))
    expect(moves).to.deep.equal([...times(5, null), 'p0 A → B', 'p0 A → B'])
  })

  it('leaves a short peak alone', () => {
    const [peak, calm] = [
      [thread('A', 0.95, TEN), thread('B', 0.1)],
      [thread('A', 0.7, TEN), thread('B', 0.1)],
    ]
    expect(watch([...times(4, peak), calm, ...times(4, peak)])).to.deep.equal(times(9, null))
  })

  it('goes on until the full one is relieved, and begins again only when it is full again', () => {
    const moves = watch([...times(6, at(0.85)), at(0.78), at(0.66), at(0.64), at(0.7), at(0.79)])
    expect(moves.map((move) => move !== null)).to.deep.equal([...times(5, false), true, true, true, ...times(3, false)])
  })

  it('moves none to a thread that would be busy itself, nor between two full ones', () => {
    expect(watch(times(7, [thread('A', 0.95, TEN), thread('B', 0.55, TEN)]))).to.deep.equal(times(7, null))
    expect(watch(times(7, [thread('A', 0.95, TEN), thread('B', 0.9, TEN)]))).to.deep.equal(times(7, null))
  })

  it('moves none that is all the load there is', () => {
    expect(watch(times(7, [thread('A', 0.95, [player('one')]), thread('B', 0)]))).to.deep.equal(times(7, null))
  })

  it('takes the heaviest that fits, and never one that cannot move or has just moved', () => {
    const players = [
      player('light'),
      player('just moved', { weight: 3, triedAtMs: 1_000_000 - 30_000 }),
      player('moved long ago', { weight: 2, triedAtMs: 1_000_000 - 90_000 }),
      player('paused', { weight: 3, isMovable: false }),
    ]
    const moves = watch(times(6, [thread('A', 0.9, players), thread('B', 0.1)]), 1_000_000)
    expect(moves.at(-1)).to.equal('moved long ago A → B')
  })

  it('does not move players to and fro', () => {
    // Each player takes 8 %: a simulation of two threads over five minutes.
    const place = new Map(TEN.map(({ player: name }) => [name, { on: 'A', triedAtMs: null as number | null }]))
    let fullSince: FullSince = new Map()
    let moves = 0
    for (let nowMs = 0; nowMs < 300_000; nowMs += 1000) {
      const loads = ['A', 'B'].map((id) => {
        const own = TEN.filter(({ player: name }) => place.get(name)?.on === id)
        const players = own.map((one) => ({ ...one, triedAtMs: place.get(one.player)?.triedAtMs ?? null }))
        return thread(id, 0.05 + own.length * 0.08, players)
      })
      const plan = planMove(loads, fullSince, nowMs)
      fullSince = plan.fullSince
      if (!plan.move) continue
      moves += 1
      place.set(plan.move.player, { on: plan.move.to, triedAtMs: nowMs })
    }
    expect(moves).to.equal(3)
  })
})
