import { OUTCOMES, type RefusalRow, type Span } from '../../../db/projects/usage.ts'
import { KEY_CLASSES } from '../../../db/projects/keys.ts'
import type { Plot } from '../../ui/plot.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { USAGE } from './words.ts'

export const RANGES = {
  hour: { span: 'minute', points: 60, stepMs: 60_000 },
  day: { span: 'hour', points: 24, stepMs: 3_600_000 },
  month: { span: 'day', points: 30, stepMs: 86_400_000 },
} as const satisfies Record<string, { readonly span: Span; readonly points: number; readonly stepMs: number }>

export type Range = keyof typeof RANGES
export const GROUPS = ['outcome', 'class', 'key', 'budget'] as const
export type Group = (typeof GROUPS)[number]

/** Beyond that a plot cannot be read; the others are in the table. */
const MOST_LINES = 6
const OUTCOME_TONES = { ok: 'accent', client_error: 'warn', limited: 'other', server_error: 'bad' } as const

export function chosenRange({ query }: ProjectRequest): { readonly range: Range; readonly group: Group } {
  const range = (Object.keys(RANGES) as Range[]).find((it) => it === query.get('range')) ?? 'day'
  const group = GROUPS.find((it) => it === query.get('by')) ?? 'outcome'
  return { range, group }
}

/** The span of time of a range, up to now, from the beginning of its first step on. */
export function timesOf({ context }: ProjectRequest, range: Range) {
  const { points, stepMs, span } = RANGES[range]
  const nowMs = context.now()
  const lastMs = Math.floor(nowMs / stepMs) * stepMs
  const sinceMs = lastMs - (points - 1) * stepMs
  const starts = Array.from({ length: points }, (_, index) => sinceMs + index * stepMs)
  return { span, sinceMs, untilMs: nowMs + 1, starts }
}

/** What a plot has a line for; `budget`: refused requests only, by what refused them. */
export function plotOf(request: ProjectRequest, range: Range, group: Group): Plot {
  return group === 'budget' ? refusalPlot(request, range) : requestPlot(request, range, group)
}

/** Requests over time, a line for each outcome, class or key. */
function requestPlot(request: ProjectRequest, range: Range, group: Exclude<Group, 'budget'>): Plot {
  const { context, project } = request
  const { span, sinceMs, untilMs, starts } = timesOf(request, range)
  const rows = context.usage.series({ projectId: project.id, span, by: group, sinceMs, untilMs })
  const sums = new Map<string, number>()
  for (const { group: name, requests } of rows) sums.set(name, (sums.get(name) ?? 0) + requests)
  const names = orderOf(group, sums).slice(0, MOST_LINES)
  const at = new Map(rows.map(({ startMs, group: name, requests }) => [`${startMs} ${name}`, requests]))
  const lines = names.map((name, index) => ({
    name: nameOf(request, group, name),
    tone: group === 'outcome' ? OUTCOME_TONES[name as keyof typeof OUTCOME_TONES] : `line-${index + 1}`,
    values: starts.map((startMs) => at.get(`${startMs} ${name}`) ?? 0),
  }))
  return { times: starts.map((ms) => ms / 1000), lines }
}

/** By class and key, as they are counted. */
export function refusals(request: ProjectRequest, range: Range): readonly RefusalRow[] {
  const { span, sinceMs, untilMs } = timesOf(request, range)
  return request.context.usage.refusals({ projectId: request.project.id, span, sinceMs, untilMs })
}

function refusalPlot(request: ProjectRequest, range: Range): Plot {
  const { budgets } = USAGE[request.language]
  const { starts } = timesOf(request, range)
  const at = Map.groupBy(refusals(request, range), ({ startMs }) => startMs)
  const line = (name: string, tone: string, count: (row: RefusalRow) => number) => {
    const values = starts.map((ms) => (at.get(ms) ?? []).reduce((sum, row) => sum + count(row), 0))
    return { name, tone, values }
  }
  return {
    times: starts.map((ms) => ms / 1000),
    lines: [
      line(budgets.class, 'line-1', ({ overClass }) => overClass),
      line(budgets.total, 'line-2', ({ overTotal }) => overTotal),
      line(budgets.other, 'line-3', otherwise),
    ],
  }
}

/** Refused by what is no budget. */
export function otherwise({
  refused,
  overClass,
  overTotal,
}: Omit<RefusalRow, 'startMs' | 'routeClass' | 'keyId'>): number {
  return refused - overClass - overTotal
}

/** Outcomes and classes always in the same order and colour; keys by how much they are used. */
function orderOf(group: Exclude<Group, 'budget'>, sums: ReadonlyMap<string, number>): readonly string[] {
  if (group === 'outcome') return OUTCOMES
  if (group === 'class') return KEY_CLASSES
  return [...sums].toSorted((a, b) => b[1] - a[1]).map(([name]) => name)
}

export function nameOf(
  { context, project, language }: ProjectRequest,
  group: Exclude<Group, 'budget'>,
  name: string,
): string {
  const w = USAGE[language]
  if (group === 'outcome') return w.outcomes[name as keyof typeof w.outcomes]
  if (group === 'class') return name
  const key = context.keys.list(project.id).find(({ id }) => id === name)
  return key ? (key.name ?? `svc.${key.prefix}…`) : w.goneKey
}

export function latencyPlot(request: ProjectRequest, range: Range): Plot {
  const { context, project, language } = request
  const w = USAGE[language]
  const { span, sinceMs, untilMs, starts } = timesOf(request, range)
  const rows = context.usage.summary({ projectId: project.id, by: span, sinceMs, untilMs })
  const at = new Map(rows.map((row) => [row.group, row]))
  return {
    times: starts.map((ms) => ms / 1000),
    lines: [
      { name: w.p50, tone: 'accent', values: starts.map((ms) => at.get(ms)?.p50Ms ?? 0) },
      { name: w.p95, tone: 'warn', values: starts.map((ms) => at.get(ms)?.p95Ms ?? 0) },
    ],
  }
}
