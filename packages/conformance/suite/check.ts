import type { Stage } from './stage.ts'

/**
 * `must`: the documentation says so. `should`: the documentation is silent, but Lavalink's own server does it and clients
 * rely on it. `plug-in`: the convention of a plug-in that the server says it has.
 */
type Level = 'must' | 'should' | 'plug-in'

/** One named promise of the protocol. */
export interface Check {
  /** `category.name`, for `--only` and reports; it never changes. */
  readonly id: string
  readonly level: Level
  /** One sentence that is true of a server that passes. */
  readonly title: string
  /** The paragraph that says so. */
  readonly link: string
  /** The time limit of a check that needs more than others. */
  readonly seconds?: number
  /** Only runs with `--slow`, since it waits for minutes. */
  readonly isSlow?: boolean
  /** Runs after all others, over what they saw. */
  readonly isLast?: boolean
  /** @throws {Unmet} for a deviation; {Skipped} if it cannot be checked. */
  readonly run: (stage: Stage) => Promise<void>
}

const declare =
  (level: Level) =>
  (id: string, link: string, check: Omit<Check, 'id' | 'level' | 'link'>): Check => ({ id, level, link, ...check })

export const must = declare('must')
export const should = declare('should')
export const plugIn = declare('plug-in')

export const categoryOf = ({ id }: Pick<Check, 'id'>): string => id.split('.', 1)[0] ?? id
