import { openLivePage } from '../../http/live-page.ts'
import type { Outcome } from '../../http/route.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { cardParts, playerCard } from './card.ts'
import { positionSince, type PositionSent } from './player/position.ts'
import { leadOf, playersOf, type ShownPlayer } from './search.ts'

/** Changes without a notification (the title of a radio, a bot that leaves) show within this time. */
const POLL_MS = 5000
/** Changes come in several pieces, which are gathered for this time. */
const GATHER_MS = 50

const START: PositionSent = { positionMs: 0, atMs: 0, rate: 0 }

/** The state of a card in the page. */
interface Known {
  readonly parts: Readonly<Record<string, string>>
  readonly position: PositionSent
}

/** The parts of all players' cards that have changed, as server-sent events. It ends with the session. */
export async function openLive(request: ProjectRequest): Promise<Outcome> {
  const { context, project } = request
  let known: ReadonlyMap<string, Known> | null = null
  const bots = new Set((await context.bots.list(project.id)).map(({ id }) => id))
  return openLivePage(request, {
    pollMs: POLL_MS,
    gatherMs: GATHER_MS,
    watch: (onChange) => [
      context.onPlayerChanged(({ botId }) => bots.has(botId) && onChange()),
      context.events.subscribe(({ projectId }) => projectId === project.id && onChange()),
    ],
    async update(stream) {
      const [message, now] = differences(request, await playersOf(request), known)
      if (message) stream.send(message)
      known = now
    },
  })
}

function idOf({ bot, guildId }: ShownPlayer): string {
  return `player-${bot.id}-${guildId}`
}

/** A card that is new comes whole, of others what looks different. */
function differences(
  request: ProjectRequest,
  places: readonly ShownPlayer[],
  known: ReadonlyMap<string, Known> | null,
) {
  const { context } = request
  const now = new Map<string, Known>()
  const cards: object[] = []
  for (const place of places) {
    const id = idOf(place)
    const before = known?.get(id)
    const parts = cardParts(request, place)
    const changed = Object.entries(parts).filter(([name, markup]) => before?.parts[name] !== markup)
    const isOther = changed.some(([name]) => name === 'now')
    const position = positionSince(place.info, context.now(), isOther ? null : (before?.position ?? null))
    now.set(id, { parts, position: position ?? before?.position ?? START })
    if (!before) cards.push({ id, html: playerCard(request, place).markup })
    else if (changed.length > 0 || position) cards.push({ id, parts: Object.fromEntries(changed), ...toSent(position) })
  }
  const gone = [...(known?.keys() ?? [])].filter((id) => !now.has(id))
  const isSame = known !== null && cards.length === 0 && gone.length === 0
  const lead = leadOf(request, places)
  // The first message says which cards there are: others have gone since the page was made.
  const message = { cards, gone, lead, ...(known === null && { all: [...now.keys()] }) }
  return [isSame ? null : message, now] as const
}

function toSent(position: PositionSent | null) {
  return position && { position: { ms: position.positionMs, rate: position.rate } }
}
