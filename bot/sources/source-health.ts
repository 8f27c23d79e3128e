import { abortable } from '../../lib/deadline.ts'
import { Fault } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { UpstreamFailure, type FailureKind } from '../../upstream/http/failure.ts'
import type { Clock } from '../player/timers.ts'
import { OWN_SOURCES, SOURCE_FACTS, type SourceKind, type SourceName } from './settings.ts'
import type { OutcomeCount, SourceFailure, SourceOutcome, WayStatus } from './source-state.ts'
import type { Source } from './source.ts'

/** A source may find songs and open none of them. */
export type SourceTask = 'find' | 'open'

export interface SourceChange {
  readonly name: SourceName
  /** Null: it answers again. */
  readonly failure: SourceFailure | null
  /** Milliseconds since 1970. */
  readonly sinceMs: number
}

/** Learns which sources answer, from the outcome of each call. */
export type SourceHealth = ReturnType<typeof createSourceHealth>

interface SourceHealthOptions {
  readonly clock: Pick<Clock, 'nowMs' | 'dateMs'>
  readonly log: Logger
}

/** After this many in a row a source fails; one answer of the same task ends that. */
const FAILURES_MAX = 3
/** Less time than this says nothing of a source that was given no more. */
const FAIR_MS = 2500

/** Sources whose tracks are at hosts that others name, or belong to other sources. */
const OPENED_ELSEWHERE: ReadonlySet<SourceKind> = new Set(['stations', 'podcasts', 'links'])

/** Feeds are at hosts that others name. */
const RESOLVED_ELSEWHERE: ReadonlySet<SourceKind> = new Set(['podcasts'])

interface TaskRecord {
  inARow: number
  /** Failure of the last call; null if it was answered. */
  last: SourceFailure | null
  failure: SourceFailure | null
}

interface SourceRecord extends Readonly<Record<SourceTask, TaskRecord>> {
  failure: SourceFailure | null
  readonly counts: Map<SourceOutcome, number>
}

function freshRecord(): SourceRecord {
  const fresh = { inARow: 0, last: null, failure: null }
  return { find: { ...fresh }, open: { ...fresh }, failure: null, counts: new Map() }
}

function recordIn(records: Map<string, SourceRecord>, name: string): SourceRecord {
  const record = records.get(name) ?? freshRecord()
  records.set(name, record)
  return record
}

/** @returns the state of the source where that has changed. */
function learn(record: SourceRecord, task: SourceTask, outcome: SourceOutcome, weight: number) {
  const one = record[task]
  one.inARow = outcome === 'answered' ? 0 : one.inARow + weight
  one.last = outcome === 'answered' ? null : outcome
  one.failure = one.inARow < FAILURES_MAX ? null : one.last
  const failure = record.find.failure ?? record.open.failure
  if (failure === record.failure) return undefined
  record.failure = failure
  return failure
}

