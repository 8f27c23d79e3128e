import { setImmediate as nextTurn } from 'node:timers/promises'
import { LOOK_AGAIN_MS, type WebPlayerContext } from './context.ts'
import { meOf, type Room, type Viewer } from './room.ts'

/** The shortest interval for one guild: each check asks for every viewer. */
const EVERY_MS = 200

/** Checks again who the viewers are, which bot they hear and what they may do, one after the other. */
export function createRoomChecks(context: WebPlayerContext) {
  const pending = new Map<Room, NodeJS.Timeout>()
  const underway = new Set<Room>()
  const again = new Set<Room>()

  function due(room: Room): void {
    if (pending.has(room)) return
    if (underway.has(room)) {
      again.add(room)
      return
    }
    const timer = setTimeout(() => {
      pending.delete(room)
      underway.add(room)
      void checkAll(context, room).finally(() => {
        underway.delete(room)
        if (again.delete(room) && room.viewers.size > 0) due(room)
      })
    }, EVERY_MS)
    pending.set(room, timer)
  }

  return {
    due,
    forget(room: Room) {
      clearTimeout(pending.get(room))
      pending.delete(room)
      again.delete(room)
    },
  }
}

async function checkAll(context: WebPlayerContext, room: Room): Promise<void> {
  for (const viewer of room.viewers) {
    try {
      await check(context, viewer)
    } catch (err) {
      context.log.warn({ err, guildId: viewer.visitor.guildId }, 'checking web player member failed')
    }
    // Others, and the sound, come in between.
    await nextTurn()
  }
}

async function check({ access, players }: WebPlayerContext, viewer: Viewer): Promise<void> {
  const { visitor, secret, stream } = viewer
  const isSignedIn = (await access.resumeSession(secret, visitor.guildId)) !== null
  const member = isSignedIn ? await players.findMember(visitor, LOOK_AGAIN_MS) : null
  if (member) {
    viewer.member = member
    const me = JSON.stringify({ type: 'me', me: await meOf(member) })
    const sentMe = `${member.botId} ${me}`
    if (sentMe !== viewer.sentMe) stream.sendJson(me)
    viewer.sentMe = sentMe
    return
  }
  // A bot that is away comes back; a member who has left is signed out.
  if (isSignedIn && !players.findGuild(visitor.projectId, visitor.guildId)) return
  await access.endAll(visitor)
  stream.send({ type: 'gone' })
  stream.end()
}
