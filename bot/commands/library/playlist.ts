import type { Invocation, CommandContext } from '../core/invocation.ts'
import { commandGroup, subcommand } from '../core/command.ts'
import { decodeToken } from '../../tracks/track-token.ts'
import { optional, text, labelOf } from '../core/options.ts'
import { Refusal, replyPrivately, say } from '../core/reply.ts'
import { getPlayer } from '../permissions/rules.ts'
import { MOST_CHOICES, cut } from '../core/autocomplete.ts'
import { nameTrack } from '../i18n/format.ts'
import { runPlay, suggestTracks } from '../playback/play.ts'
import { collector, currentTrack } from './favourites.ts'
import { drawPlaylist, drawShared } from './shared-playlist.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const playlistText = textOf('library', 'playlist')

const LONGEST_NAME = 50

const save = subcommand({
  rule: 'anyone',
  isPrivate: true,
  options: { name: text({ max: LONGEST_NAME }) },
  async run(invocation, context) {
    const { words } = invocation
    const name = readName(invocation, invocation.options.name)
    const { current, queue } = await getPlayer(invocation, context)
    const tracks = [...(current ? [current] : []), ...queue].map(({ encoded }) => encoded)
    if (tracks.length === 0) throw new Refusal(words.refused.nothingPlays)
    await context.collections.savePlaylist(collector(invocation), { name, tracks })
    return replyPrivately(words.playlist.saved({ name, count: tracks.length }))
  },
})

const add = subcommand({
  rule: 'anyone',
  isPrivate: true,
  options: {
    name: text({ max: LONGEST_NAME, suggest: suggestPlaylists }),
    query: optional(text({ max: 500, suggest: suggestTracks })),
  },
  async run(invocation, context) {
    const { scope, options, words } = invocation
    const name = readName(invocation, options.name)
    const found =
      options.query === null
        ? { tracks: [await currentTrack(invocation, context)], total: null }
        : await context.music.find(scope, context.suggestions.take(options.query))
    const tracks = found.tracks.map(({ encoded }) => encoded)
    await context.collections.addToPlaylist(collector(invocation), { name, tracks })
    const [first = '', another] = tracks
    const { total } = found
    if (total !== null && tracks.length < total)
      return replyPrivately(words.playlist.addedPart({ name, count: tracks.length, total }))
    return replyPrivately(
      another === undefined
        ? words.playlist.added({ name, track: nameTrack(decodeToken(first)) })
        : words.playlist.addedMany({ name, count: tracks.length }),
    )
  },
})

const rename = subcommand({
  rule: 'anyone',
  isPrivate: true,
  options: { name: text({ max: LONGEST_NAME, suggest: suggestPlaylists }), to: text({ max: LONGEST_NAME }) },
  async run(invocation, { collections }) {
    const { words } = invocation
    const name = invocation.options.name.trim()
    const to = readName(invocation, invocation.options.to)
    const outcome = await collections.renamePlaylist(collector(invocation), name, to)
    if (outcome === 'missing') throw new Refusal(words.refused.noPlaylist({ name }))
    if (outcome === 'taken') throw new Refusal(words.playlist.taken({ name: to }))
    return replyPrivately(words.playlist.renamed({ name, to }))
  },
})

const share = subcommand({
  rule: 'anyone',
  options: { name: text({ max: LONGEST_NAME, suggest: suggestPlaylists }) },
  async run(invocation, context) {
    const found = await getPlaylist(invocation, context, invocation.options.name)
    return say({ embeds: [drawPlaylist(found, invocation)], rows: [drawShared(found, invocation)] })
  },
})

const load = subcommand({
  rule: 'joiner',
  options: { name: text({ max: LONGEST_NAME, suggest: suggestPlaylists }) },
  async run(invocation, context) {
    const { tracks } = await getPlaylist(invocation, context, invocation.options.name)
    return runPlay(invocation, context, { playlist: tracks })
  },
})

const list = subcommand({
  rule: 'anyone',
  isPrivate: true,
  options: { name: optional(text({ max: LONGEST_NAME, suggest: suggestPlaylists })) },
  async run(invocation, context) {
    const { playlist: words } = invocation.words
    const { name } = invocation.options
    if (name !== null) {
      return replyPrivately({ embeds: [drawPlaylist(await getPlaylist(invocation, context, name), invocation)] })
    }
    const all = await context.collections.listPlaylists(collector(invocation))
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
  subcommands: { save, add, load, list, share, rename, delete: remove },
})

/** @throws {Refusal} for a name of blanks. */
function readName({ words }: Invocation, given: string): string {
  const name = given.trim()
  if (name === '') throw new Refusal(words.failed.invalid)
  return name
}

/** @throws {Refusal} if there is none of this name. */
async function getPlaylist(invocation: Invocation, { collections }: CommandContext, name: string) {
  const found = await collections.findPlaylist(collector(invocation), name.trim())
  if (!found) throw new Refusal(invocation.words.refused.noPlaylist({ name }))
  return found
}

async function suggestPlaylists(typed: string, invocation: Invocation, { collections }: CommandContext) {
  const words = typed.trim().toLocaleLowerCase()
  const all = await collections.listPlaylists(collector(invocation))
  return all
    .filter(({ name }) => name.toLocaleLowerCase().includes(words))
    .slice(0, MOST_CHOICES)
    .map(({ name, count }) => ({ name: `${name} · ${invocation.words.playlist.tracks({ count })}`, value: name }))
}
