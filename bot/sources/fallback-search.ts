import { Fault } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { TrackInfo } from '../tracks/track.ts'
import { abortable, settleWithin } from '../../lib/deadline.ts'
import type { SourceHealth } from './source-health.ts'
import type { FoundTrack, Source } from './source.ts'

interface FallbackSearch {
  readonly limit: number
  readonly signal: AbortSignal
  readonly log: Logger
  readonly health?: Pick<SourceHealth, 'failureOf' | 'isDoubtful'>
}

/** A source that is silent for this long does not hold up the next one any more. */
const PATIENCE_MS = 3000
/** All of them together, since the member is waiting for music. */
const ALL_MS = 15_000

/**
 * Asks the sources in their order, each for what the ones before it left to be found. Those that fail are asked where
 * the others found nothing.
 * @throws {Fault} when nothing was found and at least one of them could not be asked.
 */
export async function searchInOrder(
  sources: readonly Source[],
  text: string,
  { limit, signal, log, health }: FallbackSearch,
): Promise<readonly FoundTrack[]> {
  const found = new Map<Source, readonly FoundTrack[]>()
  const all = () => sources.flatMap((source) => found.get(source) ?? [])
  const ending = AbortSignal.any([signal, AbortSignal.timeout(ALL_MS)])
  const failures: Fault[] = []

  async function ask(source: Source, patienceMs: number): Promise<void> {
    const isOnly = sources.length === 1
    try {
      const patience = isOnly ? ending : AbortSignal.any([ending, AbortSignal.timeout(patienceMs)])
      const tracks = await abortable(source.search(text, limit - all().length, patience), patience)
      found.set(
        source,
        tracks.map((track) => foundBy(source, track)),
      )
    } catch (error) {
      failures.push(error instanceof Fault ? error : late(source, error))
      // Only `Fault`s are expected failures; on any error, the other sources can still be searched.
      log.warn({ source: source.name, err: error }, 'search source failed')
    }
  }
  const isFailing = ({ name }: Source) => health !== undefined && health.failureOf(name) !== null
  const isEnough = () => all().length >= limit || ending.aborted
  const [failing, answering] = [sources.filter(isFailing), sources.filter((source) => !isFailing(source))]
  const wary = (source: Source) => (health?.isDoubtful(source.name) ? PATIENCE_MS : usualPatience(source))
  await askInTurn(answering, (source) => ask(source, wary(source)), isEnough)
  if (all().length === 0) await askInTurn(failing, (source) => ask(source, usualPatience(source)), isEnough)

  const tracks = all().slice(0, limit)
  const [failure, ...others] = failures
  if (tracks.length > 0 || !failure) return tracks
  throw others.length === 0 ? failure : together(failures)
}

function usualPatience({ patienceMs = PATIENCE_MS }: Source): number {
  return patienceMs
}

/** The refusal of a source that was not done when its time was over. */
export function late({ name }: Pick<Source, 'name'>, cause: unknown): Fault {
  const message = `The source ${name} didn't respond in time. Try again.`
  return new Fault('service_unavailable', message, { reason: 'unreachable', source: name, cause })
}

/** Combines several failures into one fault that blames no single source. */
function together(failures: readonly Fault[]): Fault {
  const isRefused = failures.every(({ reason }) => reason === 'source_refused')
  const said = failures.map(({ message }) => message).join(' ')
  const message = `No results, and some sources failed. ${said}`
  return new Fault('service_unavailable', message, {
    reason: isRefused ? 'source_refused' : 'unreachable',
    cause: failures,
  })
}

/**
 * Asks one after the other until that is enough. The next one is asked as soon as one has been silent for three seconds,
 * which may still answer meanwhile. Ends when it is enough, or all have settled. `ask` does not reject.
 */
export async function askInTurn<T>(all: readonly T[], ask: (one: T) => Promise<void>, isEnough: () => boolean) {
  const enough = Promise.withResolvers<void>()
  const answers: Promise<void>[] = []
  for (const one of all) {
    if (isEnough()) return
    const answer = ask(one).then(() => (isEnough() ? enough.resolve() : undefined))
    answers.push(answer)
    await settleWithin(PATIENCE_MS, Promise.race([answer, enough.promise]))
  }
  await Promise.race([Promise.all(answers), enough.promise])
}

export function foundBy(source: Source, track: TrackInfo): FoundTrack {
  return { ...track, source: source.name }
}
