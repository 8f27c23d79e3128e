import { categoryOf, type Check } from './check.ts'
import { Skipped, Unmet, show } from './expect.ts'
import { openStage } from './stage.ts'
import type { SuiteContext } from './suite-context.ts'

type Outcome = 'passed' | 'failed' | 'skipped'

export interface Result {
  readonly id: string
  readonly category: string
  readonly level: Check['level']
  readonly title: string
  readonly link: string
  readonly outcome: Outcome
  readonly ms: number
  /** The deviation, or the reason of the skip. */
  readonly reason: string | null
  readonly expected: string | null
  readonly actual: string | null
  /** The last requests and messages of a check that failed. */
  readonly transcript: readonly string[]
}

export interface RunOptions {
  readonly checks: readonly Check[]
  /** The number of parallel checks. */
  readonly jobs: number
  /** The time limit of one check, unless it asks for more itself. */
  readonly seconds: number
  readonly bail: boolean
  readonly slow: boolean
  readonly onResult: (result: Result) => void
  readonly signal?: AbortSignal
}

/** Runs the checks, several at once, each on a stage of its own. Results come in the order of the checks. */
export async function runChecks(suite: SuiteContext, options: RunOptions): Promise<readonly Result[]> {
  const results = new Map<string, Result>()
  const [last, first] = [options.checks.filter(({ isLast }) => isLast), options.checks.filter(({ isLast }) => !isLast)]
  let isOver = false
  for (const group of [first, last]) {
    const waiting = [...group]
    const work = async () => {
      for (let check = waiting.shift(); check && !isOver && !options.signal?.aborted; check = waiting.shift()) {
        const result = await runCheck(suite, check, options)
        results.set(check.id, result)
        options.onResult(result)
        isOver ||= options.bail && result.outcome === 'failed'
      }
    }
    await Promise.all(Array.from({ length: options.jobs }, work))
  }
  return options.checks.flatMap(({ id }) => results.get(id) ?? [])
}

async function runCheck(suite: SuiteContext, check: Check, options: RunOptions): Promise<Result> {
  const { id, level, title, link } = check
  const seconds = Math.max(check.seconds ?? 0, options.seconds)
  const ending = new AbortController()
  const begunMs = performance.now()
  const facts = { id, category: categoryOf(check), level, title, link, transcript: [] }
  const took = () => Math.round(performance.now() - begunMs)
  if (check.isSlow && !options.slow)
    return {
      ...facts,
      outcome: 'skipped',
      ms: 0,
      reason: 'It waits for minutes; --slow runs it.',
      expected: null,
      actual: null,
    }
  const stage = openStage(suite, ending.signal)
  let timer: NodeJS.Timeout | undefined
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Unmet('The check did not end in time.', `an end within ${seconds} s`, 'none'))
      }, seconds * 1000)
    })
    await Promise.race([check.run(stage), late])
    return { ...facts, outcome: 'passed', ms: took(), reason: null, expected: null, actual: null }
  } catch (error) {
    return {
      ...facts,
      ms: took(),
      ...explain(error),
      transcript: error instanceof Skipped ? [] : [...stage.transcript],
    }
  } finally {
    clearTimeout(timer)
    ending.abort()
    await stage.close()
  }
}

function explain(error: unknown): Pick<Result, 'outcome' | 'reason' | 'expected' | 'actual'> {
  if (error instanceof Skipped) return { outcome: 'skipped', reason: error.message, expected: null, actual: null }
  if (error instanceof Unmet)
    return { outcome: 'failed', reason: error.message, expected: error.expected, actual: error.actual }
  const { message, cause } = error instanceof Error ? error : { message: show(error), cause: undefined }
  const because = cause instanceof Error ? ` (${cause.message})` : ''
  return { outcome: 'failed', reason: `${message}${because}`, expected: null, actual: null }
}
