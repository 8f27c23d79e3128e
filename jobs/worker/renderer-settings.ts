import { availableParallelism } from 'node:os'
import type { JobSettings } from './settings.ts'
import type { RedisAddress } from '../redis/redis.ts'
import type { EgressOptions } from '../../upstream/egress/egress-guard.ts'
import type { ResultsSettings } from '../results/open-results.ts'

/** Settings of a renderer; the service hands it to its own over a pipe, since it holds the keys of the store. */
export interface RendererSettings {
  readonly address: RedisAddress
  readonly redisPrefix: string
  readonly results: ResultsSettings
  readonly egress: Pick<EgressOptions, 'allowHosts' | 'userAgent'>
  /** Where the browser is; null: wherever it is found; `none`: it is done without. */
  readonly chromiumPath: string | null
  /** Chromium's own sandbox; null: unless this is root. */
  readonly chromiumSandbox: boolean | null
  /** Where programs are looked for. */
  readonly searchPath: string
  readonly concurrency: number
  readonly logLevel: string
  /** Time that running jobs have to finish at shutdown. */
  readonly graceMs: number
}

interface Sources {
  readonly jobs: JobSettings
  readonly egress: RendererSettings['egress']
  readonly surroundings: Readonly<Record<string, string | undefined>>
  readonly log: { readonly level: string }
}

/** `share` of the cores unless a number is set. */
export function rendererSettings(
  { jobs, egress, surroundings, log }: Sources,
  address: RedisAddress,
  { share, graceMs }: { readonly share: number; readonly graceMs: number },
): RendererSettings {
  return {
    address,
    redisPrefix: jobs.redisPrefix,
    results: jobs.results,
    egress,
    chromiumPath: jobs.chromiumPath,
    chromiumSandbox: jobs.chromiumSandbox,
    searchPath: surroundings['PATH'] ?? '',
    concurrency: jobs.concurrency ?? Math.max(1, Math.floor(availableParallelism() * share)),
    logLevel: log.level,
    graceMs,
  }
}
