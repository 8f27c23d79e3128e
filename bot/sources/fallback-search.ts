import { Fault } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { TrackInfo } from '../tracks/track.ts'
import { abortable } from '../../lib/abortable.ts'
import type { FoundTrack, Source } from './source.ts'

export interface FallbackSearch {
  readonly limit: number
  readonly signal: AbortSignal
  readonly log: Logger
}

/** A source that has not answered by then is passed over, so that one that hangs does not hold up the others. */
const PATIENCE_MS = 3000
/** All of them together, so that somebody who waits hears something. */
const ALL_MS = 15_000

/**
 * Asks the sources in their order, each for what the ones before it left to be found.
 * @throws {Fault} when nothing was found and at least one of them could not be asked.
 */
export async function searchInOrder(
  sources: readonly Source[],
  text: string,
  { limit, signal, log }: FallbackSearch,
): Promise<readonly FoundTrack[]> {
  const found: FoundTrack[] = []
  const ending = AbortSignal.any([signal, AbortSignal.timeout(ALL_MS)])
  let failure: unknown = null
  for (const source of sources) {
    if (found.length >= limit || ending.aborted) break
    const isOnly = sources.length === 1
    try {
      const patience = isOnly
        ? ending
        : AbortSignal.any([ending, AbortSignal.timeout(source.patienceMs ?? PATIENCE_MS)])
      const tracks = await abortable(source.search(text, limit - found.length, patience), patience)
      found.push(...tracks.slice(0, limit - found.length).map((track) => foundBy(source, track)))
    } catch (error) {
      failure = error
      // Only ours are told apart from bugs: whatever went wrong, the others can still be asked.
      log.warn({ source: source.name, err: error }, 'source passed over in a search')
    }
  }
  if (found.length > 0 || failure === null) return found
  if (failure instanceof Fault) throw failure
  throw new Fault('service_unavailable', 'The source did not answer in time. Try again.', { cause: failure })
}

export function foundBy(source: Source, track: TrackInfo): FoundTrack {
  return { ...track, source: source.name }
}
