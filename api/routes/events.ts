import { z } from 'zod'
import * as envelopes from '../http/envelopes.ts'
import { HttpRefusal } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { EVENT_TYPES, type EventType } from '../../lib/event-types.ts'
import { EVENT_NAMES } from '../schemas/events.ts'

const known: ReadonlySet<string> = new Set(EVENT_NAMES)

/** The event types of a socket; all by default. */
const EventList = z
  .string()
  .max(500, 'Contains an event type twice.')
  .transform((list) => list.split(',').map((name) => name.trim()))
  .refine((names) => names.every((name) => known.has(name)), {
    error: `Must be event types separated by commas: ${EVENT_NAMES.join(', ')}.`,
  })
  .transform((names): readonly EventType[] => EVENT_TYPES.filter((name) => names.includes(name)))
  .meta({ override: { type: 'string' } })

const eventsQuery = z.object({
  events: EventList.default(EVENT_TYPES).describe(
    'Event types, separated by commas. Defaults to all. The socket always sends `ready` and `ping`.',
  ),
  key: z.string().exactOptional().describe("The key, for browsers, which can't set headers on a WebSocket handshake."),
})

/** The socket as a route: errors are a route's errors, and a request without a handshake gets 426. */
export const eventsRoute = route('openEvents', 'GET /v1/events', {
  summary: 'Open the player event socket',
  description:
    'A WebSocket. Messages are JSON objects with a `type`; `x-events` describes them. The first is `ready`; `ping` ' +
    'comes every 30 seconds and needs no reply. You receive events of the bot or pool of your key, or of all bots of the ' +
    'project if the key has neither. Close codes: 1001 the service stops; 1008 you sent more than 1,000 messages in 10 s; ' +
    '1009 you sent a message over 64 KiB. 1012 means that the service stops and another one takes over, so connect again, ' +
    '4001 that the key expired or was revoked, 4008 that you read too slowly.',
  tag: 'Events',
  class: 'socket',
  envelope: envelopes.bare,
  query: eventsQuery,
  data: z.never(),
  faults: ['rate_limited', 'service_unavailable'],
  example: { query: { events: 'trackStarted,trackEnded' }, data: undefined as never },
  handle() {
    throw new HttpRefusal(426, 'This route is a WebSocket. Send a WebSocket handshake.', {
      headers: { Upgrade: 'websocket' },
    })
  },
})
