import { SPAN_MS, type Span } from '../../../../db/projects/usage-counts.ts'
import type { ProjectRequest } from '../../http/page-request.ts'

export const RANGES = {
  hour: { span: 'minute', points: 60 },
  day: { span: 'hour', points: 24 },
  week: { span: 'hour', points: 168 },
  month: { span: 'day', points: 30 },
  year: { span: 'day', points: 365 },
} as const satisfies Record<string, { readonly span: Span; readonly points: number }>

export type Range = keyof typeof RANGES
export const GROUPS = ['status', 'route', 'key', 'class', 'limit'] as const
export type UsageGroup = (typeof GROUPS)[number]

export function chosenOf({ query }: ProjectRequest) {
  const range = (Object.keys(RANGES) as Range[]).find((it) => it === query.get('range')) ?? 'day'
  const group = GROUPS.find((it) => it === query.get('by')) ?? 'status'
  return { range, group }
}

/** The steps of a range, up to now, and the query of its counts. */
export type Steps = ReturnType<typeof stepsOf>

export function stepsOf({ context, project }: ProjectRequest, range: Range) {
  const { points, span } = RANGES[range]
  const stepMs = SPAN_MS[span]
  const nowMs = context.now()
  const sinceMs = Math.floor(nowMs / stepMs) * stepMs - (points - 1) * stepMs
  const starts = Array.from({ length: points }, (_, index) => sinceMs + index * stepMs)
  return { projectId: project.id, span, stepMs, sinceMs, untilMs: nowMs + 1, starts }
}
