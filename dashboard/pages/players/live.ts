import { createHash } from 'node:crypto'
import { html } from '../../../api/docs/html.ts'
import { Fault } from '../../../lib/errors.ts'
import type { Outcome } from '../../http/route.ts'
import { isStillWelcome, type ProjectVisit } from '../../http/page-request.ts'
import { playerCard } from './card.ts'
import { playersOf } from './search.ts'

/** Changes that nobody tells of (a pause, a volume) are seen within this time. */
const LOOK_EVERY_MS = 1000

/** What moves by itself: a page counts it on, as long as nothing jumps. */
const MOVES = [/value="\d+"\s+data-position="\d+"/g, /<span data-clock>[^<]*<\/span>/g]

/** The markup of all players, now and after every change, as server-sent events. It ends with the session. */
export function openLive(visit: ProjectVisit): Outcome {
  const { desk, project } = visit
  const stream = desk.streams.open(visit.account.id)
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
      if (!isStillWelcome(visit)) return stream?.end()
      const { markup } = html`${(await playersOf(visit)).map((place) => playerCard(visit, place))}`
      const still = MOVES.reduce((left, moving) => left.replaceAll(moving, ''), markup)
      const digest = createHash('sha1').update(still).digest('base64')
      if (digest !== seen) stream?.send(markup)
      seen = digest
    } catch (err) {
      desk.log.warn({ err, projectId: project.id }, 'live page failed')
      stream?.end()
    } finally {
      isLooking = false
    }
  }

  const timer = setInterval(() => void look(), LOOK_EVERY_MS)
  const unsubscribe = desk.events.subscribe(({ projectId }) => {
    if (projectId === project.id) setImmediate(() => void look())
  })
  stream.onEnd(() => {
    clearInterval(timer)
    unsubscribe()
  })
  void look()
  return { kind: 'file', contentType: 'text/event-stream', body: stream.readable }
}
