import { median, numberInWords } from '../report.ts'

/** The service quality of the others over some seconds. */
export interface Met {
  readonly gapP999Ms: number
  readonly longestGapMs: number
  readonly lost: number
  /** Sorted. */
  readonly requestsMs: readonly number[]
  readonly slowestPlayMs: number
  readonly failures: readonly string[]
}

/** One attack beside the time right before and right after it. */
export interface Round {
  readonly attacked: Met
  readonly idle: readonly [Met, Met]
}

/** Requests of all rounds together, gaps and plays as medians over the rounds, and losses over all of them. */
export type Result = ReturnType<typeof resultOf>

interface Beside {
  readonly attacked: number
  readonly idle: number
  readonly ratio: number
}

export const MOST_RATIO = 1.33
export const MOST_REQUEST_MS = 1000

export function resultOf(rounds: readonly Round[]) {
  const mean = (of: (met: Met) => number): Beside => {
    const pairs = rounds.map(({ attacked, idle }) => ({
      attacked: of(attacked),
      idle: sum(idle.map(of)) / idle.length,
    }))
    return {
      attacked: median(pairs.map((pair) => pair.attacked)),
      idle: median(pairs.map((pair) => pair.idle)),
      ratio: median(pairs.map((pair) => pair.attacked / pair.idle)),
    }
  }
  // Each round holds too few requests for a p99: its third slowest would be the figure.
  const times = (of: (round: Round) => readonly Met[]) =>
    rounds
      .flatMap(of)
      .flatMap(({ requestsMs }) => requestsMs)
      .toSorted((a, b) => a - b)
  const [during, without] = [times((round) => [round.attacked]), times((round) => round.idle)]
  const requests = (share: number): Beside => {
    const [attacked, idle] = [quantile(during, share), quantile(without, share)]
    return { attacked, idle, ratio: attacked / idle }
  }
  const attacked = rounds.map((round) => round.attacked)
  return {
    p50Ms: requests(0.5),
    p99Ms: requests(0.99),
    gapP999Ms: mean(({ gapP999Ms }) => gapP999Ms),
    slowestMs: requests(1),
    slowestPlayMs: mean(({ slowestPlayMs }) => slowestPlayMs),
    longestGapMs: Math.max(...attacked.map(({ longestGapMs }) => longestGapMs)),
    lost: sum(attacked.map(({ lost }) => lost)),
    failed: sum(attacked.map(({ failures }) => failures.length)),
  }
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Goals that were missed; empty when all were met. */
function missed({ p99Ms, gapP999Ms, slowestMs, slowestPlayMs, lost, failed }: Result): string[] {
  const goals = {
    p99: p99Ms.ratio <= MOST_RATIO,
    gaps: gapP999Ms.ratio <= MOST_RATIO,
    lost: lost === 0,
    requests: slowestMs.attacked <= MOST_REQUEST_MS,
    plays: slowestPlayMs.attacked <= MOST_REQUEST_MS,
    failed: failed === 0,
  }
  return Object.entries(goals).flatMap(([name, isMet]) => (isMet ? [] : [name]))
}

function rowOf(name: string, result: Result): string {
  const { p50Ms, p99Ms, gapP999Ms, slowestMs, slowestPlayMs, lost, failed } = result
  const besides = [p50Ms, p99Ms, gapP999Ms].flatMap(({ attacked, idle, ratio }) => [
    numberInWords(attacked),
    numberInWords(idle),
    ratio.toFixed(2),
  ])
  const slowest = [slowestMs, slowestPlayMs].map(({ attacked }) => numberInWords(attacked))
  const verdict = missed(result).join(', ') || 'met'
  return rowText([name, ...besides, ...slowest, String(lost), String(failed), verdict])
}

function rowText(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** A table in Markdown, and how many attacks met every goal. Each time stands before the one without an attack. */
export function tableOf(results: ReadonlyMap<string, Result>): string {
  const besides = ['p50 ms', 'p99 ms', 'gaps p99.9 ms'].flatMap((what) => [what, 'no attack', 'ratio'])
  const head = ['attack', ...besides, 'slowest request', 'play', 'lost', 'failed', 'missed goals']
  const rows = [...results].map(([name, result]) => rowOf(name, result))
  const good = [...results.values()].filter((result) => missed(result).length === 0).length
  return [rowText(head), rowText(head.map(() => '---')), ...rows, '', `${good} of ${results.size} met all goals`].join(
    '\n',
  )
}
