import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Middleware } from 'koa'
import { request } from 'undici'
import type { App } from '../../api/http/app-context.ts'
import { SOURCE_STATE_WORDS, type SourceStatus } from '../../bot/sources/source-state.ts'
import type { BotManager } from '../../bot/discord/bot-manager.ts'
import type { EventBus } from '../../bot/events.ts'
import type { Sources } from '../../bot/sources/source.ts'
import type { Config } from '../../config.ts'
import { entryPath, openDashboard } from '../../web/dashboard/http/open-dashboard.ts'
import { Fault } from '../../lib/errors.ts'
import type { Jobs } from '../../jobs/queue/job-service.ts'
import type { Logger } from '../../lib/log.ts'
import { writePrivateFile } from '../../lib/process/private-files.ts'
import type { SandboxChild } from 'bandstand-sandbox'
import type { Repositories } from '../../db/repositories.ts'
import type { Forwarding } from '../../lib/sharing/forwarding.ts'
import type { RequestLog, RequestSearch } from '../../lib/request-log/request-log.ts'
import type { Egress } from '../../upstream/egress/egress-guard.ts'
import type { WebhookService } from '../../api/webhooks/webhook-service.ts'
import type { PublishOptions } from '../demo/demo.ts'
import type { WholeBots } from '../cluster/peers.ts'
import type { OpenLavalink } from '../lavalink/open-lavalink.ts'
import type { DiscordSignIn } from '../../upstream/discord/discord-oauth.ts'

export interface PageParts {
  readonly config: Config
  readonly stores: Repositories
  readonly sandbox: SandboxChild | null
  readonly bots: BotManager
  /** The bots with what other services run of them. */
  readonly whole: WholeBots
  /** The way to the services that run other players; null if this one runs all. */
  readonly peers: Forwarding | null
  readonly sources: Sources
  readonly events: EventBus
  readonly egress: Egress
  readonly jobs: Jobs
  readonly webhooks: WebhookService
  readonly requests: RequestLog & RequestSearch
  readonly lavalink: Pick<OpenLavalink, 'directory'> | null
  readonly log: Logger
}

export type CreatePages = (app: Pick<App, 'baseUrl'>, stopping: AbortSignal) => Middleware

/** The dashboard, on the port of the API. */
export function createDashboardPages(parts: PageParts, discord: DiscordSignIn | null): CreatePages {
  const { config, stores, sandbox, bots, whole, ...given } = parts
  const { people, projects, keys, pools, usage, members } = stores
  const { apiUrl } = config.discord
  const standIn = sandbox && { apiUrl: `${sandbox.url}/api`, called: 'The sandbox', sandbox: true }
  const real = { apiUrl, called: 'Discord', sandbox: false }
  // Local first; a bot that the stand-in does not know can still be a real one.
  const discords = [standIn, config.sandbox.mode === 'on' ? null : real].filter((it) => it !== null)
  const listen = sandbox && ((guildId: string, channelId: string) => listenAlong(sandbox.url, guildId, channelId))
  const playing = { ...whole, forwarding: given.peers, music: bots.music, trackMetadata: bots.trackMetadata }
  const { traceUrl } = config.requestLog
  const lavalink = given.lavalink?.directory ?? null
  const doing = { ...given, ...playing, lavalink, discord, discords, listen, traceUrl }
  const context = {
    ...people,
    projects,
    keys,
    bots: stores.bots,
    pools,
    usage,
    settings: members.settings,
    history: members.history,
    sourceSwitches: stores.sourceSwitches,
    ...doing,
  }
  const { trustedProxies } = config.api
  return (app, stopping) => openDashboard({ ...context, baseUrl: () => app.baseUrl }, { trustedProxies, stopping })
}

/** The URL that creates the first account; null if there are accounts, or no link can be saved. */
export async function firstEntry(
  { stores, log }: { readonly stores: Pick<Repositories, 'people'>; readonly log: Logger },
  sandboxProjectId: string | null,
  baseUrl: string,
): Promise<string | null> {
  try {
    const path = await entryPath(stores.people, sandboxProjectId)
    return path === null ? null : baseUrl + path
  } catch (err) {
    log.warn({ err }, 'first sign-in link failed')
    return null
  }
}

/**
 * Outside the sandbox: what the operator should read at the first start. Where no person reads standard output, the link is
 * in a file instead.
 */
export function inviteFirst(
  { dataDir, log, isTerminal }: PublishOptions,
  url: string | null,
  sources: readonly SourceStatus[],
): string {
  const file = join(dataDir, 'dashboard-link.txt')
  try {
    if (url === null || isTerminal) rmSync(file, { force: true })
    else writePrivateFile(file, `${url}\n`)
  } catch (err) {
    log.warn({ err }, 'dashboard-link.txt not written')
  }
  if (url === null) return ''
  const [where, what] = isTerminal ? ['this link', url] : ['the link in this file', file]
  const width = Math.max(...sources.map(({ title }) => title.length))
  const states = sources.map(({ title, state }) => `  ${title.padEnd(width)}  ${SOURCE_STATE_WORDS[state]}`)
  return `
Bandstand plays from:

${states.join('\n')}

You're responsible for complying with the terms of these sites. Set MUSIC_SOURCES in .env to choose the sources. This
line enables only your files, direct links and radio stations:

  MUSIC_SOURCES=library,http,radio

The dashboard has no account yet. Create the first one with ${where}, which works once and expires in one day:

  ${what}

`
}

/** The stand-in's stream of a channel, for as long as it is read. */
async function listenAlong(sandboxUrl: string, guildId: string, channelId: string): Promise<Readable> {
  const url = `${sandboxUrl}/sandbox/guilds/${guildId}/channels/${channelId}/listen.ogg`
  const { body, statusCode } = await request(url, { headersTimeout: 5000, bodyTimeout: 60_000 })
  if (statusCode === 200) return body
  body.destroy()
  throw new Fault('not_found', 'Nothing plays in this channel.')
}
