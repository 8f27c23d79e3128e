import { Fault } from '../../../lib/errors.ts'
import type { LiveStream } from '../../http/event-streams.ts'
import { isStillWelcome, type ProjectRequest } from './page-request.ts'
import type { Outcome } from './route.ts'

interface LiveUpdates {
  /** Reads the current state and sends what differs. Never runs twice at a time. */
  readonly update: (stream: LiveStream) => Promise<void>
  /** The interval in milliseconds at which `update` runs when nothing reports a change. */
  readonly pollMs: number
  /** Changes that come together are gathered for this long before `update` runs, in milliseconds. */
  readonly gatherMs: number
  /** Subscribes to changes. Returns what ends each subscription. */
  readonly watch?: (onChange: () => void) => readonly (() => void)[]
  /** Runs when an update has failed, before the stream ends. Defaults to a warning in the log. */
  readonly onError?: (err: unknown, stream: LiveStream) => void
}

/**
 * Answers with server-sent events until the reader leaves or the session ends.
 * @throws {Fault} `service_unavailable` when too many live pages are open.
 */
export function openLivePage(request: ProjectRequest, { update, pollMs, gatherMs, ...rest }: LiveUpdates): Outcome {
  const { context, project } = request
  const { watch = () => [], onError = logFailure } = rest
  const stream = openStream(request)
  let isUpdating = false
  let timer: NodeJS.Timeout | null = null

  function logFailure(err: unknown): void {
    context.log.warn({ err, projectId: project.id }, 'live page update failed')
  }
  async function run(): Promise<void> {
    if (isUpdating) return schedule()
    isUpdating = true
    try {
      if (!(await isStillWelcome(request))) return stream.end()
      await update(stream)
    } catch (err) {
      onError(err, stream)
      stream.end()
    } finally {
      isUpdating = false
    }
  }
  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = null
      void run()
    }, gatherMs)
  }

  const poll = setInterval(schedule, pollMs)
  const subscriptions = watch(schedule)
  stream.onEnd(() => {
    clearInterval(poll)
    clearTimeout(timer ?? undefined)
    for (const end of subscriptions) end()
  })
  schedule()
  return { kind: 'file', contentType: 'text/event-stream', body: stream.readable }
}

interface AccessWatch {
  readonly everyMs: number
  /** A further condition of access. */
  readonly isAllowed?: () => Promise<boolean>
  /** Called once the reader may no longer see it, or when that cannot be read. */
  readonly end: () => void
}

/** Checks again and again whether the reader of an open answer may still see it. @returns what stops that. */
export function watchAccess(request: ProjectRequest, { everyMs, isAllowed, end }: AccessWatch): () => void {
  const { context, project } = request
  async function check(): Promise<void> {
    try {
      if ((isAllowed && !(await isAllowed())) || !(await isStillWelcome(request))) end()
    } catch (err) {
      context.log.warn({ err, projectId: project.id }, 'live page check failed')
      end()
    }
  }
  const timer = setInterval(() => void check(), everyMs)
  return () => clearInterval(timer)
}

/** @throws {Fault} `service_unavailable` when too many live pages are open. */
export function openStream({ context, account }: ProjectRequest): LiveStream {
  const stream = context.streams.open(account.id)
  if (stream) return stream
  throw tooManyPages()
}

export function tooManyPages(): Fault {
  const message = 'Too many live pages are open. Close some tabs, then reload the page.'
  return new Fault('service_unavailable', message, { retryAfterMs: 30_000 })
}
