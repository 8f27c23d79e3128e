import { expect } from 'chai'
import { answeredAtMs, createRequestIds, firstIdAt } from '../../../lib/request-log/request-log.ts'
import { statusesOf } from '../../../lib/request-log/status-filter.ts'

describe('ids of requests', () => {
  const NOON = Date.UTC(2026, 10, 21, 12)

  it('rise, tell the time, and are unique, even when many come in a millisecond or the clock steps back', () => {
    let nowMs = NOON
    const nextId = createRequestIds(() => nowMs)
    const ids = Array.from({ length: 5000 }, nextId)
    nowMs -= 500
    ids.push(...Array.from({ length: 100 }, nextId))
    nowMs += 1000
    ids.push(nextId())
    expect(ids).to.deep.equal(ids.toSorted((a, b) => a - b))
    expect(new Set(ids).size).to.equal(ids.length)
    expect(answeredAtMs({ id: ids[0] ?? 0 })).to.equal(NOON)
    expect(answeredAtMs({ id: ids.at(-1) ?? 0 })).to.equal(nowMs)
  })

  it('follow a clock that was set an hour back, without giving an id twice', () => {
    let nowMs = NOON
    const nextId = createRequestIds(() => nowMs)
    const before = Array.from({ length: 10 }, nextId)
    nowMs -= 3_600_000
    expect(answeredAtMs({ id: nextId() })).to.equal(nowMs)
    nowMs = NOON
    expect(before).not.to.include(nextId())
  })

  it('stay whole numbers for a century', () => {
    expect(Number.isSafeInteger(firstIdAt(Date.UTC(2108, 0)))).to.equal(true)
  })
})

describe('a filter by status', () => {
  it('is a status, a class, or all errors', () => {
    expect(statusesOf('404')).to.deep.equal({ least: 404, most: 404 })
    expect(statusesOf('5xx')).to.deep.equal({ least: 500, most: 599 })
    expect(statusesOf('error')).to.deep.equal({ least: 400, most: 599 })
    for (const nonsense of ['', '4', '40', '4x', '4xxx', '600', '6xx', '404 ', 'errors', '-404']) {
      expect(statusesOf(nonsense), nonsense).to.equal(null)
    }
  })
})
