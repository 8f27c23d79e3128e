import type { WebLinks } from '../../bot/commands/core/invocation.ts'
import type { WebPlayerAccess } from '../../db/people/web-player-access.ts'
import { createDiscordSignIn } from '../../upstream/discord/discord-oauth.ts'
import { createWebPlayer } from '../../web/player/http/web-player.ts'
import { createDashboardPages, type CreatePages, type PageParts } from './dashboard.ts'

/** Creates the links of `/web`. */
export function createWebLinks(access: WebPlayerAccess, baseUrl: string): WebLinks {
  return {
    createUrl: async (visitor) =>
      `${baseUrl}/listen/${visitor.guildId}/enter?token=${await access.createLink(visitor)}`,
    endAll: (member) => access.endAll(member),
  }
}

/** The pages for people: the web player, if it is on, and the dashboard. */
export function createPages(parts: PageParts): CreatePages {
  const { config, stores, bots, events, egress, log } = parts
  const { signIn, apiUrl } = config.discord
  // One for both, so that they share what a stranger may ask of Discord.
  const discord = signIn && createDiscordSignIn({ ...signIn, apiUrl })
  const dashboard = createDashboardPages(parts, discord)
  if (!config.webPlayer.isOn) return dashboard
  return (app, stopping) => {
    const context = {
      access: stores.members.webPlayer,
      players: bots.webPlayers,
      oneTime: stores.people.oneTime,
      peers: parts.whole.webPeers,
      onPlayerChanged: (listener: (player: { readonly guildId: string }) => void) => bots.onPlayerChanged(listener),
      events,
      egress,
      discord,
      activityClientId: config.webPlayer.hasActivity && signIn ? signIn.clientId : null,
      trustedProxies: config.api.trustedProxies,
      baseUrl: () => app.baseUrl,
      now: Date.now,
      log,
    }
    const webPlayer = createWebPlayer(context, stopping)
    const pages = dashboard(app, stopping)
    return (ctx, next) => webPlayer(ctx, () => pages(ctx, next))
  }
}
