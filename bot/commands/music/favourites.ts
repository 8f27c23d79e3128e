import { ComponentType, type APIEmbed } from 'discord.js'
import { z } from 'zod'
import type { Call } from '../core/invocation.ts'
import { component, customId } from '../core/component.ts'
import { commandGroup, deed } from '../core/command.ts'
import { labelsOf } from '../labels/index.ts'
import { optional, text, whole, type Choice } from '../core/options.ts'
import { decodeToken } from '../../tracks/track-token.ts'
import { Refusal } from '../core/error-message.ts'
import { whisper, type Row } from '../core/reply.ts'
import { getPlayer } from '../permissions/rules.ts'
import { cut, markOf, nameOf } from '../core/autocomplete.ts'
import type { CommandContext } from '../core/command-context.ts'
import { nameTrack, showTime } from '../i18n/format.ts'
import { playWish } from './play.ts'

const PER_PAGE = 15
const MENU_ID = customId('favourite', z.tuple([]))

const add = deed({
  rule: 'anyone',
  isPrivate: true,
  options: {},
  async run(call, tools) {
    const { words } = call
    const { current } = await getPlayer(call, tools)
    if (!current) throw new Refusal(words.refused.nothingPlays)
    const isNew = tools.collections.addFavourite(collector(call), current.encoded)
    return whisper(isNew ? words.favourites.added(nameTrack(current)) : words.favourites.known(nameTrack(current)))
  },
})

const list = deed({
  rule: 'anyone',
  isPrivate: true,
  options: { page: optional(whole({ min: 1, max: 100 })) },
  async run(call, tools) {
    const all = getFavourites(call, tools)
    const pages = Math.ceil(all.length / PER_PAGE)
    const page = Math.min(call.options.page ?? 1, pages)
    const first = (page - 1) * PER_PAGE
    const lines = all.slice(first, first + PER_PAGE).map((encoded, index) => {
      const info = decodeToken(encoded)
      return `\`${first + index + 1}.\` ${nameTrack(info)} \`${showTime(info.lengthMs)}\``
    })
    const embed: APIEmbed = {
      title: `⭐ ${call.words.favourites.title}`,
      description: lines.join('\n').slice(0, 4096),
      footer: { text: call.words.queue.page(page, pages) },
    }
    return whisper({ embeds: [embed], rows: [drawMenu(all.slice(first, first + PER_PAGE), call)] })
  },
})

const playOne = deed({
  rule: 'joiner',
  options: { track: optional(text({ max: 100, suggest: suggestFavourites })) },
  async run(call, tools) {
    const { track } = call.options
    if (track === null) return playWish(call, tools, { playlist: getFavourites(call, tools) })
    return playWish(call, tools, { encoded: getFavourite(call, tools, track) })
  },
})

const remove = deed({
  rule: 'anyone',
  isPrivate: true,
  options: { track: text({ max: 100, suggest: suggestFavourites }) },
  async run(call, tools) {
    const encoded = getFavourite(call, tools, call.options.track)
    tools.collections.removeFavourite(collector(call), encoded)
    return whisper(call.words.favourites.removed(nameTrack(decodeToken(encoded))))
  },
})

export const favourites = commandGroup({
  name: 'favourites',
  labels: labelsOf('favourites'),
  subcommands: { add, list, play: playOne, remove },
})

/** The menu beneath the list. */
export const favouriteMenu = component({
  id: MENU_ID,
  rule: 'joiner',
  run: async (call, tools, { values: [chosen = ''] }) =>
    playWish(call, tools, { encoded: getFavourite(call, tools, chosen) }),
})

function drawMenu(tracks: readonly string[], { words }: Call): Row {
  const options = tracks.map((encoded) => ({ label: cut(nameOf(decodeToken(encoded)), 100), value: markOf(encoded) }))
  const menu = { type: ComponentType.StringSelect as const, custom_id: MENU_ID.of(), options }
  return { type: ComponentType.ActionRow, components: [{ ...menu, placeholder: `▶️ ${words.favourites.choose}` }] }
}

/** @throws {Refusal} where there are none. */
function getFavourites(call: Call, { collections }: CommandContext): readonly string[] {
  const all = collections.favourites(collector(call))
  if (all.length === 0) throw new Refusal(call.words.refused.noFavourites)
  return all
}

/** What was chosen, or typed: the first whose name has it in it. @throws {Refusal} where there is no such. */
function getFavourite(call: Call, tools: CommandContext, chosen: string): string {
  const all = getFavourites(call, tools)
  const found = all.find((encoded) => markOf(encoded) === chosen) ?? all.find((encoded) => isCalled(encoded, chosen))
  if (found === undefined) throw new Refusal(call.words.refused.notAFavourite)
  return found
}

async function suggestFavourites(
  typed: string,
  call: Call,
  { collections }: CommandContext,
): Promise<readonly Choice[]> {
  const fitting = collections.favourites(collector(call)).filter((encoded) => isCalled(encoded, typed))
  return fitting.slice(0, 25).map((encoded) => ({ name: nameOf(decodeToken(encoded)), value: markOf(encoded) }))
}

function isCalled(encoded: string, words: string): boolean {
  return nameOf(decodeToken(encoded)).toLocaleLowerCase().includes(words.trim().toLocaleLowerCase())
}

function collector({ who: { botId }, member }: Call) {
  return { botId, userId: member.id }
}
