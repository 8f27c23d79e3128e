import type { CardRecords } from '../../../db/music/cards.ts'
import type { GuildSettingsRecords } from '../../../db/music/guild-settings.ts'
import { Fault } from '../../../lib/errors.ts'
import type { PlayerScope, PlayerService } from '../../player-service.ts'
import { drawCard, type CardFacts } from './card.ts'
import { isLanguage, languageOf } from '../i18n/languages.ts'
import type { ChannelMessages } from './channel-messages.ts'
import { toMessage } from '../core/reply.ts'
import { cut } from '../core/autocomplete.ts'
import { WORDS, type Words } from '../common-text/index.ts'

export interface ShowingOptions {
  readonly scope: () => PlayerScope
  readonly music: Pick<PlayerService, 'info' | 'requesters'>
  readonly board: ChannelMessages
  readonly settings: Pick<GuildSettingsRecords, 'get'>
  readonly records: CardRecords
}

/** A guild's card and the status line that goes with it, as they were sent last. */
export interface CardState {
  readonly guildId: string
  channelId: string | null
  messageId: string | null
  /** A member deleted it: it stays away until the next track. */
  isUnwanted: boolean
  /** Nothing is to be shown any more. */
  isOver: boolean
  /** What was sent last; the same is not sent again. */
  shown: string
  /** The voice channel whose status line names a track, and what it says. */
  status: { readonly channelId: string; readonly text: string } | null
}

/** Brings Discord up to date. @returns whether to update again after `everyMs`. */
export async function showCard(options: ShowingOptions, card: CardState): Promise<boolean> {
  const facts = await look(options, card.guildId)
  await showStatus(options, card, facts)
  if (!facts) {
    await takeDown(options, card)
    return false
  }
  if (card.channelId === null || card.isUnwanted) return true
  const message = toMessage(drawCard(facts, wordsFor(options, card.guildId)))
  const drawn = JSON.stringify(message)
  if (drawn === card.shown) return true
  card.shown = drawn
  if (card.messageId !== null) {
    if (await options.board.edit(card.channelId, card.messageId, message)) return true
    card.messageId = null
    card.isUnwanted = true
    return true
  }
  await post(options, card, message)
  return true
}

async function post({ board, records, scope }: ShowingOptions, card: CardState, message: ReturnType<typeof toMessage>) {
  const { guildId, channelId } = card
  if (channelId === null) return
  const messageId = await board.post(channelId, message)
  // It was opened elsewhere, or is over, since.
  if (card.isOver || card.channelId !== channelId) return board.remove(channelId, messageId)
  card.messageId = messageId
  records.save(scope().botId, { guildId, channelId, messageId })
}

async function takeDown({ board, records, scope }: ShowingOptions, card: CardState): Promise<void> {
  const { guildId, channelId, messageId } = card
  card.shown = ''
  if (messageId === null || channelId === null) return
  card.messageId = null
  records.save(scope().botId, { guildId, channelId, messageId: null })
  await board.remove(channelId, messageId)
}

async function showStatus({ board }: ShowingOptions, card: CardState, facts: CardFacts | null): Promise<void> {
  const { status } = card
  const wanted = facts && { channelId: facts.player.channelId, text: statusOf(facts) }
  if (status && status.channelId !== wanted?.channelId) await board.setStatus(status.channelId, null)
  card.status = wanted
  if (wanted && (wanted.text !== status?.text || wanted.channelId !== status.channelId)) {
    await board.setStatus(wanted.channelId, wanted.text)
  }
}

function statusOf({ player: { current, streamTitle } }: CardFacts): string {
  const author = current.author === '' ? '' : ` · ${current.author}`
  return cut(`🎵 ${streamTitle ?? `${current.title}${author}`}`, 200)
}

/** What plays; null where nothing does. */
async function look({ music, scope }: ShowingOptions, guildId: string): Promise<CardFacts | null> {
  try {
    const player = await music.info(scope(), guildId)
    const { current: requesterId } = await music.requesters(scope(), guildId)
    const { current } = player
    return current && { player: { ...player, current }, requesterId }
  } catch (err) {
    if (err instanceof Fault && err.code === 'not_found') return null
    throw err
  }
}

/** In the language that the guild has chosen, or that Discord says it has. */
export function wordsFor({ settings, scope, board }: ShowingOptions, guildId: string): Words {
  const { language } = settings.get(scope().botId, guildId)
  return WORDS[isLanguage(language) ? language : languageOf(board.localeOf(guildId))]
}
