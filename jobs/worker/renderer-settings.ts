import { readMachine, sizesFor } from '../../lib/process/machine.ts'
import type { JobSettings } from './settings.ts'
import type { RedisAddress } from '../redis/redis.ts'
import type { EgressOptions } from '../../upstream/egress/egress-guard.ts'

/** Settings of a renderer; the service hands it to its own over a pipe, since it holds the keys of the store. */
type Chromium = 'chromiumPath' | 'chromiumSandbox' | 'chromiumIdleMs'

export interface RendererSettings extends Pick<
  JobSettings,
  'redisPrefix' | 'results' | 'adLists' | 'dataDir' | Chromium
> {
  readonly address: RedisAddress
  readonly egress: Pick<EgressOptions, 'allowHosts' | 'userAgent'>
  /** Hex, the newest first: what opens the headers that callers confide. */
  readonly secretKeys: readonly string[]
  /** The renderer exits after so long without a job, for a service that starts it again; null: never. */
  readonly idleMs: number | null
  /** PATH in which programs are searched. */
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

interface Share {
  readonly share: number
  readonly graceMs: number
  /** Defaults to never. */
  readonly idleMs?: number | null
  /** Defaults to the JOBS_KEY of the settings. */
  readonly secretKeys?: readonly string[]
}

/** `share` of the pages that this machine has room for, unless a number is set. */
export function rendererSettings(
  { jobs, egress, surroundings, log }: Sources,
  address: RedisAddress,
  { share, graceMs, idleMs = null, secretKeys = [] }: Share,
): RendererSettings {
  return {
    address,
    redisPrefix: jobs.redisPrefix,
    results: jobs.results,
    egress,
    secretKeys: jobs.secretsKey === null ? secretKeys : [jobs.secretsKey],
    adLists: jobs.adLists,
    dataDir: jobs.dataDir,
    chromiumPath: jobs.chromiumPath,
    chromiumSandbox: jobs.chromiumSandbox,
    chromiumIdleMs: jobs.chromiumIdleMs,
    idleMs,
    searchPath: surroundings['PATH'] ?? '',
    concurrency: jobs.concurrency ?? Math.max(1, Math.floor(sizesFor(readMachine()).pages * share)),
    logLevel: log.level,
    graceMs,
  }
}
