import type { OccupiedBot } from '../../../bot/bot-selection.ts'
import { Fault, unprocessable } from '../../../lib/errors.ts'
import { PLANS } from '../../../lib/plans.ts'
import { withRequestField } from '../fault-fields.ts'
import { rawInputs } from '../route.ts'
import { serveAt, type MusicRequest } from './serve-at.ts'
import { SNOWFLAKE } from '../../../lib/validation/snowflake.ts'

/** The refusal of a `play` that does not say which of the pool's bots in a guild is meant. */
export function severalPlay(): Fault {
  const message = 'Several bots of the pool play in this server. Send the `channelId` of one.'
  return unprocessable('several_players', message, 'body.channelId')
}

/** Serves a request for the bots of a pool that different services run: finds out which of them is meant, or free. */
export async function servePool(request: MusicRequest, guildId: string): Promise<void> {
  const { caller, bots, forwarding, route, ctx } = request
  const elsewhere = await forwarding.occupiedElsewhere(caller, guildId)
  const body = ctx.request.body as { readonly channelId?: unknown } | undefined
  if (route.id === 'play') {
    const busy = [...bots.occupied(caller, guildId), ...elsewhere]
    return playWithPool(request, { guildId, channelId: channelOf(body?.channelId), busy })
  }
  const { path, query } = rawInputs(ctx, route)
  const group = { ...caller, playerCeiling: PLANS[caller.plan].players }
  const place = { guildId, channelId: channelOf(query.values['channelId']) }
  try {
    await serveWith(request, bots.playingAnywhere(group, place, elsewhere).botId, guildId)
  } catch (thrown) {
    throw withRequestField(thrown, { path: path.values, query: query.values })
  }
}

interface PoolPlace {
  readonly guildId: string
  readonly channelId: string | undefined
  readonly busy: readonly OccupiedBot[]
}

async function playWithPool(request: MusicRequest, { guildId, channelId, busy }: PoolPlace): Promise<void> {
  const { caller, bots, forwarding } = request
  const present = caller.botIds.filter((botId) => forwarding.locate({ botId, guildId }).at !== 'nowhere')
  if (channelId === undefined) {
    if (busy.length > 1) throw withRequestField(severalPlay(), {})
    return serveWith(request, busy[0]?.botId ?? present[0] ?? '', guildId)
  }
  const there = busy.find((bot) => bot.channelId === channelId)
  const free = present.filter((botId) => !busy.some((bot) => bot.botId === botId))
  const candidates = there ? [there.botId] : free
  if (candidates.length === 0) throw bots.allBusy(guildId, busy)
  await playWithFirst(request, { guildId, candidates, busy: there ? [] : busy })
}

interface Candidates {
  readonly guildId: string
  readonly candidates: readonly string[]
  /** Bots in other channels of the guild. */
  readonly busy: readonly OccupiedBot[]
}

/** Tries the bots in order: one that another request has just taken, or that may not join, is skipped. */
async function playWithFirst(request: MusicRequest, { guildId, candidates, busy }: Candidates): Promise<void> {
  const refusals: Refusal[] = []
  for (const botId of candidates) {
    const refusal = await attempt(request, botId, guildId)
    if (refusal === null) return
    refusals.push(refusal)
  }
  // The caller gets the most helpful refusal: a missing permission, then that a bot will become free.
  const isAbsent = ({ fault: { code } }: Refusal) => code === 'not_found' || code === 'service_unavailable'
  const away = refusals.find(({ fault }) => fault.code === 'service_unavailable')
  if (busy.length > 0 && refusals.every(isAbsent)) throw request.bots.allBusy(guildId, busy, away?.fault.message)
  const told = refusals.find((one) => !isAbsent(one)) ?? away ?? refusals.at(-1)
  if (told?.isThrown) throw told.fault
  if (told && told !== refusals.at(-1)) await serveWith(request, told.botId, guildId)
}

interface Refusal {
  readonly botId: string
  readonly fault: Fault
  /** False if another service answered with the refusal: the caller gets it unless another answer is served. */
  readonly isThrown: boolean
}

/** @returns why this bot does not play where another one may; null if it was answered. */
async function attempt(request: MusicRequest, botId: string, guildId: string): Promise<Refusal | null> {
  const { state } = request.ctx
  let isThrown = false
  try {
    state.fault = null
    await serveWith(request, botId, guildId)
  } catch (thrown) {
    if (!(thrown instanceof Fault) || !isOfBot(thrown)) throw thrown
    state.fault = thrown
    isThrown = true
  }
  const { fault } = state
  return fault !== null && isOfBot(fault) ? { botId, fault, isThrown } : null
}

/** A refusal that another bot may not meet; nothing was changed. */
function isOfBot({ code, reason }: Fault): boolean {
  if (reason === 'bots_busy' || reason === 'channel_not_joinable') return true
  return code === 'not_found' || code === 'forbidden' || code === 'service_unavailable'
}

function serveWith(request: MusicRequest, botId: string, guildId: string): Promise<void> {
  return serveAt(request, { botId, guildId }, { ...request.caller, botIds: [botId] })
}

function channelOf(sent: unknown): string | undefined {
  return typeof sent === 'string' && SNOWFLAKE.test(sent) ? sent : undefined
}
