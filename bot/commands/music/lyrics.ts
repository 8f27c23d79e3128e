import { ButtonStyle, ComponentType, type APIButtonComponentWithCustomId, type APIEmbed } from 'discord.js'
import { z } from 'zod'
import type { LyricsOf } from '../../../upstream/music/lyrics.ts'
import { Fault } from '../../../lib/errors.ts'
import type { EncodedTrack } from '../../tracks/track.ts'
import type { Call } from '../core/invocation.ts'
import { command } from '../core/command.ts'
import { component, customId } from '../core/component.ts'
import { ENOUGH_ID, showLine } from '../card/live-lyrics-text.ts'
import { labelsOf } from '../labels/index.ts'
import { flag, optional } from '../core/options.ts'
import { Refusal } from '../core/error-message.ts'
import { NOTHING, update, whisper, type Answer, type Content, type Row } from '../core/reply.ts'
import { assertAllowed, getPlayer } from '../permissions/rules.ts'
import { cut, nameOf } from '../core/autocomplete.ts'
import type { CommandContext } from '../core/command-context.ts'
import { nameTrack } from '../i18n/format.ts'

const LINES_PER_PAGE = 40
const LONGEST_PAGE = 4000
const MOST_PAGES = 200

const PAGE_ID = customId('lyrics', z.tuple([z.coerce.number().int().min(1).max(MOST_PAGES)]))
const FOLLOW_ID = customId('follow', z.tuple([]))

export const lyrics = command({
  name: 'lyrics',
  labels: labelsOf('lyrics'),
  rule: 'anyone',
  isPrivate: true,
  options: { follow: optional(flag()) },
  async run(call, tools) {
    if (!call.options.follow) return whisper(await showLyrics(call, tools, 1))
    await assertAllowed('listener', call, tools)
    return whisper(await follow(call, tools))
  },
})

export const lyricsPage = component({
  id: PAGE_ID,
  rule: 'anyone',
  run: async (call, tools) => update(await showLyrics(call, tools, call.options[0])),
})

export const followButton = component({
  id: FOLLOW_ID,
  rule: 'listener',
  run: async (call, tools) => update({ text: await follow(call, tools), embeds: [], rows: [] }),
})

/** Whoever listens may end the message that follows the music; one that a crash left behind follows nothing any more. */
export const enoughButton = component({
  id: ENOUGH_ID,
  rule: 'listener',
  async run({ guildId, words }, { following }): Promise<Answer> {
    return following.end(guildId) ? NOTHING : update({ text: words.lyrics.over, embeds: [], rows: [] })
  },
})

/** The words of what plays, page by page. */
export async function showLyrics(call: Call, tools: CommandContext, wanted: number): Promise<Content> {
  const { words } = call
  const { track, found } = await find(call, tools)
  if (found.instrumental) return { text: words.lyrics.instrumental(nameTrack(track)) }
  const pages = toPages(found)
  const page = Math.min(wanted, pages.length)
  const embed: APIEmbed = {
    title: cut(`🎤 ${nameOf(track)}`, 256),
    description: pages[page - 1] ?? '',
    footer: {
      text: [...(pages.length > 1 ? [words.queue.page(page, pages.length)] : []), words.lyrics.source].join(' · '),
    },
  }
  const buttons = [
    ...(page > 1 ? [button(PAGE_ID.of(page - 1), '◀️', words.queue.back)] : []),
    ...(page < pages.length ? [button(PAGE_ID.of(page + 1), '▶️', words.queue.forward)] : []),
    ...(found.synced ? [button(FOLLOW_ID.of(), '🎤', words.lyrics.follow)] : []),
  ]
  const rows: Row[] = buttons.length > 0 ? [{ type: ComponentType.ActionRow, components: buttons }] : []
  return { embeds: [embed], rows }
}

/** Posts the words so that they follow the music. @returns what to say of it. */
async function follow(call: Call, tools: CommandContext): Promise<string> {
  const { guildId, channelId, words, place } = call
  const { track, found } = await find(call, tools)
  if (found.instrumental) throw new Refusal(words.lyrics.instrumental(nameTrack(track)))
  if (!found.synced) throw new Refusal(words.lyrics.untimed)
  if (!place.mayPost(channelId)) throw new Refusal(words.refused.notAnAnnounceChannel)
  const { encoded } = track
  await tools.following.start(guildId, channelId, { encoded, title: nameOf(track), lines: found.lines, words })
  return words.lyrics.following
}

/** @throws {Refusal} when nothing plays, or nobody has written the words down. */
async function find(
  call: Call,
  tools: CommandContext,
): Promise<{ readonly track: EncodedTrack; readonly found: LyricsOf }> {
  const { who, words } = call
  const { current } = await getPlayer(call, tools)
  if (!current) throw new Refusal(words.refused.nothingPlays)
  try {
    return { track: current, found: await tools.knowledge.lyrics(who, { encoded: current.encoded }) }
  } catch (err) {
    if (err instanceof Fault && err.code === 'not_found') throw new Refusal(words.lyrics.none(nameTrack(current)))
    throw err
  }
}

function toPages({ lines }: LyricsOf): readonly string[] {
  const pages: string[][] = [[]]
  let length = 0
  for (const line of lines) {
    const shown = line.text.trim() === '' ? '' : showLine(line)
    const page = pages.at(-1) ?? []
    length += shown.length + 1
    if (page.length < LINES_PER_PAGE && length <= LONGEST_PAGE) {
      page.push(shown)
      continue
    }
    pages.push([shown])
    length = shown.length + 1
  }
  return pages.slice(0, MOST_PAGES).map((page) => page.join('\n'))
}

function button(id: string, emoji: string, label: string): APIButtonComponentWithCustomId {
  const look = { style: ButtonStyle.Secondary as const, emoji: { name: emoji } }
  return { type: ComponentType.Button, ...look, label, custom_id: id }
}
