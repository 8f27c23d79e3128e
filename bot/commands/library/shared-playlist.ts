import type { APIEmbed } from 'discord.js'
import { z } from 'zod'
import { decodeToken } from '../../tracks/track-token.ts'
import { markOf } from '../core/autocomplete.ts'
import { customId } from '../core/custom-id.ts'
import { component } from '../core/component.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import { button, row, replyPrivately, type Row, Refusal } from '../core/reply.ts'
import { count, description, title } from '../core/embed-format.ts'
import { nameTrack, showTime } from '../i18n/format.ts'
import { runPlay } from '../playback/play.ts'

const MOST_SHOWN = 15

/** The member whose playlist it is, and the mark of its name, which may be too long for an id. */
const about = z.tuple([z.string().regex(/^\d{1,20}$/), z.string().max(20)])
const PLAY_ID = customId('shared', about)
const COPY_ID = customId('copy', about)

interface Playlist {
  readonly name: string
  readonly tracks: readonly string[]
}

/** The beginning of a playlist. */
export function drawPlaylist({ name, tracks }: Playlist, { words, language }: Invocation): APIEmbed {
  const lines = tracks.slice(0, MOST_SHOWN).map((encoded, index) => {
    const info = decodeToken(encoded)
    return `\`${index + 1}.\` ${nameTrack(info)} \`${info.isStream ? words.card.live : showTime(info.lengthMs)}\``
  })
  if (tracks.length > MOST_SHOWN) lines.push(`… +${count(language, tracks.length - MOST_SHOWN)}`)
  const footer = { text: words.playlist.tracks({ count: tracks.length }) }
  return { title: `🗂️ ${title(name)}`.slice(0, 256), description: description(lines.join('\n')), footer }
}

/** Buttons by which others play the playlist, or keep a copy. It is the playlist as it is at that moment. */
export function drawShared({ name }: Playlist, { member, words }: Invocation): Row {
  const mark = nameMark(name)
  return row(
    button(PLAY_ID.of(member.id, mark), '▶️', words.playlist.play),
    button(COPY_ID.of(member.id, mark), '📥', words.playlist.copy),
  )
}

export const playShared = component({
  id: PLAY_ID,
  rule: 'joiner',
  run: async (invocation, context) =>
    runPlay(invocation, context, { playlist: (await findShared(invocation, context)).tracks }),
})

export const copyShared = component({
  id: COPY_ID,
  rule: 'anyone',
  async run(invocation, context) {
    const { scope, member, words } = invocation
    const found = await findShared(invocation, context)
    const own = { botId: scope.botId, userId: member.id }
    if (await context.collections.findPlaylist(own, found.name))
      throw new Refusal(words.playlist.taken({ name: found.name }))
    await context.collections.savePlaylist(own, found)
    return replyPrivately(words.playlist.saved({ name: found.name, count: found.tracks.length }))
  },
})

/** @throws {Refusal} if its member has deleted or renamed it. */
async function findShared(
  { scope, words, options: [userId, mark] }: Invocation<z.output<typeof about>>,
  { collections }: CommandContext,
): Promise<Playlist> {
  const owner = { botId: scope.botId, userId }
  const named = (await collections.listPlaylists(owner)).find(({ name }) => nameMark(name) === mark)
  const found = named && (await collections.findPlaylist(owner, named.name))
  if (!found) throw new Refusal(words.playlist.gone)
  return found
}

function nameMark(name: string): string {
  return markOf(name.toLowerCase())
}
