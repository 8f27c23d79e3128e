import type { Readable } from 'node:stream'
import { request } from 'undici'
import type { App } from '../api/http/app-context.ts'
import type { Docs } from '../api/docs/pages.ts'
import type { Pages } from '../api/site/static-routes.ts'
import type { BotManager } from '../bot/discord/bot-manager.ts'
import type { EventBus } from '../bot/events.ts'
import type { Config } from '../config.ts'
import { entryPath, openDashboard } from '../dashboard/http/open-dashboard.ts'
import { Fault } from '../lib/errors.ts'
import type { Jobs } from '../jobs/queue/jobs.ts'
import type { Logger } from '../lib/log.ts'
import type { SandboxChild } from '../sandbox/child.ts'
import type { Repositories } from '../db/repositories.ts'
import type { Egress } from '../upstream/egress/egress.ts'
import type { WebhookService } from '../webhooks/webhook-service.ts'
import { createDiscordSignIn } from '../upstream/discord/discord-oauth.ts'

interface Parts {
  readonly config: Config
  readonly stores: Repositories
  readonly sandbox: SandboxChild | null
  readonly bots: BotManager
  readonly events: EventBus
  readonly egress: Egress
  readonly jobs: Jobs
  readonly webhooks: WebhookService
  readonly log: Logger
}

type CreatePages = (app: Pick<App, 'baseUrl'>, stopping: AbortSignal, docs: Docs) => Pages

/** The dashboard, on the port of the API. */
export function createPages({ config, stores, sandbox, bots: fleet, ...given }: Parts): CreatePages {
  const { people, projects, keys, bots, usage } = stores
  const { signIn, apiUrl } = config.discord
  const discord = signIn && createDiscordSignIn({ ...signIn, apiUrl })
  const standIn = sandbox && { apiUrl: `${sandbox.url}/api`, called: 'The stand-in Discord', sandbox: true }
  const real = { apiUrl, called: 'Discord', sandbox: false }
  // Near things first; and what the stand-in does not know may still be a real bot.
  const discords = [standIn, config.sandbox.mode === 'on' ? null : real].filter((it) => it !== null)
  const listen = sandbox && ((guildId: string, channelId: string) => listenAlong(sandbox.url, guildId, channelId))
  const doing = { ...given, discord, discords, fleet, music: fleet.music, listen }
  const parts = { ...people, projects, keys, bots, usage, ...doing }
  const { trustedProxies } = config.api
  return (app, stopping, docs) => {
    const api = { baseUrl: () => app.baseUrl, calls: async () => (await docs()).calls }
    return openDashboard({ ...parts, ...api }, { trustedProxies, stopping })
  }
}

/** The address that lets the first person in; null where there are accounts, or no link can be saved. */
export function firstEntry(
  { stores, log }: { readonly stores: Pick<Repositories, 'people'>; readonly log: Logger },
  sandboxProjectId: string | null,
  baseUrl: string,
): string | null {
  try {
    const path = entryPath(stores.people, sandboxProjectId)
    return path === null ? null : baseUrl + path
  } catch (err) {
    log.warn({ err }, 'first link not made')
    return null
  }
}

/** Outside the sandbox: what whoever starts the service first should read. */
export function inviteFirst(url: string | null): string {
  if (url === null) return ''
  return `\nThe dashboard has no account yet. This link makes the first one, once and within a day:\n\n  ${url}\n\n`
}

/** The stand-in's own recording of a channel, for as long as somebody listens. */
async function listenAlong(sandboxUrl: string, guildId: string, channelId: string): Promise<Readable> {
  const url = `${sandboxUrl}/sandbox/guilds/${guildId}/channels/${channelId}/listen.ogg`
  const { body, statusCode } = await request(url, { headersTimeout: 5000, bodyTimeout: 60_000 })
  if (statusCode === 200) return body
  body.destroy()
  throw new Fault('not_found', 'There is nothing to listen to.')
}
