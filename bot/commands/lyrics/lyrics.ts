import type { APIEmbed } from 'discord.js'
import type { LyricsOf } from '../../../upstream/music/lyrics.ts'
import { Fault } from '../../../lib/errors.ts'
import type { Invocation, CommandContext } from '../core/invocation.ts'
import { command } from '../core/command.ts'
import { bareId, pageId } from '../core/custom-id.ts'
import { component, pageTurner } from '../core/component.ts'
import {
  button,
  pageButtons,
  row,
  NOTHING,
  update,
  replyPrivately,
  type Reply,
  type Content,
  Refusal,
} from '../core/reply.ts'
import { ENOUGH_ID, showLine } from './live-lyrics-message.ts'
import { flag, optional, labelOf } from '../core/options.ts'
import { assertAllowed, getPlayer } from '../permissions/rules.ts'
import { cut, choiceName } from '../core/autocomplete.ts'
import { nameTrack } from '../i18n/format.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const lyricsText = textOf('lyrics', 'lyrics')

const LINES_PER_PAGE = 40
const LONGEST_PAGE = 4000
const MOST_PAGES = 200

const PAGE_ID = pageId('lyrics', MOST_PAGES)
const FOLLOW_ID = bareId('follow')

export const lyrics = command({
  name: 'lyrics',
  labels: labelOf(lyricsText),
  rule: 'anyone',
  isPrivate: true,
  options: { follow: optional(flag()) },
  async run(invocation, context) {
    if (!invocation.options.follow) return replyPrivately(await showLyrics(invocation, context, 1))
    await assertAllowed('listener', invocation, context)
    return replyPrivately(await follow(invocation, context))
  },
})

export const lyricsPage = pageTurner(PAGE_ID, showLyrics)

export const followButton = component({
  id: FOLLOW_ID,
  rule: 'listener',
  run: async (invocation, context) => update({ text: await follow(invocation, context), embeds: [], rows: [] }),
})

/** Every listener may end the live lyrics; those that a crash left behind follow nothing any more. */
export const enoughButton = component({
  id: ENOUGH_ID,
  rule: 'listener',
  async run({ guildId, words }, { following }): Promise<Reply> {
    return following.end(guildId) ? NOTHING : update({ text: words.lyrics.over, embeds: [], rows: [] })
  },
})

export async function showLyrics(invocation: Invocation, context: CommandContext, wanted: number): Promise<Content> {
  const { words } = invocation
  const { track, found } = await find(invocation, context)
  if (found.instrumental) return { text: words.lyrics.instrumental({ track: nameTrack(track) }) }
  const pages = toPages(found)
  const at = { page: Math.min(wanted, pages.length), pages: pages.length }
  const paging = pages.length > 1 ? [words.queue.page(at)] : []
  const embed: APIEmbed = {
    title: cut(`🎤 ${choiceName(track)}`, 256),
    description: pages[at.page - 1] ?? '',
    footer: { text: [...paging, words.lyrics.source].join(' · ') },
  }
  const buttons = [
    ...pageButtons(PAGE_ID.of, at, words),
    ...(found.synced ? [button(FOLLOW_ID.of(), '🎤', words.lyrics.follow)] : []),
  ]
  return { embeds: [embed], rows: buttons.length > 0 ? [row(...buttons)] : [] }
}

/** Posts the words so that they follow the music. @returns what to say of it. */
async function follow(invocation: Invocation, context: CommandContext): Promise<string> {
  const { guildId, channelId, words, place } = invocation
  const { track, found } = await find(invocation, context)
  if (found.instrumental) throw new Refusal(words.lyrics.instrumental({ track: nameTrack(track) }))
  if (!found.synced) throw new Refusal(words.lyrics.untimed)
  if (!place.mayPost(channelId)) throw new Refusal(words.refused.notAnAnnounceChannel)
  const { encoded } = track
  await context.following.start(guildId, channelId, { encoded, title: choiceName(track), lines: found.lines, words })
  return words.lyrics.following
}

/** @throws {Refusal} when nothing plays, or no lyrics are known. */
async function find(invocation: Invocation, context: CommandContext) {
  const { scope, words } = invocation
  const { current } = await getPlayer(invocation, context)
  if (!current) throw new Refusal(words.refused.nothingPlays)
  try {
    return { track: current, found: await context.trackMetadata.lyrics(scope, { encoded: current.encoded }) }
  } catch (err) {
    if (err instanceof Fault && err.code === 'not_found')
      throw new Refusal(words.lyrics.none({ track: nameTrack(current) }))
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
