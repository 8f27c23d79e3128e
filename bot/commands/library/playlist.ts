import type { Invocation } from '../core/invocation.ts'
import { commandGroup, subcommand } from '../core/command.ts'
import { text } from '../core/options.ts'
import { Refusal } from '../core/error-message.ts'
import { replyPrivately } from '../core/reply.ts'
import { getPlayer } from '../permissions/rules.ts'
import { type AutocompleteChoice, cut } from '../core/autocomplete.ts'
import type { CommandContext } from '../core/command-context.ts'
import { runPlay } from '../playback/play.ts'
import { labelOf } from '../i18n/labels.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const playlistText = textOf('library', 'playlist')

const LONGEST_NAME = 50

const save = subcommand({
  rule: 'anyone',
  isPrivate: true,
  options: { name: text({ max: LONGEST_NAME }) },
  async run(invocation, context) {
    const { words } = invocation
    const name = invocation.options.name.trim()
    if (name === '') throw new Refusal(words.failed.invalid)
    const { current, queue } = await getPlayer(invocation, context)
    const tracks = [...(current ? [current] : []), ...queue].map(({ encoded }) => encoded)
    if (tracks.length === 0) throw new Refusal(words.refused.nothingPlays)
    await context.collections.savePlaylist(collector(invocation), { name, tracks })
    return replyPrivately(words.playlist.saved({ name, count: tracks.length }))
  },
})

const load = subcommand({
  rule: 'joiner',
  options: { name: text({ max: LONGEST_NAME, suggest: suggestPlaylists }) },
  async run(invocation, context) {
    const { name } = invocation.options
    const found = await context.collections.findPlaylist(collector(invocation), name.trim())
    if (!found) throw new Refusal(invocation.words.refused.noPlaylist({ name }))
    return runPlay(invocation, context, { playlist: found.tracks })
  },
})

const list = subcommand({
  rule: 'anyone',
  isPrivate: true,
  options: {},
  async run(invocation, { collections }) {
    const { playlist: words } = invocation.words
    const all = await collections.listPlaylists(collector(invocation))
    if (all.length === 0) return replyPrivately(words.none)
    const lines = all.map(({ name, count }) => `**${name}** · ${words.tracks({ count })}`)
    return replyPrivately({ embeds: [{ title: `🗂️ ${words.title}`, description: cut(lines.join('\n'), 4096) }] })
  },
})

const remove = subcommand({
  rule: 'anyone',
  isPrivate: true,
  options: { name: text({ max: LONGEST_NAME, suggest: suggestPlaylists }) },
  async run(invocation, { collections }) {
    const { name } = invocation.options
    const isGone = await collections.deletePlaylist(collector(invocation), name.trim())
    if (!isGone) throw new Refusal(invocation.words.refused.noPlaylist({ name }))
    return replyPrivately(invocation.words.playlist.deleted({ name }))
  },
})

export const playlist = commandGroup({
  name: 'playlist',
  labels: labelOf(playlistText),
  subcommands: { save, load, list, delete: remove },
})

async function suggestPlaylists(
  typed: string,
  invocation: Invocation,
  { collections }: CommandContext,
): Promise<readonly AutocompleteChoice[]> {
  const words = typed.trim().toLocaleLowerCase()
  const all = await collections.listPlaylists(collector(invocation))
  return all
    .filter(({ name }) => name.toLocaleLowerCase().includes(words))
    .slice(0, 25)
    .map(({ name, count }) => ({ name: `${name} · ${invocation.words.playlist.tracks({ count })}`, value: name }))
}

function collector({ scope: { botId }, member }: Invocation) {
  return { botId, userId: member.id }
}
