import { findProgram } from '../../lib/workers/find-program.ts'
import { SOURCE_FACTS, SOURCE_NAMES, type MusicSettings, type SourceKind, type SourceName } from './settings.ts'

/** `refused`: it does not serve us. `unreachable`: no answer in time. `changed`: an answer that cannot be read. */
export type SourceFailure = 'refused' | 'unreachable' | 'changed'

/**
 * Whether a source can be asked. `needs_yt_dlp`: it finds songs, but opens few of them until that program is installed.
 * `needs_setting`: it is off, and cannot be switched on yet. A source that fails is passed over by searches in several of
 * them.
 */
export type SourceState = 'ready' | 'needs_yt_dlp' | SourceFailure | 'needs_setting' | 'off'

export type SourceOutcome = 'answered' | SourceFailure

/** Number of times that a source had an outcome since the start. */
export interface OutcomeCount {
  readonly name: string
  readonly outcome: SourceOutcome
  readonly count: number
}

/** One of several ways to the audio of a source. */
export interface WayStatus {
  readonly name: string
  /** `playing`: the last track came by it. `resting`: it failed several times in a row. `missing`: a program. */
  readonly state: 'playing' | 'ready' | 'resting' | 'needs_setting' | 'missing'
  /** Why its last attempt failed; null if it did not. */
  readonly failure: SourceFailure | null
}

/** Requests that a site may still get from this service. */
export interface BudgetStatus {
  readonly perMinute: number
  readonly left: number
  /** How long the site is left alone after a refusal; 0 if it is not. */
  readonly pausedMs: number
}

export interface SourceStatus {
  readonly name: SourceName
  readonly kind: SourceKind
  /** Name of the product: `YouTube`. */
  readonly title: string
  readonly state: SourceState
  /** Whether searches pass it over. */
  readonly isFailing: boolean
  /** Variables that must be set before it can be switched on. */
  readonly unset: readonly string[]
  /** Ways to its audio, in the order in which they are tried now; none if it has only one. */
  readonly ways?: readonly WayStatus[]
  /** Null for sources that are no site. */
  readonly budget?: BudgetStatus | null
  /** What turns it on and off: a switch, while the service runs; the first bot of Discord; or settings and a restart. */
  readonly control?: 'switch' | 'bot' | 'settings'
}

interface SourceStateOptions {
  /** Enabled sources in search order. */
  readonly names: readonly SourceName[]
  readonly youTube: Pick<MusicSettings['youTube'], 'clients' | 'command' | 'searchPath'>
  /** Missing variables by source; none if left out. */
  readonly unset?: MusicSettings['unset']
  /** Returns why a source is failing; null while it answers. */
  readonly failureOf?: (name: SourceName) => SourceFailure | null
  /** What a source that is on says of itself. */
  readonly factsOf?: (name: SourceName) => Pick<SourceStatus, 'ways' | 'budget'>
  readonly controlOf?: (name: SourceName) => NonNullable<SourceStatus['control']>
}

/** Every source that there is: those that are on in their order, then the others. Asks nothing outside this machine. */
export function listSourceStates(options: SourceStateOptions): readonly SourceStatus[] {
  const { names, youTube, unset = {}, failureOf, factsOf, controlOf } = options
  const { clients, command, searchPath } = youTube
  const isYtDlpMissing = clients.includes('yt-dlp') && findProgram(command, searchPath) === null
  const stateOf = (name: SourceName): SourceState => {
    if (!names.includes(name)) return unset[name]?.length ? 'needs_setting' : 'off'
    // Without it YouTube refuses most videos: what to do about that says more than that it fails.
    if (name === 'youtube' && isYtDlpMissing) return 'needs_yt_dlp'
    return failureOf?.(name) ?? 'ready'
  }
  const isFailing = (name: SourceName) => names.includes(name) && (failureOf?.(name) ?? null) !== null
  const all = [...names, ...SOURCE_NAMES.filter((name) => !names.includes(name))]
  return all.map((name) => {
    const { kind, title } = SOURCE_FACTS[name]
    const status = { name, kind, title, state: stateOf(name), isFailing: isFailing(name), unset: unset[name] ?? [] }
    const { ways, ...facts } = (names.includes(name) && factsOf?.(name)) || {}
    const shown = ways && (isYtDlpMissing ? withoutYtDlp(ways) : ways)
    return Object.assign(status, facts, shown && { ways: shown }, controlOf && { control: controlOf(name) })
  })
}

function withoutYtDlp(ways: readonly WayStatus[]): readonly WayStatus[] {
  return ways.map(({ name, state, failure }) => ({ name, state: name === 'yt-dlp' ? 'missing' : state, failure }))
}

/** Texts for operators. */
export const SOURCE_STATE_WORDS: Readonly<Record<SourceState, string>> = {
  ready: 'ready',
  needs_yt_dlp: 'needs yt-dlp',
  refused: 'blocks this service',
  unreachable: 'unreachable',
  changed: 'returns unreadable responses',
  needs_setting: 'needs a setting',
  off: 'off',
}
