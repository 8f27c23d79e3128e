import { html, type Markup } from '../../../../lib/html.ts'
import { PERMISSION_NAMES, PERMISSIONS, ruleOf } from '../../../../bot/permissions/permission-table.ts'
import { Fault } from '../../../../lib/errors.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import type { HtmlPage } from '../../http/route.ts'
import { head, number } from '../../ui/components.ts'
import { table } from '../../../ui/table.ts'
import { botOf } from './show.ts'
import { textOf, textsOf } from '../../../../lib/texts/texts.ts'

const permissionText = textOf('permissions', 'permission')
const PERMISSION_WORDS = textsOf('dashboard-permissions')

/** Shows who may command the player of a guild, as its members set it with `/settings permissions`. */
export async function permissionsPage(request: ProjectRequest): Promise<HtmlPage> {
  const { context, project, language, params } = request
  const bot = await botOf(request)
  const guild = context.fleet.guildsOf(bot.id).find(({ id }) => id === params['guildId'])
  if (!guild) throw new Fault('not_found', "The bot isn't in a server with this ID.")
  const w = PERMISSION_WORDS[language]
  const settings = await context.settings.get(bot.id, guild.id)
  const { names, rules } = permissionText[language]
  const rows = PERMISSION_NAMES.map((permission): Markup => {
    const rule = ruleOf(settings, permission)
    const isChanged = rule !== PERMISSIONS[permission].rule
    return html`<tr id="${permission}" tabindex="-1">
      <th scope="row">${names[permission]}</th>
      <td>${rules[rule]} ${isChanged && html`<small>${w.changed}</small>`}</td>
    </tr>`
  })
  const back = { to: `/dashboard/projects/${project.id}/bots/${bot.id}`, label: bot.name }
  return {
    kind: 'page',
    title: w.title({ guild: guild.name }),
    body: html`${head(w.title({ guild: guild.name }), { lead: w.lead, back })}
      <dl class="facts">
        <dt>${w.djs}</dt>
        <dd>${settings.djRoleId === null ? w.managersOnly : html`<code>${settings.djRoleId}</code>`}</dd>
        <dt>${w.votes}</dt>
        <dd>${w.share({ percent: number(language, Math.round(settings.voteRatio * 100)) })}</dd>
      </dl>
      ${table(w.caption, [[w.permission, 'name'], w.who], rows)}
      <p class="hint">${w.always}</p>`,
  }
}
