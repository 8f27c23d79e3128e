import { stripVTControlCharacters, styleText } from 'node:util'
import type { Result } from '../suite/runner.ts'
import { count, type RunFacts } from './summary.ts'

const MARKS = { passed: '✓', failed: '✗', skipped: '–' } as const
const COLORS = { passed: 'green', failed: 'red', skipped: 'yellow' } as const
const ACTUAL_LINES = 12

/** One line of the progress. */
export function progressLine(result: Result, done: number, all: number): string {
  const { id, level, outcome, ms, reason } = result
  const mark = styleText(COLORS[outcome], MARKS[outcome])
  const place = `${String(done).padStart(String(all).length)}/${all}`
  const why =
    outcome === 'passed'
      ? ''
      : `  ${outcome === 'failed' ? `(${level}) ` : ''}${printable(reason ?? '').split('\n', 1)[0]}`
  return `${place} ${mark} ${id} ${styleText('dim', `${(ms / 1000).toFixed(1)} s`)}${why}`
}

/** The summary: a table by category, then each failure with what was expected, and its paragraph. */
export function textReport(facts: RunFacts, results: readonly Result[]): string {
  const all = count(results)
  const server = `${facts.url}${facts.serverVersion === null ? '' : ` (${facts.serverVersion})`}`
  const failures = results.filter(({ outcome }) => outcome === 'failed')
  const skipped = results.filter(({ outcome }) => outcome === 'skipped')
  return [
    '',
    `Lavalink v4 conformance of ${server}`,
    `${all.passed} passed, ${all.failed} failed, ${all.skipped} skipped in ${Math.round(facts.ms / 1000)} s`,
    '',
    ...table(results),
    ...(failures.length > 0 ? ['', styleText('bold', 'Failed'), ...failures.flatMap(failure)] : []),
    ...(skipped.length > 0
      ? ['', styleText('bold', 'Skipped'), ...skipped.map(({ id, reason }) => `  – ${id}: ${reason}`)]
      : []),
    '',
  ].join('\n')
}

function table(results: readonly Result[]): string[] {
  const groups = Map.groupBy(results, ({ category }) => category)
  const width = Math.max(...[...groups.keys()].map((name) => name.length), 8)
  const row = (name: string, cells: readonly (string | number)[]) =>
    `  ${name.padEnd(width)}${cells.map((cell) => String(cell).padStart(9)).join('')}`
  const rows = [...groups].map(([name, own]) => {
    const { passed, failed, skipped } = count(own)
    return row(name, [passed, failed, skipped])
  })
  return [row('', ['passed', 'failed', 'skipped']), ...rows]
}

function failure({ id, level, title, link, reason, expected, actual }: Result): string[] {
  const facts = [
    ...(expected === null ? [] : [`      expected: ${printable(expected)}`]),
    ...(actual === null
      ? []
      : [`      actual:   ${printable(actual).split('\n').slice(0, ACTUAL_LINES).join('\n                ')}`]),
  ]
  return [
    `  ${styleText('red', MARKS.failed)} ${id} (${level}): ${title}`,
    `      ${printable(reason ?? '')}`,
    ...facts,
    `      ${styleText('dim', link)}`,
  ]
}

/** Removes control characters: text of a server must not steer the terminal. */
function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return stripVTControlCharacters(text).replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '�')
}
