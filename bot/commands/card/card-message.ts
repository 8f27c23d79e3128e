import type { KnownGuildSettings } from '../../../db/music/known-guild-settings.ts'
import type { Logger } from '../../../lib/log.ts'
import type { PlayerScope, PlayerService } from '../../player-service.ts'
import type { Clock } from '../../player/timers.ts'
import { drawCard, drawEndedCard, readCard, type CardFacts } from './card.ts'
import { moveCard, type CardState, type SavedCards } from './card-state.ts'
import { drawStandingCard } from '../requests/standing-card.ts'
import { isLanguage, languageOf, type Language } from '../../../lib/texts/languages.ts'
import { isChannelGone, type ChannelMessages } from './channel-messages.ts'
import { toMessage } from '../core/reply.ts'
import { cut } from '../core/autocomplete.ts'
import { WORDS, type Words } from '../common-text.ts'

export interface ShowingOptions {
  readonly scope: () => PlayerScope
  readonly music: Pick<PlayerService, 'info' | 'requesters' | 'nextTrack'>
  readonly channelMessages: ChannelMessages
  readonly settings: Pick<KnownGuildSettings, 'get' | 'known'>
  readonly saved: SavedCards
  readonly clock: Clock
  readonly log: Logger
}

type Message = ReturnType<typeof toMessage>

const ANNOUNCED_MS = 60_000

/** Brings Discord up to date. @returns whether to update again after `everyMs`. */
export async function showCard(options: ShowingOptions, card: CardState): Promise<boolean> {
  const facts = card.isOver ? null : await readCard(options.music, options.scope(), card.guildId)
  await showStatus(options, card, facts)
  // A card is posted for music, and stays when that is over.
  const isWanted = facts !== null || card.isStanding || card.messageId !== null
  if (card.channelId !== null && !card.isUnwanted && isWanted) {
    await showMessage(options, card, await drawFor(options, card, facts))
  }
  return facts !== null
}

async function drawFor(options: ShowingOptions, card: CardState, facts: CardFacts | null): Promise<Message> {
  const words = await wordsFor(options, card.guildId)
  card.isFinished = facts === null && (card.isFinished || !card.isOver)
  if (card.isStanding) return toMessage(drawStandingCard(facts, words, options.channelMessages.readsMessages))
  return toMessage(facts ? drawCard(facts, words) : drawEndedCard(words, !card.isFinished))
}

async function showMessage(options: ShowingOptions, card: CardState, message: Message): Promise<void> {
  const { channelMessages } = options
  const { channelId, messageId } = card
  if (channelId === null) return
  if (messageId !== null) {
    const drawn = JSON.stringify(message)
    // A message that the bot may not see cannot be changed now; the next update tries again.
    if (drawn === card.shown || !channelMessages.maySee(channelId)) return
    const isThere = await channelMessages.edit(channelId, messageId, message)
    // The card moved in the meantime.
    if (card.messageId !== messageId) return
    if (isThere) card.shown = drawn
    else forgetMessage(options, card)
    if (isThere || !card.isStanding) return
  }
  if (options.clock.nowMs() < card.heldUntilMs || !channelMessages.mayPost(channelId)) return
  await post(options, card, message)
}

/** The message was deleted: a standing card comes back at once, others with the next track. */
export function forgetMessage({ saved }: ShowingOptions, card: CardState): void {
  card.messageId = null
  card.shown = ''
  card.isUnwanted = !card.isStanding
  // The next player's card may be saved by now.
  if (card.isStanding || !card.isOver) void saved.save(card)
}

/** On deletion of the channel, the card moves to where the music was requested. */
export function forgetChannel({ saved }: ShowingOptions, card: CardState): void {
  const { askedInChannelId, channelId: lostChannelId } = card
  const channelId = askedInChannelId === lostChannelId ? null : askedInChannelId
  moveCard(card, { channelId, messageId: null, isStanding: false })
  void saved.save(card)
}

async function post(options: ShowingOptions, card: CardState, message: Message): Promise<void> {
  const { channelMessages, saved } = options
  const { channelId } = card
  if (channelId === null) return
  try {
    const messageId = await channelMessages.post(channelId, message)
    // The card was opened elsewhere, or is over, since.
    if ((card.isOver && !card.isStanding) || card.channelId !== channelId) {
      await channelMessages.remove(channelId, messageId)
      return
    }
    card.messageId = messageId
    card.shown = JSON.stringify(message)
    await saved.save(card)
  } catch (err) {
    if (!isChannelGone(err)) throw err
    if (card.channelId === channelId) forgetChannel(options, card)
  }
}

async function showStatus({ channelMessages }: ShowingOptions, card: CardState, facts: CardFacts | null) {
  const { status } = card
  const wanted = facts && { channelId: facts.player.channelId, text: statusOf(facts) }
  if (status && status.channelId !== wanted?.channelId) await channelMessages.setStatus(status.channelId, null)
  card.status = wanted
  if (wanted && (wanted.text !== status?.text || wanted.channelId !== status.channelId)) {
    await channelMessages.setStatus(wanted.channelId, wanted.text)
  }
}

function statusOf({ player: { current, streamTitle } }: CardFacts): string {
  const author = current.author === '' ? '' : ` · ${current.author}`
  return cut(`🎵 ${streamTitle ?? `${current.title}${author}`}`, 200)
}

/** Language that the guild has chosen, or else its language in Discord. */
export async function guildLanguage(
  { settings, scope, channelMessages }: Pick<ShowingOptions, 'settings' | 'scope' | 'channelMessages'>,
  guildId: string,
): Promise<Language> {
  const { language } = await settings.get(scope().botId, guildId)
  return isLanguage(language) ? language : languageOf(channelMessages.localeOf(guildId))
}

export async function wordsFor(options: ShowingOptions, guildId: string): Promise<Words> {
  return WORDS[await guildLanguage(options, guildId)]
}

/** Channel that the guild chose for its card, as far as it is known; null for the one where music was requested. */
export function homeChannel({ settings, scope }: ShowingOptions, guildId: string): string | null {
  return settings.known(scope().botId, guildId).announceChannelId
}

/** Removes the message. The card of one that may not be removed now is saved, as those of an earlier run. */
export async function removeFinally({ channelMessages, saved }: ShowingOptions, state: CardState): Promise<void> {
  const { guildId, channelId, messageId } = state
  if (channelId === null || messageId === null) return
  if (await channelMessages.remove(channelId, messageId)) return
  const next = await saved.find(guildId).catch(() => null)
  if ((next?.messageId ?? null) === null) await saved.save(state)
}

/** Says something in the channel of the card. Never rejects. */
export async function announce(options: ShowingOptions, card: CardState, text: (words: Words) => string) {
  const { channelMessages, clock, log, scope } = options
  if (card.channelId === null) return
  try {
    const { channelId, isStanding } = card
    const words = await wordsFor(options, card.guildId)
    const messageId = await channelMessages.post(channelId, toMessage({ text: text(words) }))
    // Only the card stays in a request channel.
    if (isStanding) clock.after(ANNOUNCED_MS, () => void channelMessages.remove(channelId, messageId))
  } catch (err) {
    log.warn({ err, botId: scope().botId, guildId: card.guildId }, 'announcement not posted')
  }
}

export async function clearStatus(state: CardState | undefined, channelMessages: ChannelMessages): Promise<void> {
  const status = state?.status
  if (!state || !status) return
  state.status = null
  await channelMessages.setStatus(status.channelId, null)
}
