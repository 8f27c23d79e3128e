import type { Call } from '../core/invocation.ts'
import { commandGroup, deed } from '../core/command.ts'
import { labelsOf } from '../labels/index.ts'
import { text, type Choice } from '../core/options.ts'
import { Refusal } from '../core/error-message.ts'
import { whisper } from '../core/reply.ts'
import { getPlayer } from '../permissions/rules.ts'
import { cut } from '../core/autocomplete.ts'
import type { CommandContext } from '../core/command-context.ts'
import { playWish } from './play.ts'

const LONGEST_NAME = 50

const save = deed({
  rule: 'anyone',
  isPrivate: true,
  options: { name: text({ max: LONGEST_NAME }) },
  async run(call, tools) {
    const { words } = call
    const name = call.options.name.trim()
    if (name === '') throw new Refusal(words.failed.invalid)
    const { current, queue } = await getPlayer(call, tools)
    const tracks = [...(current ? [current] : []), ...queue].map(({ encoded }) => encoded)
    if (tracks.length === 0) throw new Refusal(words.refused.nothingPlays)
    tools.collections.savePlaylist(collector(call), { name, tracks })
    return whisper(words.playlist.saved(name, tracks.length))
  },
})

const load = deed({
  rule: 'joiner',
  options: { name: text({ max: LONGEST_NAME, suggest: suggestPlaylists }) },
  async run(call, tools) {
    const { name } = call.options
    const found = tools.collections.findPlaylist(collector(call), name.trim())
    if (!found) throw new Refusal(call.words.refused.noPlaylist(name))
    return playWish(call, tools, { playlist: found.tracks })
  },
})

const list = deed({
  rule: 'anyone',
  isPrivate: true,
  options: {},
  async run(call, { collections }) {
    const { playlist: words } = call.words
    const all = collections.listPlaylists(collector(call))
    if (all.length === 0) return whisper(words.none)
    const lines = all.map(({ name, count }) => `**${name}** · ${words.tracks(count)}`)
    return whisper({ embeds: [{ title: `🗂️ ${words.title}`, description: cut(lines.join('\n'), 4096) }] })
  },
})

const remove = deed({
  rule: 'anyone',
  isPrivate: true,
  options: { name: text({ max: LONGEST_NAME, suggest: suggestPlaylists }) },
  async run(call, { collections }) {
    const { name } = call.options
    const isGone = collections.deletePlaylist(collector(call), name.trim())
    if (!isGone) throw new Refusal(call.words.refused.noPlaylist(name))
    return whisper(call.words.playlist.deleted(name))
  },
})

export const playlist = commandGroup({
  name: 'playlist',
  labels: labelsOf('playlist'),
  subcommands: { save, load, list, delete: remove },
})

async function suggestPlaylists(
  typed: string,
  call: Call,
  { collections }: CommandContext,
): Promise<readonly Choice[]> {
  const words = typed.trim().toLocaleLowerCase()
  return collections
    .listPlaylists(collector(call))
    .filter(({ name }) => name.toLocaleLowerCase().includes(words))
    .slice(0, 25)
    .map(({ name, count }) => ({ name: `${name} · ${call.words.playlist.tracks(count)}`, value: name }))
}

function collector({ who: { botId }, member }: Call) {
  return { botId, userId: member.id }
}
