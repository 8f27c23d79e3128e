import { Fault } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { abortable } from '../../lib/deadline.ts'
import { late } from './fallback-search.ts'
import type { ListRequest, Source } from './source.ts'

/** The longest that one source holds up the others' answers. */
const PATIENCE_MS = 4000

interface ListSearch extends ListRequest {
  readonly signal: AbortSignal
  readonly log: Logger
}

/**
 * Asks all sources at once, and gives each a fair part of the answer, in their order. Those that fail or are slow are left
 * out.
 * @throws {Fault} the first failure, where none of them answered.
 */
export async function searchLists(sources: readonly Source[], { signal, log, ...request }: ListSearch) {
  const asked = sources.filter((source) => source.lists !== undefined)
  const ending = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
  const failures: unknown[] = []
  const answers = await Promise.all(
    asked.map(async (source) => {
      try {
        const found = (await abortable(source.lists?.(request, ending) ?? Promise.resolve([]), ending)) ?? []
        return found.map((list) => Object.assign({ source: source.name }, list))
      } catch (err) {
        log.warn({ source: source.name, err }, 'list search failed')
        failures.push(err instanceof Fault ? err : late(source, err))
        return null
      }
    }),
  )
  const found = answers.filter((answer) => answer !== null)
  if (found.length === 0 && failures.length > 0) throw failures[0]
  return inTurns(found).slice(0, request.limit)
}

/** The first of each, then the second of each: the best of every source is seen. */
function inTurns<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat()
}
