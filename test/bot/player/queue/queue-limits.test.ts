import { expect } from 'chai'
import { enqueue, NO_RULES, type QueueRules } from '../../../../bot/player/queue/queue-limits.ts'
import type { QueuedTrack } from '../../../../bot/player/player-parts.ts'
import { EMPTY_QUEUE, type Queue } from '../../../../bot/player/queue/queue.ts'
import { Fault } from '../../../../lib/errors.ts'
import { trackNamed } from '../../../support/stage.ts'

/** `a1` is the first track of member a; `-1` no one's. */
function track(name: string): QueuedTrack {
  const [member = '-'] = name
  return { info: trackNamed(name), encoded: name, requesterId: member === '-' ? null : member }
}

function after(names: readonly string[], rules: Partial<QueueRules>, before: Queue<QueuedTrack> = EMPTY_QUEUE) {
  return names.reduce(
    (now, name) => enqueue(now, name.split(' ').map(track), { ...NO_RULES, ...rules }).rotation,
    before,
  )
}

function tell({ current, queue }: Queue<QueuedTrack>): string {
  return [current, ...queue].map((it) => it?.encoded ?? '-').join(' ')
}

function reasonOf(names: readonly string[], rules: Partial<QueueRules>): unknown {
  try {
    return tell(after(names, rules))
  } catch (err) {
    return err instanceof Fault ? err.reason : err
  }
}

describe('the admission of tracks', () => {
  it('puts everything behind what waits without rules', () => {
    expect(tell(after(['a1 a2', 'b1', 'a3', 'a1'], {}))).to.equal('a1 a2 b1 a3 a1')
  })

  it('lets members take turns where the queue is fair, and keeps the order of each', () => {
    expect(tell(after(['a1 a2 a3', 'b1 b2', 'c1'], { fair: true }))).to.equal('a1 b1 c1 a2 b2 a3')
    expect(tell(after(['a1', 'b1 b2 b3', 'a2'], { fair: true }))).to.equal('a1 b1 b2 a2 b3')
    expect(tell(after(['-1 -2', 'a1 a2', '-3'], { fair: true }))).to.equal('-1 a1 -2 a2 -3')
  })

  it('takes nothing from an empty list, no matter what the rules are', () => {
    for (const rules of [NO_RULES, { fair: true, duplicates: false, mostPerMember: 1 }]) {
      expect(enqueue(EMPTY_QUEUE, [], rules)).to.deep.include({ rotation: EMPTY_QUEUE, added: 0 })
    }
    expect(NO_RULES).to.deep.equal({ fair: false, duplicates: true, mostPerMember: null })
  })

  it('says where the first of the new tracks went', () => {
    const waiting = after(['a1 a2 a3'], {})
    expect(enqueue(waiting, [track('b1'), track('b2')], { ...NO_RULES, fair: true })).to.include({
      position: 1,
      added: 2,
    })
    expect(enqueue(EMPTY_QUEUE, [track('b1'), track('b2')], { ...NO_RULES, fair: true })).to.include({
      position: 0,
      added: 2,
    })
  })

  it('takes nothing twice where that is not wanted, and says so when nothing is left', () => {
    expect(tell(after(['a1', 'b1 a1 b1 b2'], { duplicates: false }))).to.equal('a1 b1 b2')
    expect(reasonOf(['a1 a2', 'a2'], { duplicates: false })).to.equal('duplicate')
  })

  it('bounds what waits of one member, not of programs', () => {
    expect(tell(after(['a1 a2 a3 a4', 'b1'], { mostPerMember: 2 }))).to.equal('a1 a2 a3 b1')
    expect(reasonOf(['a1 a2 a3', 'a4'], { mostPerMember: 2 })).to.equal('too_many_queued')
    expect(tell(after(['-1 -2 -3 -4'], { mostPerMember: 1 }))).to.equal('-1 -2 -3 -4')
  })
})
