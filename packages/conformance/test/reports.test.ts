import { expect } from 'chai'
import { SaxesParser } from 'saxes'
import { jsonReport } from '../report/json.ts'
import { junitReport } from '../report/junit.ts'
import { decisive, type RunFacts } from '../report/summary.ts'
import { textReport } from '../report/text.ts'
import type { Result } from '../suite/runner.ts'

const facts: RunFacts = {
  url: 'http://127.0.0.1:2333',
  serverVersion: '4.2.2',
  suiteVersion: '0.1.0',
  startedAt: new Date('2026-11-23T00:00:00Z'),
  ms: 12_345,
}

const result = (id: string, extra: Partial<Result>): Result => ({
  id,
  category: id.split('.', 1)[0] ?? '',
  level: 'must',
  title: 'It is so.',
  link: 'https://lavalink.dev/api/rest#player',
  outcome: 'passed',
  ms: 100,
  reason: null,
  expected: null,
  actual: null,
  transcript: [],
  ...extra,
})

const hostile = '<b>&"\u0000\u001b[31m]]>\ud800'
const results = [
  result('players.get', {}),
  result('players.list', {
    outcome: 'failed',
    reason: `The list ${hostile}`,
    expected: '[]',
    actual: hostile,
    transcript: [`← 200 ${hostile}`],
  }),
  result('tracks.search', { outcome: 'skipped', reason: 'It needs the internet.' }),
  result('voice.cadence', { outcome: 'failed', level: 'should', reason: 'A gap.' }),
]

describe('the reports of the conformance suite', () => {
  it('are JUnit XML that parses, with a suite for each category and what a server sent as plain text', () => {
    const tags: { name: string; attributes: Record<string, string> }[] = []
    const texts: string[] = []
    const parser = new SaxesParser()
    parser.on('error', (error) => {
      throw error
    })
    parser.on('opentag', ({ name, attributes }) => tags.push({ name, attributes }))
    parser.on('text', (text) => texts.push(text))
    parser.write(junitReport(facts, results)).close()
    const [whole] = tags
    expect(whole?.attributes).to.include({ tests: '4', failures: '2', skipped: '1' })
    expect(tags.filter(({ name }) => name === 'testsuite').map(({ attributes }) => attributes['name'])).to.deep.equal([
      'players',
      'tracks',
      'voice',
    ])
    expect(tags.filter(({ name }) => name === 'testcase')).to.have.lengthOf(4)
    expect(texts.join('')).to.include('← 200 <b>&"')
  })

  it('are JSON with every result', () => {
    const report = JSON.parse(jsonReport(facts, results)) as { results: Result[]; passed: number; startedAt: string }
    expect(report).to.include({ passed: 1, failed: 2, skipped: 1, startedAt: '2026-11-23T00:00:00.000Z' })
    expect(report.results.map(({ id }) => id)).to.deep.equal(results.map(({ id }) => id))
  })

  it('are text that names failures with expected, actual and paragraph, and steers no terminal', () => {
    const text = textReport(facts, results)
    expect(text).to.include('1 passed, 2 failed, 1 skipped')
    expect(text).to.include('players.list (must): It is so.')
    expect(text).to.include('expected: []')
    expect(text).to.include('https://lavalink.dev/api/rest#player')
    expect(text).to.include('tracks.search: It needs the internet.')
    expect(text).not.to.include('\u001b[31m]]>')
    expect(text).not.to.include('\u0000')
  })

  it('count a failed “should” only where that is asked for', () => {
    expect(decisive(results, false).map(({ id }) => id)).to.deep.equal(['players.list'])
    expect(decisive(results, true).map(({ id }) => id)).to.deep.equal(['players.list', 'voice.cadence'])
  })
})
