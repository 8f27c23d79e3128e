import { z } from 'zod'
import { Fault } from '../../../lib/errors.ts'
import { playerPage } from '../pages/player.ts'
import { membershipOf } from './forwarding/at-owner.ts'
import { readJson } from './json-body.ts'
import { setActivityHeaders } from './security.ts'
import { callerOf, type Visit } from './visit.ts'
import type { WebPlayerParts, WebPlayerRoute } from './web-player-route.ts'
import { SNOWFLAKE } from '../../../lib/validation/snowflake.ts'

/** The same player as a Discord Activity, in a frame of Discord's app. */
export const activityRoutes: readonly WebPlayerRoute[] = [
  { method: 'GET', path: '/activity', run: showActivity },
  { method: 'POST', path: '/activity/session', run: openSession },
]

const Entering = z.strictObject({
  code: z.string().min(1).max(200),
  guildId: z.string().regex(SNOWFLAKE),
})

function showActivity({ ctx, context, language }: Visit, { proxiedAssets }: WebPlayerParts): void {
  setActivityHeaders(ctx)
  const data = { base: '/.proxy', client: context.activityClientId ?? '' }
  ctx.type = 'html'
  ctx.body = playerPage({
    language,
    guildName: 'Bandstand',
    assets: proxiedAssets,
    data,
    scripts: ['activity.js'],
    preloads: proxiedAssets.names.filter((name) => name.startsWith('sdk-')).map((name) => proxiedAssets.url(name)),
    canSignOut: false,
  })
}

/**
 * Opens a session for an Activity. The user comes from Discord alone, by the code that its app gave the page; the page
 * names the guild, and the bot sees whether they are a member there.
 */
async function openSession(visit: Visit): Promise<void> {
  const { ctx, context, locale } = visit
  setActivityHeaders(ctx)
  const parsed = Entering.safeParse(await readJson(ctx.req))
  if (!parsed.success || !context.discord) throw new Fault('validation_error', 'Send the code and the server ID.')
  const { discord } = context
  const { code, guildId } = parsed.data
  const { person, accessToken } = await discord.identifyInActivity(code, await callerOf(visit, guildId))
  const member = await membershipOf(context, guildId, person.id)
  if (!member) throw new Fault('forbidden', "You aren't a member of this server, or the bot isn't in it.")
  const visitor = { projectId: member.projectId, guildId, userId: person.id, channelId: null, locale }
  ctx.body = { session: await context.access.openSession(visitor), accessToken, guildName: member.guildName }
}
