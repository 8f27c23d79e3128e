import type { UsagePart, TimedTotal, Total } from '../../../../db/projects/usage-totals.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { namesOf, type Names } from './names.ts'
import { stepsOf, type Range, type Steps } from './ranges.ts'

/** Usage of a project in a range, up to one moment. Data that several parts of a page show is read once. */
export class RangeUsage {
  readonly request: ProjectRequest
  readonly range: Range
  readonly steps: Steps
  readonly #sums = new Map<UsagePart, Promise<readonly Total[]>>()
  #timeline: Promise<ReadonlyMap<number, TimedTotal>> | null = null
  #names: Promise<Names> | null = null

  constructor(request: ProjectRequest, range: Range) {
    this.request = request
    this.range = range
    this.steps = stepsOf(request, range)
  }

  /** Sums over the whole range, the most requested first. */
  sums(part: UsagePart): Promise<readonly Total[]> {
    const known = this.#sums.get(part) ?? this.request.context.usage.totals.sums({ ...this.steps, part })
    this.#sums.set(part, known)
    return known
  }

  /** Totals of the whole project, by the start of each step that has requests. */
  timeline(): Promise<ReadonlyMap<number, TimedTotal>> {
    this.#timeline ??= this.request.context.usage.totals
      .timeline({ ...this.steps, part: 'all' })
      .then((totals) => new Map(totals.map((total) => [total.startMs, total])))
    return this.#timeline
  }

  names(): Promise<Names> {
    return (this.#names ??= namesOf(this.request))
  }
}
