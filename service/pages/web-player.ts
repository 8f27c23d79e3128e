import type { WebLinks } from '../../bot/commands/core/command-context.ts'
import type { WebPlayerAccess } from '../../db/people/web-player-access.ts'
import { createDiscordSignIn } from '../../upstream/discord/discord-oauth.ts'
import { createWebPlayer } from '../../web-player/http/web-player.ts'
import { createDashboardPages, type CreatePages, type PageParts } from './dashboard.ts'

/** What `/web` answers with. */
export function createWebLinks(access: WebPlayerAccess, baseUrl: string): WebLinks {
  return {
    createUrl: async (visitor) =>
      `${baseUrl}/listen/${visitor.guildId}/enter?token=${await access.createLink(visitor)}`,
    endAll: (member) => access.endAll(member),
  }
}

/** The pages for people: the web player, if it is on, and the dashboard. */
export function createPages(parts: PageParts): CreatePages {
  const dashboard = createDashboardPages(parts)
  const { config, stores, bots, events, egress, log } = parts
  if (!config.webPlayer.isOn) return dashboard
  const { signIn, apiUrl } = config.discord
  return (app, stopping) => {
    const context = {
      access: stores.members.webPlayer,
      players: bots.webPlayers,
      oneTime: stores.people.oneTime,
      peers: parts.whole.webPeers,
      onPlayerChanged: (listener: (player: { readonly guildId: string }) => void) => bots.onPlayerChanged(listener),
      events,
      egress,
      discord: signIn && createDiscordSignIn({ ...signIn, apiUrl }),
      activityClientId: config.webPlayer.hasActivity && signIn ? signIn.clientId : null,
      baseUrl: () => app.baseUrl,
      now: Date.now,
      log,
    }
    const webPlayer = createWebPlayer(context, stopping)
    const pages = dashboard(app, stopping)
    return (ctx, next) => webPlayer(ctx, () => pages(ctx, next))
  }
}
