import { createHash } from 'node:crypto'
import { html } from '../../../api/docs/html.ts'
import { Fault } from '../../../lib/errors.ts'
import type { Outcome } from '../../http/route.ts'
import { isStillWelcome, type ProjectRequest } from '../../http/page-request.ts'
import { playerCard } from './card.ts'
import { playersOf } from './search.ts'

/** Changes without an event (a pause, a volume) appear within this time. */
const LOOK_EVERY_MS = 1000

/** Positions advance in the page without updates, until one jumps. */
const MOVES = [/value="\d+"\s+data-position="\d+"/g, /<span data-clock>[^<]*<\/span>/g]

/** The markup of all players, now and after every change, as server-sent events. It ends with the session. */
export function openLive(request: ProjectRequest): Outcome {
  const { context, project } = request
  const stream = context.streams.open(request.account.id)
  if (!stream)
    throw new Fault('service_unavailable', 'Too many live pages are open. Close some tabs and load the page again.', {
      retryAfterMs: 30_000,
    })
  let seen = ''
  let isLooking = false

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      if (!isStillWelcome(request)) return stream?.end()
      const { markup } = html`${(await playersOf(request)).map((place) => playerCard(request, place))}`
      const still = MOVES.reduce((left, moving) => left.replaceAll(moving, ''), markup)
      const digest = createHash('sha1').update(still).digest('base64')
      if (digest !== seen) stream?.send(markup)
      seen = digest
    } catch (err) {
      context.log.warn({ err, projectId: project.id }, 'live page update failed')
      stream?.end()
    } finally {
      isLooking = false
    }
  }

  const timer = setInterval(() => void look(), LOOK_EVERY_MS)
  const unsubscribe = context.events.subscribe(({ projectId }) => {
    if (projectId === project.id) setImmediate(() => void look())
  })
  stream.onEnd(() => {
    clearInterval(timer)
    unsubscribe()
  })
  void look()
  return { kind: 'file', contentType: 'text/event-stream', body: stream.readable }
}
