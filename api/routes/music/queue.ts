import { z } from 'zod'
import { LONGEST_QUEUE } from '../../../bot/player/inputs.ts'
import { OPERATIONS } from '../../../bot/player/operations.ts'
import { admitRead } from '../../limits/long-answers.ts'
import { route, type Route } from '../../http/route.ts'
import { wholeNumber } from '../../../lib/validation/inputs.ts'
import { QueueInfo, queueVersionExample, songExample } from '../../schemas/music.ts'
import { Page, pageOfAll, readCursor, writeCursor } from '../../schemas/pages.ts'
import { guild, guildExample, performBriefly, playerScopeOf, queueCommand } from './common.ts'

const KNOWN_TRACKS = 5

const queueExample = {
  current: songExample,
  queue: [songExample],
  queueLength: 1,
  loop: 'off',
  lengthMs: 366_500,
  queueVersion: queueVersionExample,
} as const

/** Common properties of routes that return the queue. `lengthMs` runs on under one tag. */
const queue = {
  data: QueueInfo,
  etag: ({ queueVersion }: Pick<z.output<typeof QueueInfo>, 'queueVersion'>) => queueVersion,
} as const

/** A change of the queue. */
const change = { ...queueCommand, ...queue, reread: performBriefly('queue') } as const

/** The last tracks of a page, by numbers that stay with them wherever they move, and how many came before the next one. */
const QueuePlace = z.tuple([z.array(z.int()).max(KNOWN_TRACKS), z.int().min(0).max(LONGEST_QUEUE)])

const getQueue = route('getQueue', 'GET /v1/music/guilds/{guildId}/queue', {
  ...guild,
  ...queue,
  summary: 'Get the queue',
  description:
    'Tracks have no tokens here; the player has them with tokens. The next page continues after the last track ' +
    'of the previous one, even if that track has moved. If `queueVersion` differs, the queue has changed.',
  query: guild.query.extend(pageOfAll(LONGEST_QUEUE)),
  isPaged: true,
  example: { path: guildExample, data: queueExample },
  async handle({ caller, path: { guildId }, query: { limit, cursor, ...query } }, { music }) {
    const place = cursor === undefined ? null : readCursor('getQueue', cursor, QueuePlace)
    const scope = playerScopeOf(caller, { guildId, ...query }, music)
    const length = music.queueLength(scope, guildId)
    await admitRead(caller.projectId, Math.min(limit ?? length, length))
    // Read together, before anything else can happen.
    const [info, { ids }] = await Promise.all([music.queue(scope, guildId), music.queueItems(scope, guildId)])
    const from = place ? startOf(place, ids) : 0
    const to = limit === undefined ? ids.length : Math.min(from + limit, ids.length)
    const next = to < ids.length ? writeCursor('getQueue', [ids.slice(Math.max(0, to - KNOWN_TRACKS), to), to]) : null
    return new Page({ ...info, queue: info.queue.slice(from, to) }, next)
  },
})

/** Index after the last known track that still waits; if none does, the end of that page minus the known tracks. */
function startOf([known, to]: z.output<typeof QueuePlace>, ids: readonly number[]): number {
  for (const id of known.toReversed()) {
    const at = ids.indexOf(id)
    if (at >= 0) return at + 1
  }
  return Math.max(0, to - known.length)
}

const shuffleQueue = route('shuffleQueue', 'POST /v1/music/guilds/{guildId}/queue/shuffle', {
  ...change,
  summary: 'Shuffle the queue',
  description: 'The current track keeps playing.',
  example: { path: guildExample, data: queueExample },
  handle: performBriefly('shuffle'),
})

const clearQueue = route('clearQueue', 'DELETE /v1/music/guilds/{guildId}/queue', {
  ...change,
  summary: 'Clear the queue',
  description: 'The current track keeps playing. Safe to repeat.',
  example: { path: guildExample, data: { ...queueExample, queue: [], queueLength: 0 } },
  handle: performBriefly('clear'),
})

const removeDuplicates = route('removeDuplicates', 'POST /v1/music/guilds/{guildId}/queue/remove-duplicates', {
  ...change,
  idempotent: true,
  summary: 'Remove duplicates from the queue',
  description: 'Keeps the current or the first of all tracks with the same token. Safe to repeat.',
  example: { path: guildExample, data: { ...queueExample, queue: [], queueLength: 0 } },
  handle: performBriefly('removeDuplicates'),
})

const removeFromQueue = route('removeFromQueue', 'DELETE /v1/music/guilds/{guildId}/queue/{position}', {
  ...change,
  idempotent: false,
  summary: 'Remove a track from the queue',
  path: guild.path.extend({
    position: wholeNumber(1, LONGEST_QUEUE).describe('Position in the queue. 1 is the next track.'),
  }),
  example: { path: { ...guildExample, position: '1' }, data: { ...queueExample, queue: [], queueLength: 0 } },
  handle: performBriefly('remove'),
})

const moveInQueue = route('moveInQueue', 'POST /v1/music/guilds/{guildId}/queue/move', {
  ...change,
  summary: 'Move a track within the queue',
  body: OPERATIONS.move.input,
  example: { path: guildExample, body: { from: 1, to: 1 }, data: queueExample },
  handle: performBriefly('move'),
})

export const queueRoutes: readonly Route[] = [
  getQueue,
  shuffleQueue,
  clearQueue,
  removeDuplicates,
  removeFromQueue,
  moveInQueue,
]
