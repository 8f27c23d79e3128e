import { Readable } from 'node:stream'
import type { Happening, World } from '../world/world.ts'

/** A reader that is so far behind is cut. */
const UNREAD_BYTES = 1024 * 1024

/** Everything that happens in the world, as server-sent events: the gateway's name for it, and where. */
export function streamEvents(world: World): Readable {
  const stream = new Readable({ read: () => undefined })
  const onHappening = ({ event, guildId }: Happening) => {
    if (stream.readableLength > UNREAD_BYTES) stream.destroy()
    else stream.push(`data: ${JSON.stringify({ type: event.t, guildId })}\n\n`)
  }
  world.notices.on('happening', onHappening)
  stream.once('close', () => world.notices.off('happening', onHappening))
  stream.push(': hello\n\n')
  return stream
}
