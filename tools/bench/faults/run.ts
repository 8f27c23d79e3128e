import { NotRun, type Experiment } from './experiment.ts'
import { openTools, type Material } from './tools.ts'

export type Outcome = Awaited<ReturnType<typeof runOne>>

/** The checks after an experiment end on their own well before this. */
const CHECKS_WITHIN_MS = 60_000
const CLOSE_WITHIN_MS = 20_000

export async function runOne(experiment: Experiment, material: Material) {
  const startMs = performance.now()
  const box = openTools(material)
  const failures: string[] = []
  let notRun: string | null = null
  try {
    await within(experiment.limitMs, experiment.run(box.tools))
    await within(CHECKS_WITHIN_MS, box.checkInvariants())
  } catch (error) {
    if (error instanceof NotRun) notRun = error.message
    else failures.push(error instanceof Error ? error.message : String(error))
  }
  await within(CLOSE_WITHIN_MS, box.close()).catch((error: unknown) => failures.push(`not closed: ${String(error)}`))
  failures.push(...box.failures.filter((text) => !box.seen.includes(`NOT: ${text}`)))
  const hasFailed = failures.length > 0 || box.failures.length > 0
  return {
    experiment,
    result: hasFailed ? 'FAIL' : notRun === null ? 'PASS' : 'not run',
    /** Observations and faults. */
    seen: [...box.seen, ...(notRun === null ? [] : [notRun]), ...failures.map((text) => `WRONG: ${text}`)].join('; '),
    seconds: (performance.now() - startMs) / 1000,
  }
}

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`not over within ${limitMs / 1000} s`)), limitMs)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** One line for a person who watches. */
export function lineOf({ experiment: { number, title, passes }, result, seen, seconds }: Outcome): string {
  const head = `${result.padEnd(7)} ${number.padEnd(4)} ${seconds.toFixed(1).padStart(5)} s`
  return `${head}  ${title} · must: ${passes} · seen: ${seen}`
}
