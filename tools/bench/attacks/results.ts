import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { numberInWords } from '../report.ts'

/** What the others met during one attack, beside the last time without one. */
interface AttackResult {
  readonly name: string
  readonly p999Ms: number
  readonly idleP999Ms: number
  readonly longestMs: number
  readonly lost: number
  readonly slowestMs: number
  readonly slowestPlayMs: number
  readonly failed: number
  /** The attacker's most frequent answer. */
  readonly answer: string
}

/** The results of a run, in a file with a line each, so that an aborted run can be continued. */
interface ResultFile {
  readonly results: readonly AttackResult[]
  add(result: AttackResult): void
}

export function openResults(path: string, { isContinued }: { isContinued: boolean }): ResultFile {
  if (!isContinued) rmSync(path, { force: true })
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
  const results = lines.map((line) => JSON.parse(line) as AttackResult)
  return {
    results,
    add(result) {
      results.push(result)
      appendFileSync(path, `${JSON.stringify(result)}\n`)
    },
  }
}

export const MOST_RATIO = 1.33
export const MOST_REQUEST_MS = 1000

/** Goals that were missed; empty when all were met. */
function missed(result: AttackResult): string[] {
  const { p999Ms, idleP999Ms, lost, slowestMs, slowestPlayMs, failed } = result
  const goals = {
    gaps: p999Ms <= MOST_RATIO * idleP999Ms,
    lost: lost === 0,
    requests: slowestMs <= MOST_REQUEST_MS,
    plays: slowestPlayMs <= MOST_REQUEST_MS,
    failed: failed === 0,
  }
  return Object.entries(goals).flatMap(([name, isMet]) => (isMet ? [] : [name]))
}

const ms = (value: number) => `${numberInWords(value)} ms`

/** A table in Markdown, and how many attacks met every goal. */
export function tableOf(results: readonly AttackResult[]): string {
  const rows = results.map((result) => [
    result.name,
    ms(result.p999Ms),
    ms(result.idleP999Ms),
    (result.p999Ms / result.idleP999Ms).toFixed(2),
    ms(result.longestMs),
    String(result.lost),
    ms(result.slowestMs),
    ms(result.slowestPlayMs),
    String(result.failed),
    missed(result).join(', ') || 'met',
  ])
  const head = ['attack', 'p99.9', 'no attack', 'ratio', 'longest', 'lost', 'request', 'play', 'failed', 'missed goals']
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  const good = results.filter((result) => missed(result).length === 0).length
  const within = results.filter((result) => !missed(result).includes('gaps')).length
  return `${lines.join('\n')}\n\n${within} of ${results.length} within ${MOST_RATIO} times the gaps; ${good} met all goals`
}
