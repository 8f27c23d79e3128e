import type { RefusalRow } from '../../../../db/projects/usage.ts'
import type { Counts, UsagePart, TimedTotal } from '../../../../db/projects/usage-totals.ts'
import type { Plot, PlotLine } from '../../ui/plot.ts'
import type { RangeUsage } from './range-usage.ts'
import { RANGES, type UsageGroup } from './ranges.ts'
import { STATUS_FILTERS, stepLinks, type CountFilter } from './request-links.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const USAGE = textsOf('dashboard-usage')

/** The most lines that can be distinguished; the others are one line, and each has its row in the table below. */
const MOST_LINES = 6

const STATUSES = [
  ['ok', 'accent'],
  ['clientErrors', 'warn'],
  ['limited', 'other'],
  ['serverErrors', 'bad'],
] as const satisfies readonly (readonly [keyof Counts, string])[]

/** Requests over time, by the chosen group. */
export async function requestPlot(usage: RangeUsage, group: UsageGroup): Promise<Plot> {
  if (group === 'limit') return plotOver(usage, await refusalLines(usage))
  return plotOver(usage, await (group === 'status' ? statusLines(usage) : partLines(usage, group)))
}

function plotOver({ request, range, steps }: RangeUsage, lines: readonly PlotLine[]): Plot {
  const links = stepLinks(request, steps)
  return { times: steps.starts.map((ms) => ms / 1000), lines, isDaily: RANGES[range].span === 'day', links }
}

/** The query that a click on a line adds to the address of its step. */
function queryOf(filter: CountFilter): string {
  return new URLSearchParams({ ...filter } as Record<string, string>).toString()
}

async function statusLines(usage: RangeUsage): Promise<readonly PlotLine[]> {
  const all = await usage.timeline()
  return STATUSES.map(([status, tone]) => ({
    name: USAGE[usage.request.language].statuses[status],
    tone,
    values: usage.steps.starts.map((ms) => all.get(ms)?.[status] ?? null),
    filter: queryOf({ status: STATUS_FILTERS[status] }),
  }))
}

/** The most asked for, and all others together. */
async function partLines(usage: RangeUsage, part: Exclude<UsagePart, 'all'>): Promise<readonly PlotLine[]> {
  const { request, steps } = usage
  const { totals } = request.context.usage
  const [all, nameOf, sums] = await Promise.all([usage.timeline(), usage.names(), usage.sums(part)])
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
  return [...lines, { name: USAGE[request.language].others({ count: sums.length - MOST_LINES }), tone: 'soft', values }]
}

/** Refused requests, by class and key, as they are counted. */
export async function refusals({ request, steps }: RangeUsage): Promise<readonly RefusalRow[]> {
  const { projectId, span, sinceMs, untilMs } = steps
  return request.context.usage.refusals({ projectId, span, sinceMs, untilMs })
}

async function refusalLines(usage: RangeUsage): Promise<readonly PlotLine[]> {
  const { steps } = usage
  const { budgets } = USAGE[usage.request.language]
  const at = await usage.timeline()
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

/** Requests refused for other reasons than a budget. */
export function otherwise({
  limited,
  overClass,
  overTotal,
}: Pick<Counts, 'limited' | 'overClass' | 'overTotal'>): number {
  return limited - overClass - overTotal
}

/** Percentiles of each step in which something was answered. */
export async function latencyPlot(usage: RangeUsage): Promise<Plot> {
  const { steps } = usage
  const all = await usage.timeline()
  const line = (name: string, tone: string, of: (total: TimedTotal) => number): PlotLine => ({
    name,
    tone,
    values: steps.starts.map((ms) => {
      const total = all.get(ms)
      return total ? of(total) : null
    }),
  })
  return plotOver(usage, [
    line('p50', 'accent', ({ p50Ms }) => p50Ms),
    line('p95', 'line-4', ({ p95Ms }) => p95Ms),
    line('p99', 'warn', ({ p99Ms }) => p99Ms),
  ])
}
