import type { RefusalRow } from '../../../db/projects/usage.ts'
import type { Counts, Part, TimedTotal } from '../../../db/projects/usage-totals.ts'
import type { Plot, PlotLine } from '../../ui/plot.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { namesOf } from './names.ts'
import { RANGES, stepsOf, type Chosen, type Range, type Steps } from './ranges.ts'
import { STATUS_FILTERS, stepLinks, type CountFilter } from './request-links.ts'
import { USAGE } from './words.ts'

/** More cannot be told apart; the others are one line, and each has its row in the table below. */
const MOST_LINES = 6

const STATUSES = [
  ['ok', 'accent'],
  ['clientErrors', 'warn'],
  ['limited', 'other'],
  ['serverErrors', 'bad'],
] as const satisfies readonly (readonly [keyof Counts, string])[]

/** Requests over time, by what was chosen. */
export async function requestPlot(request: ProjectRequest, { range, group }: Chosen): Promise<Plot> {
  const steps = stepsOf(request, range)
  if (group === 'limit') return plotOver(request, range, await refusalLines(request, steps))
  const all = byStart(await request.context.usage.totals.timeline({ ...steps, part: 'all' }))
  const lines =
    group === 'status' ? statusLines(request, steps, all) : await partLines(request, steps, { part: group, all })
  return plotOver(request, range, lines)
}

function plotOver(request: ProjectRequest, range: Range, lines: readonly PlotLine[]): Plot {
  const steps = stepsOf(request, range)
  const links = stepLinks(request, steps)
  return { times: steps.starts.map((ms) => ms / 1000), lines, isDaily: RANGES[range].span === 'day', links }
}

/** What a click on a line adds to the address of its step. */
function queryOf(filter: CountFilter): string {
  return new URLSearchParams({ ...filter } as Record<string, string>).toString()
}

type ByStart = ReadonlyMap<number, TimedTotal>

function byStart(totals: readonly TimedTotal[]): ByStart {
  return new Map(totals.map((total) => [total.startMs, total]))
}

function statusLines({ language }: ProjectRequest, { starts }: Steps, all: ByStart): readonly PlotLine[] {
  return STATUSES.map(([status, tone]) => ({
    name: USAGE[language].statuses[status],
    tone,
    values: starts.map((ms) => all.get(ms)?.[status] ?? null),
    filter: queryOf({ status: STATUS_FILTERS[status] }),
  }))
}

/** The most asked for, and all others together. */
async function partLines(
  request: ProjectRequest,
  steps: Steps,
  { part, all }: { readonly part: Exclude<Part, 'all'>; readonly all: ByStart },
): Promise<readonly PlotLine[]> {
  const { totals } = request.context.usage
  const nameOf = await namesOf(request)
  const sums = await totals.sums({ ...steps, part })
  const names = sums.slice(0, MOST_LINES).map(({ name }) => name)
  const byName = Map.groupBy(await totals.requests({ ...steps, part }, names), ({ name }) => name)
  const lines = names.map((name, index) => {
    const at = new Map((byName.get(name) ?? []).map(({ startMs, requests }) => [startMs, requests]))
    const values = steps.starts.map((ms) => (all.has(ms) ? (at.get(ms) ?? 0) : null))
    const filter = part === 'class' ? '' : queryOf({ [part]: name })
    return { name: nameOf(part, name), tone: `line-${index + 1}`, values, filter }
  })
  if (sums.length <= MOST_LINES) return lines
  const shown = (index: number) => lines.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)
  const values = steps.starts.map((ms, index) => {
    const total = all.get(ms)
    return total ? Math.max(0, total.requests - shown(index)) : null
  })
  return [...lines, { name: USAGE[request.language].others(sums.length - MOST_LINES), tone: 'soft', values }]
}

/** Refused requests, by class and key, as they are counted. */
export async function refusals(request: ProjectRequest, range: Range): Promise<readonly RefusalRow[]> {
  const { projectId, span, sinceMs, untilMs } = stepsOf(request, range)
  return request.context.usage.refusals({ projectId, span, sinceMs, untilMs })
}

async function refusalLines({ context, language }: ProjectRequest, steps: Steps): Promise<readonly PlotLine[]> {
  const { budgets } = USAGE[language]
  const at = byStart(await context.usage.totals.timeline({ ...steps, part: 'all' }))
  const line = (name: string, tone: string, count: (total: Counts) => number) => {
    const values = steps.starts.map((ms) => {
      const total = at.get(ms)
      return total && total.limited > 0 ? count(total) : null
    })
    return { name, tone, values, filter: queryOf({ status: STATUS_FILTERS.limited }) }
  }
  return [
    line(budgets.class, 'line-1', ({ overClass }) => overClass),
    line(budgets.total, 'line-2', ({ overTotal }) => overTotal),
    line(budgets.other, 'line-3', otherwise),
  ]
}

/** Refused by what is no budget. */
export function otherwise({
  limited,
  overClass,
  overTotal,
}: Pick<Counts, 'limited' | 'overClass' | 'overTotal'>): number {
  return limited - overClass - overTotal
}

/** Percentiles of each step in which something was answered. */
export async function latencyPlot(request: ProjectRequest, range: Range): Promise<Plot> {
  const steps = stepsOf(request, range)
  const all = byStart(await request.context.usage.totals.timeline({ ...steps, part: 'all' }))
  const line = (name: string, tone: string, of: (total: TimedTotal) => number): PlotLine => ({
    name,
    tone,
    values: steps.starts.map((ms) => {
      const total = all.get(ms)
      return total ? of(total) : null
    }),
  })
  return plotOver(request, range, [
    line('p50', 'accent', ({ p50Ms }) => p50Ms),
    line('p95', 'line-4', ({ p95Ms }) => p95Ms),
    line('p99', 'warn', ({ p99Ms }) => p99Ms),
  ])
}
