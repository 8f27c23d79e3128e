import type { QueueItems } from '../../../../../bot/player/queue/queue-items.ts'
import { Fault } from '../../../../../lib/errors.ts'
import { openLivePage } from '../../../http/live-page.ts'
import type { ProjectRequest } from '../../../http/page-request.ts'
import type { Outcome } from '../../../http/route.ts'
import { placeAt, playerScopeOf, type ShownPlayer } from '../search.ts'
import { chaptersPart, nextPart, nowPart, stateOf } from './now.ts'
import { positionSince, type PositionSent } from './position.ts'
import { summaryOf } from './queue.ts'
import { changeBetween } from './queue-changes.ts'
import { queueRow } from './queue-rows.ts'
import { sleepTimes } from './settings.ts'

/** Changes without a notification (the title of a radio, a member's name) show within this time. */
const POLL_MS = 1000
/** A change of one operation comes in several pieces, which are gathered for this time. */
const GATHER_MS = 25
/** A change that leaves fewer rows than this in place is a new queue: the page asks for the rows that it shows. */
const MOST_CHANGED = 200

const START: PositionSent = { positionMs: 0, atMs: 0, rate: 0 }

/** The state that the page has. */
interface Sent {
  readonly parts: Readonly<Record<string, string>>
  readonly state: Readonly<Record<string, string>>
  readonly ids: readonly number[]
  readonly version: number
  readonly position: PositionSent
}

/** Changes of one player since the last update of the page, as server-sent events. Ends with the session. */
export async function openPlayerLive(request: ProjectRequest): Promise<Outcome> {
  const { context, params } = request
  const { botId = '', guildId = '' } = params
  await playerScopeOf(request, botId)
  let sent: Sent | null = null
  const isThis = (player: { readonly botId: string; readonly guildId: string }) =>
    player.botId === botId && player.guildId === guildId
  return openLivePage(request, {
    pollMs: POLL_MS,
    gatherMs: GATHER_MS,
    watch: (onChange) => [
      context.onPlayerChanged((player) => isThis(player) && onChange()),
      context.events.subscribe(({ event }) => 'guildId' in event && isThis(event) && onChange()),
    ],
    async update(stream) {
      const place = await placeAt(request)
      const items = await context.music.queueItems(await playerScopeOf(request, botId), guildId)
      const [message, known] = differences(request, { place, items, sent })
      if (message) stream.send(message)
      sent = known
    },
    onError(err, stream) {
      if (err instanceof Fault && err.code === 'not_found') stream.send({ gone: true })
      else if (!(err instanceof Fault)) context.log.warn({ err, botId, guildId }, 'live page update failed')
    },
  })
}

/** Returns the message to send, null if nothing has changed, and the new state of the page. */
function differences(
  request: ProjectRequest,
  { place, items, sent }: { readonly place: ShownPlayer; readonly items: QueueItems; readonly sent: Sent | null },
): readonly [object | null, Sent] {
  const all = stateOf(place.info)
  const state = Object.fromEntries(Object.entries(all).map(([key, value]) => [key, JSON.stringify(value)]))
  const parts = {
    now: nowPart(request, place, items).markup,
    chapters: chaptersPart(request, place).markup,
    next: nextPart(request, place, items).markup,
    sleep: sleepTimes(request, place)
      .map(({ markup }) => markup)
      .join(''),
  }
  const changedState = Object.entries(all).filter(([key]) => sent?.state[key] !== state[key])
  const changedParts = Object.entries(parts).filter(([name, markup]) => sent?.parts[name] !== markup)
  const isOther = changedParts.some(([name]) => name === 'now')
  const position = positionSince(place.info, request.context.now(), isOther ? null : (sent?.position ?? null))
  const queue = queueSince(request, place, items, sent)
  const message = {
    ...(changedState.length > 0 && { state: Object.fromEntries(changedState) }),
    ...(changedParts.length > 0 && { parts: Object.fromEntries(changedParts) }),
    ...(position && { position: { ms: position.positionMs, rate: position.rate } }),
    ...(queue && { queue }),
  }
  const { ids, version } = items
  const known = { parts, state, ids, version, position: position ?? sent?.position ?? START }
  return [Object.keys(message).length > 0 ? message : null, known]
}

function queueSince(request: ProjectRequest, place: ShownPlayer, items: QueueItems, sent: Sent | null): object | null {
  const { version, ids, tracks } = items
  if (sent?.version === version) return null
  const total = ids.length
  const whole = { version, total, summary: summaryOf(request, items) }
  if (!sent) return { ...whole, isWhole: true }
  const change = changeBetween(sent.ids, ids)
  if (Math.max(change.out.length, change.in.length) > MOST_CHANGED) return { ...whole, isWhole: true }
  const filled = change.in.map(({ at, from }) => {
    const [id, track] = [ids[at] ?? 0, tracks[at]]
    if (from !== null || !track) return [at, from] as const
    return [at, queueRow(request, place, { track, id, position: at + 1 }).markup] as const
  })
  return { ...whole, before: sent.version, out: change.out, in: filled }
}
