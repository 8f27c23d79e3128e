import { PLANS } from '../../../../lib/plans.ts'
import { openLivePage } from '../../http/live-page.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import type { Outcome } from '../../http/route.ts'
import { cardId, cardParts, sessionCard } from './session-card.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const LAVALINK = textsOf('dashboard-lavalink')

/** The interval of updates, positions included. */
const POLL_MS = 2000
const GATHER_MS = 50

type Parts = Readonly<Record<string, string>>

/** The parts of all sessions' cards that have changed, as server-sent events. It ends with the session of the reader. */
export function openLive(request: ProjectRequest): Outcome {
  let known: ReadonlyMap<string, Parts> | null = null
  return openLivePage(request, {
    pollMs: POLL_MS,
    gatherMs: GATHER_MS,
    async update(stream) {
      const [message, now] = await differences(request, known)
      if (message) stream.send(message)
      known = now
    },
  })
}

/** A card that is new comes whole, of others what looks different. */
async function differences(request: ProjectRequest, known: ReadonlyMap<string, Parts> | null) {
  const now = new Map<string, Parts>()
  const cards: object[] = []
  for (const session of request.context.lavalink?.list(request.project.id) ?? []) {
    const id = cardId(session)
    const before = known?.get(id)
    const parts = await cardParts(request, session)
    const changed = Object.entries(parts).filter(([name, markup]) => before?.[name as keyof typeof parts] !== markup)
    now.set(id, parts)
    if (!before) cards.push({ id, html: (await sessionCard(request, session)).markup })
    else if (changed.length > 0) cards.push({ id, parts: Object.fromEntries(changed) })
  }
  const gone = [...(known?.keys() ?? [])].filter((id) => !now.has(id))
  const isSame = known !== null && cards.length === 0 && gone.length === 0
  // The first message says which cards there are: others have gone since the page was made.
  const message = { cards, gone, lead: leadOf(request), ...(known === null && { all: [...now.keys()] }) }
  return [isSame ? null : message, now] as const
}

/** The number of sessions and players, and the limit of the plan. */
export function leadOf({ context, project, language }: ProjectRequest): string {
  const sessions = context.lavalink?.list(project.id) ?? []
  const players = sessions.reduce((sum, session) => sum + session.players.length, 0)
  const w = LAVALINK[language]
  const count = w.sessionCount({ count: sessions.length })
  return w.lead({ sessions: count, players, ceiling: PLANS[project.plan].players })
}
