import type { APIEmbed } from 'discord.js'
import type { Invocation, CommandContext } from '../core/invocation.ts'
import { bareId } from '../core/custom-id.ts'
import { component } from '../core/component.ts'
import { menuRow, replyPrivately, type Row, Refusal } from '../core/reply.ts'
import { commandGroup, subcommand } from '../core/command.ts'
import { optional, text, whole, labelOf } from '../core/options.ts'
import type { EncodedTrack } from '../../tracks/track.ts'
import { decodeToken } from '../../tracks/track-token.ts'
import { getPlayer } from '../permissions/rules.ts'
import { MOST_CHOICES, cut, markOf, choiceName } from '../core/autocomplete.ts'
import { nameTrack, showTime } from '../i18n/format.ts'
import { runPlay } from '../playback/play.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const favouritesText = textOf('library', 'favourites')

const PER_PAGE = 15
const MENU_ID = bareId('favourite')

const add = subcommand({
  rule: 'anyone',
  isPrivate: true,
  options: {},
  run: async (invocation, context) => replyPrivately(await keepCurrent(invocation, context)),
})

const list = subcommand({
  rule: 'anyone',
  isPrivate: true,
  options: { page: optional(whole({ min: 1, max: 100 })) },
  async run(invocation, context) {
    const all = await getFavourites(invocation, context)
    const pages = Math.ceil(all.length / PER_PAGE)
    const page = Math.min(invocation.options.page ?? 1, pages)
    const first = (page - 1) * PER_PAGE
    const lines = all.slice(first, first + PER_PAGE).map((encoded, index) => {
      const info = decodeToken(encoded)
      return `\`${first + index + 1}.\` ${nameTrack(info)} \`${showTime(info.lengthMs)}\``
    })
    const embed: APIEmbed = {
      title: `⭐ ${invocation.words.favourites.title}`,
      description: lines.join('\n').slice(0, 4096),
      footer: { text: invocation.words.queue.page({ page, pages }) },
    }
    return replyPrivately({ embeds: [embed], rows: [drawMenu(all.slice(first, first + PER_PAGE), invocation)] })
  },
})

const playOne = subcommand({
  rule: 'joiner',
  options: { track: optional(text({ max: 100, suggest: suggestFavourites })) },
  async run(invocation, context) {
    const { track } = invocation.options
    if (track === null) return runPlay(invocation, context, { playlist: await getFavourites(invocation, context) })
    return runPlay(invocation, context, { encoded: await getFavourite(invocation, context, track) })
  },
})

const remove = subcommand({
  rule: 'anyone',
  isPrivate: true,
  options: { track: text({ max: 100, suggest: suggestFavourites }) },
  async run(invocation, context) {
    const encoded = await getFavourite(invocation, context, invocation.options.track)
    await context.collections.removeFavourite(collector(invocation), encoded)
    return replyPrivately(invocation.words.favourites.removed({ track: nameTrack(decodeToken(encoded)) }))
  },
})

export const favourites = commandGroup({
  name: 'favourites',
  labels: labelOf(favouritesText),
  subcommands: { add, list, play: playOne, remove },
})

export const favouriteMenu = component({
  id: MENU_ID,
  rule: 'joiner',
  run: async (invocation, context, { values: [chosen = ''] }) =>
    runPlay(invocation, context, { encoded: await getFavourite(invocation, context, chosen) }),
})

/** Adds what plays to the member's favourites. @returns what to say of it. */
export async function keepCurrent(invocation: Invocation, context: CommandContext): Promise<string> {
  const { words } = invocation
  const current = await currentTrack(invocation, context)
  const isNew = await context.collections.addFavourite(collector(invocation), current.encoded)
  return isNew
    ? words.favourites.added({ track: nameTrack(current) })
    : words.favourites.known({ track: nameTrack(current) })
}

/** @throws {Refusal} if nothing plays. */
export async function currentTrack(invocation: Invocation, context: CommandContext): Promise<EncodedTrack> {
  const { current } = await getPlayer(invocation, context)
  if (!current) throw new Refusal(invocation.words.refused.nothingPlays)
  return current
}

function drawMenu(tracks: readonly string[], { words }: Invocation): Row {
  const options = tracks.map((encoded) => ({
    label: cut(choiceName(decodeToken(encoded)), 100),
    value: markOf(encoded),
  }))
  return menuRow(MENU_ID.of(), { options, placeholder: `▶️ ${words.favourites.choose}` })
}

/** @throws {Refusal} if there are none. */
async function getFavourites(invocation: Invocation, { collections }: CommandContext): Promise<readonly string[]> {
  const all = await collections.favourites(collector(invocation))
  if (all.length === 0) throw new Refusal(invocation.words.refused.noFavourites)
  return all
}

/** The chosen favourite, or the first whose name contains the typed text. @throws {Refusal} if none matches. */
async function getFavourite(invocation: Invocation, context: CommandContext, chosen: string): Promise<string> {
  const all = await getFavourites(invocation, context)
  const found = all.find((encoded) => markOf(encoded) === chosen) ?? all.find((encoded) => isCalled(encoded, chosen))
  if (found === undefined) throw new Refusal(invocation.words.refused.notAFavourite)
  return found
}

async function suggestFavourites(typed: string, invocation: Invocation, { collections }: CommandContext) {
  const all = await collections.favourites(collector(invocation))
  const fitting = all.filter((encoded) => isCalled(encoded, typed))
  return fitting
    .slice(0, MOST_CHOICES)
    .map((encoded) => ({ name: choiceName(decodeToken(encoded)), value: markOf(encoded) }))
}

function isCalled(encoded: string, words: string): boolean {
  return choiceName(decodeToken(encoded)).toLocaleLowerCase().includes(words.trim().toLocaleLowerCase())
}

/** Whose favourites and playlists they are. */
export function collector({ scope: { botId }, member }: Invocation) {
  return { botId, userId: member.id }
}