export function createSourceHealth({ clock, log }: SourceHealthOptions) {
  const records = new Map<string, SourceRecord>()
  const listeners = new Set<(change: SourceChange) => void>()
  const ways = createWayNotices()
  const recordOf = (name: string) => recordIn(records, name)

  function settle(name: SourceName, task: SourceTask, outcome: SourceOutcome, weight: number): void {
    const failure = learn(recordOf(name), task, outcome, weight)
    if (failure === undefined) return
    if (failure === null) log.info({ source: name }, 'source recovered')
    else log.warn({ source: name, task, failure }, 'source failing')
    for (const notify of listeners) notify({ name, failure, sinceMs: clock.dateMs() })
  }

  async function run<T>(name: SourceName, task: SourceTask, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const startedAtMs = clock.nowMs()
    const count = (outcome: SourceOutcome) => {
      const { counts } = recordOf(name)
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      settle(name, task, outcome, 1)
    }
    try {
      const answer = await abortable(work(), signal)
      count('answered')
      return answer
    } catch (error) {
      const hadTime = !signal.aborted || clock.nowMs() - startedAtMs >= FAIR_MS
      const outcome = hadTime ? outcomeOf(error) : null
      const { last } = recordOf(name)[task]
      if (outcome) count(outcome)
      // The client backs off, as the service wants it to: for a search, that is the previous failure again.
      else if (isHeldBack(error) && last) settle(name, task, last, 1)
      throw error
    }
  }

  return {
    /** The same source, of which every outcome counts. */
    watch: (source: Source): Source =>
      OWN_SOURCES.has(source.name) ? source : watched(source, ways.noticing(source, run)),
    /** Receives the ways to a source's audio after each call. */
    subscribeWays: ways.subscribe,
    /** Null while it answers, or has not been asked. */
    failureOf: (name: string): SourceFailure | null => records.get(name)?.failure ?? null,
    /** Whether the last search did not come to an answer. */
    isDoubtful: (name: string): boolean => (records.get(name)?.find.inARow ?? 0) > 0,
    /** Takes the word of a canary, which asks for what is known to be there: one is enough. */
    judge: (name: SourceName, task: SourceTask, outcome: SourceOutcome): void =>
      settle(name, task, outcome, FAILURES_MAX),
    /** Number of outcomes of each kind and source since the start. */
    counts: () => countsIn(records),
    /** @returns a function that ends the subscription. */
    subscribe(listener: (change: SourceChange) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

type Run = <T>(name: SourceName, task: SourceTask, signal: AbortSignal, work: () => Promise<T>) => Promise<T>

type WayListener = (name: SourceName, ways: readonly WayStatus[]) => void

function createWayNotices() {
  const listeners = new Set<WayListener>()
  return {
    subscribe: (listener: WayListener): void => void listeners.add(listener),
    /** The same, after which listeners learn of the ways to the source's audio. */
    noticing: (source: Source, run: Run): Run => {
      if (!source.ways) return run
      const notify = () => {
        for (const listener of listeners) listener(source.name, source.ways?.() ?? [])
      }
      return (...of) => run(...of).finally(notify)
    },
  }
}

function watched(source: Source, run: Run): Source {
  const { name } = source
  const { kind } = SOURCE_FACTS[name]
  return {
    ...source,
    ...(!RESOLVED_ELSEWHERE.has(kind) && {
      resolve: (url, signal) => run(name, 'find', signal, () => source.resolve(url, signal)),
    }),
    search: (text, limit, signal) => run(name, 'find', signal, () => source.search(text, limit, signal)),
    ...(source.songs && {
      songs: (text, limit, signal) =>
        run(name, 'find', signal, async () => (await source.songs?.(text, limit, signal)) ?? []),
    }),
    ...(!OPENED_ELSEWHERE.has(kind) && {
      open: (track, signal, isFresh) => run(name, 'open', signal, () => source.open(track, signal, isFresh)),
    }),
  }
}

function countsIn(records: ReadonlyMap<string, SourceRecord>): readonly OutcomeCount[] {
  return [...records].flatMap(([name, { counts }]) => [...counts].map(([outcome, count]) => ({ name, outcome, count })))
}

/** Null for what says nothing of the service: it was not called. */
const OUTCOMES: Readonly<Record<FailureKind, SourceOutcome | null>> = {
  refused: 'refused',
  rejected: 'refused',
  unreachable: 'unreachable',
  timed_out: 'unreachable',
  broken: 'unreachable',
  redirected: 'changed',
  too_large: 'changed',
  malformed: 'changed',
  held_back: null,
  crowded: null,
}

/**
 * The outcome that an error shows for the source that threw it; null if it shows none. A source that does not have or
 * does not play something has answered.
 */
export function outcomeOf(error: unknown): SourceOutcome | null {
  if (Array.isArray(error)) return error.map(outcomeOf).find((outcome) => outcome !== null) ?? null
  if (error instanceof UpstreamFailure) return OUTCOMES[error.facts.kind]
  if (error instanceof Fault) return outcomeOfFault(error)
  if (!(error instanceof Error) || error.name === 'AbortError') return null
  return error.name === 'TimeoutError' ? 'unreachable' : 'changed'
}

function isHeldBack(error: unknown): boolean {
  const cause = error instanceof Fault ? error.cause : error
  return cause instanceof UpstreamFailure && cause.facts.kind === 'held_back'
}

function outcomeOfFault({ code, reason, cause }: Fault): SourceOutcome | null {
  if (code === 'validation_error') return 'answered'
  // A program that is missing here says nothing of the place that it would ask.
  if (reason === 'not_configured') return null
  if (cause instanceof UpstreamFailure) return outcomeOf(cause)
  if (reason === 'source_refused') return 'refused'
  if (reason === 'no_answer') return cause instanceof Fault || Array.isArray(cause) ? outcomeOf(cause) : 'changed'
  return 'unreachable'
}
