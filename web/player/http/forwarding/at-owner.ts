import { relay } from '../../../../api/http/forwarding/relay.ts'
import type { RequestState } from '../../../../api/http/request-state.ts'
import type { WebMembership } from '../../../../bot/commands/web/web-players.ts'
import { servePageAtOwner } from '../../../http/page-at-owner.ts'
import type { GuildTarget } from '../../../../lib/sharing/forwarding.ts'
import type { WebPlayerContext } from '../context.ts'
import { readBytes } from '../json-body.ts'
import type { Visit } from '../visit.ts'

/** Serves a visit where the bot that the member hears is run: here, or at another service. */
export async function serveVisitAtOwner(visit: Visit, run: () => Promise<void> | void): Promise<void> {
  const { ctx, context, session } = visit
  if (!context.peers || !session) return run()
  const { forwarded } = ctx.state as RequestState
  const target = forwarded ? forwarded.target : await targetOf(visit)
  const finish = await servePageAtOwner<() => Promise<void>>({
    ctx,
    forwarding: context.peers.forwarding,
    target,
    address: ctx.req.socket.remoteAddress ?? '',
    body: ctx.method === 'POST' ? await readBytes(ctx.req) : null,
    async here() {
      await run()
      return async () => undefined
    },
    relayed: (answer) => () => relay(ctx, answer),
  })
  await finish()
}

/** The bot of the member's project that plays in the guild, or the first that is in it; null: none is known. */
async function targetOf({ context, guildId, session }: Visit): Promise<GuildTarget | null> {
  const { players, peers } = context
  const elsewhere = await peers?.botsIn(guildId)
  const bots = [...players.botsIn(guildId), ...(elsewhere ?? [])]
    .filter(({ projectId }) => projectId === session?.visitor.projectId)
    .toSorted((a, b) => (a.botId < b.botId ? -1 : 1))
  const bot = bots.find(({ isPlaying }) => isPlaying) ?? bots[0]
  return bot ? { botId: bot.botId, guildId } : null
}

/** The project in which a user of Discord listens in the guild, or one in which they are a member; null: in none. */
export async function membershipOf(
  { players, peers }: WebPlayerContext,
  guildId: string,
  userId: string,
): Promise<WebMembership | null> {
  const own = await players.membershipsOf(guildId, userId)
  if (!peers || own[0]?.isHeard) return own[0] ?? null
  const all = [...own, ...(await peers.membershipsOf(guildId, userId))]
  return all.find(({ isHeard }) => isHeard) ?? all[0] ?? null
}
