import { PERMISSION_NAMES } from '../../../../bot/permissions/permission-table.ts'
import { keyState } from '../../../../db/projects/keys.ts'
import { textOf, textsOf } from '../../../../lib/texts/texts.ts'
import { isAtLeast, type ProjectRequest } from '../../http/page-request.ts'
import { keyLabel } from '../../ui/components.ts'
import type { ShownPlayer } from '../players/search.ts'
import { webhookName } from '../webhooks/webhook.ts'

const COMMON = textsOf('dashboard-common')
const KEYS = textsOf('dashboard-keys')
const PERMISSIONS = textOf('permissions', 'permission')
const PLAYER = textsOf('dashboard-player')
const PROJECTS = textsOf('dashboard-projects')
const WEBHOOKS = textsOf('dashboard-webhooks')

/** One line of the command palette. */
export interface Hit {
  readonly title: string
  /** What kind of thing it is, and what tells it from others. */
  readonly more: string
  readonly to: string
}

/** Fields of a page, by the names that its address has behind the `#`. */
function fieldsOf(to: string, more: string, fields: Readonly<Record<string, string>>): readonly Hit[] {
  return Object.entries(fields).map(([name, title]) => ({ title, more, to: `${to}#${name}` }))
}

/** Single settings that the reader may see or change. */
export async function settingsHits(
  request: ProjectRequest,
  base: string,
  players: readonly ShownPlayer[],
): Promise<readonly Hit[]> {
  const { context, project, account, language } = request
  const { name, plan, id, limits, aggregate: total, players: most } = PROJECTS[language]
  const { settings, classes } = COMMON[language]
  const { player: _, ...metered } = classes
  const limit = Object.entries({ ...metered, total, players: most }).map(([key, title]) => [`limit-${key}`, title])
  const isOwner = project.role === 'owner'
  const own = { ...(isOwner && { name }), ...(isOwner && account.isOperator && { plan }), 'project-id': id }
  const { names } = PERMISSIONS[language]
  const rules = Object.fromEntries(PERMISSION_NAMES.map((permission) => [permission, names[permission]]))
  const servers = (await context.bots.list(project.id)).flatMap((bot) =>
    context.fleet.guildsOf(bot.id).map((guild) => ({ bot, guild })),
  )
  return [
    ...fieldsOf(`${base}/settings`, settings, own),
    ...fieldsOf(base, limits, Object.fromEntries(limit)),
    ...(isAtLeast(project.role, 'manager') ? await changeable(request, base, players) : []),
    ...servers.flatMap(({ bot, guild }) =>
      fieldsOf(`${base}/bots/${bot.id}/guilds/${guild.id}`, `${guild.name} · ${bot.name}`, rules),
    ),
  ]
}

async function changeable(
  { context, project, language }: ProjectRequest,
  base: string,
  players: readonly ShownPlayer[],
) {
  const { palette } = COMMON[language]
  const { webhook, url, description, events, bots } = WEBHOOKS[language]
  const { volume, loop, autoplay, crossfade: crossfadeMs, fade: fadeMs, sleep: minutes, preset } = PLAYER[language]
  const { name, expires, allow, classes } = KEYS[language]
  const hooks = await context.webhooks.webhooks.list(project.id)
  const keys = (await context.keys.list(project.id)).filter((key) => keyState(key, context.now()) === 'active')
  const sound = { volume, loop, autoplay, crossfadeMs, fadeMs, minutes, preset }
  const edited = { url, description, events, bots }
  return [
    ...hooks.flatMap((it) => fieldsOf(`${base}/webhooks/${it.id}/edit`, `${webhook} · ${webhookName(it)}`, edited)),
    ...players.flatMap(({ address, guildName }) => fieldsOf(address, `${palette.player} · ${guildName}`, sound)),
    ...keys.flatMap((key) =>
      fieldsOf(`${base}/keys/${key.id}`, `${palette.key} · ${keyLabel(key)}`, { name, expires, allow, classes }),
    ),
  ]
}
