import type { Result } from '../suite/runner.ts'
import { count, type RunFacts } from './summary.ts'

/** JUnit XML as CI systems read it: a suite for each category, a case for each check. */
export function junitReport(facts: RunFacts, results: readonly Result[]): string {
  const { passed, failed, skipped } = count(results)
  const groups = [...Map.groupBy(results, ({ category }) => category)]
  const head = {
    name: `lavalink-conformance ${facts.url}`,
    tests: passed + failed + skipped,
    failures: failed,
    skipped,
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes({ ...head, time: facts.ms / 1000 })}>`,
    ...groups.flatMap(([name, own]) => suite(facts, name, own)),
    '</testsuites>',
    '',
  ].join('\n')
}

function suite(facts: RunFacts, name: string, results: readonly Result[]): string[] {
  const { passed, failed, skipped } = count(results)
  const seconds = results.reduce((sum, { ms }) => sum + ms, 0) / 1000
  const timestamp = facts.startedAt.toISOString()
  const head = { name, tests: passed + failed + skipped, failures: failed, skipped, time: seconds, timestamp }
  return [`  <testsuite ${attributes(head)}>`, ...results.flatMap(testCase), '  </testsuite>']
}

function testCase(result: Result): string[] {
  const { id, category, title, ms, outcome, reason } = result
  const head = `    <testcase ${attributes({ name: `${id}: ${title}`, classname: category, time: ms / 1000 })}`
  if (outcome === 'passed') return [`${head} />`]
  if (outcome === 'skipped')
    return [`${head}>`, `      <skipped ${attributes({ message: reason ?? '' })} />`, '    </testcase>']
  const lines = [
    `level: ${result.level}`,
    `expected: ${result.expected ?? ''}`,
    `actual: ${result.actual ?? ''}`,
    result.link,
    ...result.transcript,
  ]
  const failure = attributes({ message: reason ?? '', type: result.level })
  return [`${head}>`, `      <failure ${failure}>${escape(lines.join('\n'))}</failure>`, '    </testcase>']
}

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${escape(String(value))}"`)
    .join(' ')

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text and leaves out characters that XML 1.0 cannot hold. */
function escape(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .toWellFormed()
      .replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
  )
}
