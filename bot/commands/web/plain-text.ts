import type { Guild } from 'discord.js'

/** Longer than any answer of a command. */
const LONGEST = 2000

/** An answer of a command without Discord's markup: names instead of mentions, titles instead of links. */
export function toPlainText(text: string, guild: Guild): string {
  return text
    .slice(0, LONGEST)
    .replaceAll(/<(@&|@!|@|#)(\d{1,20})>/gu, (_, kind: string, id: string) => nameOf(guild, kind, id))
    .replaceAll('**[', '')
    .replaceAll(/\]\(<[^<>]{0,300}>\)/gu, '')
    .replaceAll('**', '')
    .replaceAll(/\\([^\w\s])/gu, '$1')
}

function nameOf({ channels, roles, members }: Guild, kind: string, id: string): string {
  if (kind === '#') return `#${channels.cache.get(id)?.name ?? '…'}`
  if (kind === '@&') return `@${roles.cache.get(id)?.name ?? '…'}`
  return `@${members.cache.get(id)?.displayName ?? '…'}`
}
