import type { z } from 'zod'
import type { WebMember } from '../../../bot/commands/web/web-member.ts'
import { Agreement, isPageAction, specOf } from '../../../bot/commands/web/page-actions.ts'
import { coverPath } from '../../http/cover-path.ts'
import { describeProblems, inputMessage } from '../../../lib/validation/problems.ts'
import { Fault } from '../../../lib/errors.ts'
import { LOOK_AGAIN_MS } from './context.ts'
import { readJson } from './json-body.ts'
import { meOf } from './room.ts'
import type { LimitedUse } from './member-limits.ts'
import { assertOwnRequest, memberOf, sessionOf, type Visit } from './visit.ts'
import type { VisitHandler, WebPlayerParts, WebPlayerRoute } from './web-player-route.ts'

const MAX_QUERY = 200
const NO_QUEUE = { version: 0, total: 0, from: 0, rows: [] }

const routes: readonly WebPlayerRoute[] = [
  { method: 'GET', path: '/:guildId/live', run: openLive },
  { method: 'GET', path: '/:guildId/state', run: read('read', stateOf) },
  {
    method: 'GET',
    path: '/:guildId/search',
    run: read('search', async (member, { ctx }) => ({ tracks: await member.search(wordsOf(ctx.query['q'])) })),
  },
  { method: 'GET', path: '/:guildId/lyrics', run: read('read', async (member) => ({ lyrics: await member.lyrics() })) },
  {
    method: 'GET',
    path: '/:guildId/history',
    run: read('read', async (member) => ({ tracks: await member.history() })),
  },
  {
    method: 'GET',
    path: '/:guildId/favourites',
    run: read('read', async (member) => ({ tracks: await member.favourites() })),
  },
  {
    method: 'GET',
    path: '/:guildId/queue',
    run: read('read', async (member, { ctx: { query } }) => {
      const find = query['find'] === undefined ? undefined : wordsOf(query['find'])
      return (await member.queue(placeOf(query['from']), find)) ?? NO_QUEUE
    }),
  },
  { method: 'GET', path: '/:guildId/cover/:mark', run: showCover },
  { method: 'GET', path: '/:guildId/avatar/:userId', run: showAvatar },
  { method: 'POST', path: '/:guildId/do/:action', run: act },
]

/** Requests and actions of the page, as JSON; `live` as server-sent events. */
export const actionRoutes: readonly WebPlayerRoute[] = routes.map((route) =>
  Object.assign({ isAtOwner: true } as const, route),
)

function limit({ limits }: WebPlayerParts, use: LimitedUse, visit: Visit): void {
  limits.assertWithin(use, sessionOf(visit).visitor)
}

/** Handles a read-only request: only from a page of ours, since it costs. */
function read(use: LimitedUse, tell: (member: WebMember, visit: Visit) => Promise<object>): VisitHandler {
  return async (visit, parts) => {
    assertOwnRequest(visit, sessionOf(visit))
    limit(parts, use, visit)
    visit.ctx.body = await tell(await memberOf(visit, LOOK_AGAIN_MS), visit)
  }
}

async function stateOf(member: WebMember): Promise<object> {
  const [player, me] = await Promise.all([member.player(), meOf(member)])
  return { player, me }
}

/** @throws {Fault} `validation_error` */
function wordsOf(q: string | string[] | undefined): string {
  const words = typeof q === 'string' ? q.trim() : ''
  if (words === '' || words.length > MAX_QUERY) throw new Fault('validation_error', 'Must have 1 to 200 characters.')
  return words
}

/** @throws {Fault} `validation_error` */
function placeOf(from: string | string[] | undefined): number {
  if (typeof from === 'string' && /^\d{1,6}$/.test(from)) return Number(from)
  throw new Fault('validation_error', 'Must be a number from 0.')
}

async function act(visit: Visit, parts: WebPlayerParts): Promise<void> {
  const { ctx } = visit
  assertOwnRequest(visit, sessionOf(visit))
  limit(parts, 'action', visit)
  const action = String((ctx['params'] as Record<string, string>)['action'])
  if (action === 'agree') {
    const { vote } = parse(Agreement, await readJson(ctx.req))
    ctx.body = { said: await (await memberOf(visit)).agree(vote) }
    return
  }
  if (!isPageAction(action)) throw new Fault('not_found', 'Unknown action.')
  const values = parse(specOf(action).values, await readJson(ctx.req))
  const member = await memberOf(visit)
  ctx.body = { said: await member.perform(action, values) }
}

/** @throws {Fault} `validation_error` */
function parse<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const parsed = schema.safeParse(given, { error: inputMessage })
  if (!parsed.success) throw new Fault('validation_error', describeProblems(parsed.error, 'body'))
  return parsed.data
}

async function openLive(visit: Visit, { live }: WebPlayerParts): Promise<void> {
  const session = sessionOf(visit)
  assertOwnRequest(visit, session)
  const member = await memberOf(visit, LOOK_AGAIN_MS)
  const { visitor, secret } = session
  visit.ctx.type = 'text/event-stream'
  // Proxies would gather events otherwise.
  visit.ctx.set('X-Accel-Buffering', 'no')
  visit.ctx.body = live.open({ visitor, secret, member }).readable
}

async function showAvatar(visit: Visit, parts: WebPlayerParts): Promise<void> {
  const member = await memberOf(visit, LOOK_AGAIN_MS)
  const url = await member.avatarUrl(String((visit.ctx['params'] as Record<string, string>)['userId']))
  if (url === null) throw new Fault('not_found', "This member isn't listening.")
  await showPicture(visit, parts, url)
}

async function showPicture(visit: Visit, { covers }: WebPlayerParts, url: string): Promise<void> {
  const { guildId, userId } = sessionOf(visit).visitor
  const { contentType, bytes } = await covers.fetch(`${guildId} ${userId}`, url)
  visit.ctx.set('Cache-Control', 'private, max-age=86400')
  visit.ctx.type = contentType
  visit.ctx.body = bytes
}

async function showCover(visit: Visit, parts: WebPlayerParts): Promise<void> {
  const { ctx, context } = visit
  const { isActivity } = sessionOf(visit)
  const member = await memberOf(visit, LOOK_AGAIN_MS)
  const id = Number(ctx.query['id'])
  const url = await member.coverUrl(String((ctx['params'] as Record<string, string>)['mark']), id || undefined)
  if (url === null) throw new Fault('not_found', 'This track has no cover.')
  const ownPath = coverPath(url, context.baseUrl())
  if (ownPath !== null) {
    const size = ctx.query['size'] === 'large' ? 'large' : 'small'
    ctx.redirect(`${isActivity ? '/.proxy' : ''}${ownPath}?size=${size}`)
    ctx.body = ''
    return
  }
  await showPicture(visit, parts, url)
}
