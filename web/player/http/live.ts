import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LiveStream, Streams } from '../../http/event-streams.ts'
import type { PlayerView } from '../../../bot/commands/web/player-view.ts'
import { Fault } from '../../../lib/errors.ts'
import { LOOK_AGAIN_MS, type WebPlayerContext } from './context.ts'
import { createRoomChecks } from './room-checks.ts'
import type { OpenPage, Room, SentPlayer, Viewer } from './room.ts'

/** The open pages, and the changes that each receives. */
export type LivePages = ReturnType<typeof createLivePages>

/** A change of one operation comes in several pieces, which are gathered for this time. */
const GATHER_MS = 25
/** Changes without a notification, such as the title of a radio, show within this time. */
const POLL_MS = 1000
/** The position is sent again when it is further from where pages expect it. */
const JUMP_MS = 1000

export function createLivePages(context: WebPlayerContext, streams: Streams) {
  const rooms = new Map<string, Room>()
  const checks = createRoomChecks(context)
  const pending = new Map<Room, NodeJS.Timeout>()

  function due(room: Room, delayMs: number): void {
    if (pending.has(room)) return
    const timer = setTimeout(() => {
      pending.delete(room)
      void look(context, room).then((hasChanged) => hasChanged && checks.due(room))
    }, delayMs)
    pending.set(room, timer)
  }

  const roomsOf = (guildId: string) => [...rooms].filter(([key]) => key.endsWith(` ${guildId}`)).map(([, room]) => room)
  const onChange = (guildId: string) => roomsOf(guildId).forEach((room) => due(room, GATHER_MS))
  const endings = [
    context.onPlayerChanged(({ guildId }) => onChange(guildId)),
    context.events.subscribe(({ event }) => 'guildId' in event && onChange(event.guildId)),
    context.players.onChange((guildId) => {
      onChange(guildId)
      roomsOf(guildId).forEach((room) => checks.due(room))
    }),
  ]
  const polls = setInterval(() => rooms.forEach((room) => due(room, 0)), POLL_MS)
  const reviews = setInterval(() => rooms.forEach((room) => checks.due(room)), LOOK_AGAIN_MS)

  return {
    /** @throws {Fault} `service_unavailable` when all members together, or this one, have too many open. */
    open({ visitor, secret, member }: OpenPage): LiveStream {
      const stream = streams.open(`${visitor.guildId} ${visitor.userId}`)
      if (!stream) throw tooMany()
      const key = `${visitor.projectId} ${visitor.guildId}`
      const room = rooms.get(key) ?? { viewers: new Set(), sent: new Map(), isLooking: false, isDue: false }
      rooms.set(key, room)
      const viewer: Viewer = { visitor, secret, stream, member, sentMe: '' }
      room.viewers.add(viewer)
      stream.onEnd(() => {
        room.viewers.delete(viewer)
        if (room.viewers.size > 0 || rooms.get(key) !== room) return
        rooms.delete(key)
        checks.forget(room)
      })
      const known = room.sent.get(member.botId)
      if (known) stream.sendJson(known.json)
      // A position that was sent earlier is an old one by now.
      room.sent.delete(member.botId)
      due(room, 0)
      checks.due(room)
      return stream
    },
    close() {
      for (const end of endings) end()
      clearInterval(polls)
      clearInterval(reviews)
      for (const timer of pending.values()) clearTimeout(timer)
      for (const room of rooms.values()) checks.forget(room)
    },
  }
}

/** Sends what has changed to those who see it. @returns whether something had. Never rejects. */
async function look(context: WebPlayerContext, room: Room): Promise<boolean> {
  if (room.isLooking) {
    room.isDue = true
    return false
  }
  room.isLooking = true
  let hasChanged = false
  try {
    do {
      room.isDue = false
      hasChanged = (await lookOnce(context, room)) || hasChanged
    } while (room.isDue)
  } catch (err) {
    context.log.warn({ err }, 'web player update failed')
  } finally {
    room.isLooking = false
  }
  return hasChanged
}

async function lookOnce(context: WebPlayerContext, { viewers, sent }: Room): Promise<boolean> {
  const byBot = Map.groupBy(viewers, ({ member }) => member.botId)
  for (const botId of sent.keys()) if (!byBot.has(botId)) sent.delete(botId)
  let hasChanged = false
  for (const [botId, all] of byBot) {
    if (hasMoved(context, all[0])) {
      // The page opens it again, at the service that runs the player now.
      for (const { stream } of all) stream.end()
      continue
    }
    const player = await all[0]?.member.player()
    const known = sent.get(botId)
    const fresh = player === undefined ? undefined : toSent(player, context.now())
    if (!fresh || (known && isSame(known, fresh))) continue
    hasChanged = true
    sent.set(botId, fresh)
    for (const { stream } of all) stream.sendJson(fresh.json)
    await nextTurn()
  }
  return hasChanged
}

function hasMoved({ peers }: WebPlayerContext, viewer: Viewer | undefined): boolean {
  if (!peers || !viewer) return false
  const { member, visitor } = viewer
  return peers.forwarding.locate({ botId: member.botId, guildId: visitor.guildId }).at === 'peer'
}

function toSent(player: PlayerView | null, nowMs: number): SentPlayer {
  const { positionMs = 0, ...still } = player ?? {}
  const isMoving = player !== null && player.current !== null && !player.paused && player.silenced === null
  return {
    json: JSON.stringify({ type: 'player', player }),
    digest: JSON.stringify([player === null, still, isMoving ? null : positionMs]),
    startedAtMs: isMoving ? nowMs - positionMs : null,
  }
}

function isSame(a: SentPlayer, b: SentPlayer): boolean {
  return a.digest === b.digest && Math.abs((a.startedAtMs ?? 0) - (b.startedAtMs ?? 0)) < JUMP_MS
}

function tooMany(): Fault {
  const message = 'You have too many players open. Close some tabs, then reload the page.'
  return new Fault('service_unavailable', message, { retryAfterMs: 30_000 })
}
