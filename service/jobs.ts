import type { EventBus } from '../bot/events.ts'
import type { Config } from '../config.ts'
import type { Repositories } from '../db/repositories.ts'
import { browserProgram } from '../jobs/browser/browser-profile.ts'
import { createJobSecrets } from '../jobs/screenshots/job-secrets.ts'
import { openJobs, type OpenJobs } from '../jobs/queue/job-service.ts'
import type { RedisAddress } from '../jobs/redis/redis.ts'
import { rendererSettings } from '../jobs/worker/renderer-settings.ts'
import { startRenderer, type Renderer } from '../jobs/worker/renderer-process.ts'
import type { JobRecord } from '../jobs/queue/job-record.ts'
import type { Logger } from '../lib/log.ts'
import type { TelemetryHooks } from '../lib/telemetry-hooks.ts'
import type { Egress } from '../upstream/egress/egress-guard.ts'

interface JobsOptions {
  readonly config: Config
  readonly log: Logger
  /** Null without Redis. */
  readonly address: RedisAddress | null
  readonly egress: Egress
  readonly stores: Pick<Repositories, 'jobSecrets'>
  /** Called for every job that ends. */
  readonly events: EventBus
  readonly observer: TelemetryHooks
}

/** Part of a stop's time: a renderer's current task may take this long to end. */
const GRACE_MS = 2500

/** The queue of screenshots and renders, and the renderer beside this process, unless the work is done elsewhere. */
export async function openRenders(
  { config, log, address, egress, stores, events, observer }: JobsOptions,
  opening: AsyncDisposableStack,
): Promise<OpenJobs & { readonly renderer: Renderer | null }> {
  let renderer: Renderer | null = null
  const onQueued = (jobId: string) => {
    observer.queued(jobId)
    renderer?.wake()
  }
  const { secretsKey } = config.jobs
  const keys = secretsKey === null ? stores.jobSecrets : ([Buffer.from(secretsKey, 'hex')] as const)
  const secrets = createJobSecrets(keys)
  const options = { address, settings: config.jobs, egress, secrets, log, now: Date.now, onQueued }
  const open = opening.adopt(await openJobs(options), (it) => it.close())
  open.onDone((job) => {
    tell(observer, job)
    const { projectId, id: jobId, type: jobType, status } = job
    if (status === 'completed' || status === 'failed') {
      events.emit({ projectId, event: { type: 'jobEnded', jobId, jobType, status } })
    }
  })
  if (!address || config.jobs.concurrency === 0) return { ...open, renderer }
  const secretKeys = keys.map((key) => key.toString('hex'))
  const settings = rendererSettings(config, address, {
    share: 0.5,
    graceMs: GRACE_MS,
    idleMs: config.jobs.rendererIdleMs,
    secretKeys,
  })
  const { surroundings } = config
  renderer = opening.adopt(startRenderer({ settings, surroundings, log }), (it) => it.close())
  const { concurrency } = settings
  open.standBy({ renderer, concurrency, hasBrowser: () => browserProgram(settings) !== null })
  return { ...open, renderer }
}

function tell(observer: TelemetryHooks, { error, finishedAtMs, ...job }: JobRecord): void {
  if (finishedAtMs !== null) observer.ended({ ...job, finishedAtMs, errorCode: error?.code ?? null })
}
