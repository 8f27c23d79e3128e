import { PERMISSION_NAMES, PERMISSION_RULES, ruleOf, rulesOf, PERMISSIONS } from '../../permissions/permission-table.ts'
import type { Invocation, CommandContext } from '../core/invocation.ts'
import { subcommand } from '../core/command.ts'
import { choice, optional } from '../core/options.ts'
import { replyPrivately } from '../core/reply.ts'
import { assertAllowed } from '../permissions/rules.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const permissionsText = textOf('settings', 'permissions')

/** Shows who may do what, and changes it: one permission or all of them, to a rule or back to its default. */
export const permissions = subcommand({
  rule: 'anyone',
  isPrivate: true,
  options: { action: optional(choice(PERMISSION_NAMES)), who: optional(choice(PERMISSION_RULES)) },
  async run(invocation, context) {
    const { action, who } = invocation.options
    if (action === null && who === null) return show(invocation, context, '')
    await assertAllowed('manager', invocation, context)
    const { scope, guildId, language, words } = invocation
    const text = permissionsText[language].words
    if (action !== null && who !== null && !rulesOf(action).includes(who)) {
      return replyPrivately(text.impossible({ what: words.permissions.names[action] }))
    }
    await context.settings.change(scope.botId, guildId, (now) => {
      const set = { ...now.permissions }
      for (const one of action === null ? PERMISSION_NAMES : [action]) {
        if (who === null) delete set[one]
        else if (rulesOf(one).includes(who)) set[one] = who
      }
      return { permissions: set }
    })
    context.settingsChanged(guildId)
    return show(invocation, context, words.settings.saved)
  },
})

async function show({ scope, guildId, language, words }: Invocation, { settings }: CommandContext, said: string) {
  const now = await settings.get(scope.botId, guildId)
  const { names, rules } = words.permissions
  const text = permissionsText[language].words
  const lines = PERMISSION_NAMES.map((permission) => {
    const rule = ruleOf(now, permission)
    const mark = rule === PERMISSIONS[permission].rule ? '' : ` · ${text.changed}`
    return `**${names[permission]}:** ${rules[rule]}${mark}`
  })
  const djs = now.djRoleId === null ? words.settings.managersOnly : `<@&${now.djRoleId}>`
  const description = [text.intro({ djs, percent: Math.round(now.voteRatio * 100) }), '', ...lines].join('\n')
  return replyPrivately({ text: said, embeds: [{ title: `🔐 ${text.title}`, description }] })
}
