import { ButtonStyle, ComponentType } from 'discord.js'
import { command } from '../core/command.ts'
import { flag, optional, labelOf } from '../core/options.ts'
import { Refusal, row, replyPrivately } from '../core/reply.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const webText = textOf('web', 'web')

export const web = command({
  name: 'web',
  labels: labelOf(webText),
  rule: 'anyone',
  isPrivate: true,
  options: { signout: optional(flag()) },
  async run({ scope, guildId, channelId, member, locale, language, options }, { webLinks }) {
    const { words } = webText[language]
    if (!webLinks) throw new Refusal(words.off)
    const who = { projectId: scope.projectId, guildId, userId: member.id }
    if (options.signout) return replyPrivately(words.signedOut({ count: await webLinks.endAll(who) }))
    const url = await webLinks.createUrl({ ...who, channelId, locale })
    const open = row({ type: ComponentType.Button, style: ButtonStyle.Link, label: words.open, url })
    return replyPrivately({ text: words.link, rows: [open] })
  },
})
