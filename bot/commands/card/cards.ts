import type { Logger } from '../../../lib/log.ts'
import { waitAtMost, type Clock } from '../../player/timers.ts'
import { toMessage, type Content, type OnSent } from '../core/reply.ts'
import type { Words } from '../common-text/index.ts'
import { drawCard } from './card.ts'
import { readCard } from './card-facts.ts'
import { forgetChannel, forgetMessage, showCard, wordsFor, type ShowingOptions } from './card-message.ts'
import { createLooks } from './card-looks.ts'
import { createCardState, forgivingRecords, moveCard, saveCard, type CardState } from './card-state.ts'
import type { ChannelMessages } from './channel-messages.ts'
import { createDebounce, type Debounce } from './debounce.ts'

/** The now-playing cards of one bot: at most one in each guild, and the status lines of its voice channels. */
export interface Cards {
  /** Puts the card at the end of a channel (or of the guild's own one for it), away from wherever it was. */
  open(guildId: string, channelId: string): void
  /** The same where the guild has none: music that REST started, or whose channel was deleted, shows controls at last. */
  openIfNone(guildId: string, channelId: string): void
  /** Posts no card for a while: an answer that is on its way becomes it. */
  hold(guildId: string): void
  /** The card as an answer in this channel, which it becomes; null if it belongs elsewhere, or nothing plays. */
  offer(guildId: string, channelId: string): Promise<{ readonly content: Content; readonly onSent: OnSent } | null>
  /** A member pressed a button of a card. A card from before a crash becomes the card, or is deleted if there is another. */
  pressed(guildId: string, message: MessageRef): void
  /** Says something in the channel of the card, if there is one. */
  announce(guildId: string, text: (words: Words) => string): void
  /** Something about the player has changed. */
  refresh(guildId: string): void
  /** The next track: a deleted card comes back. */
  renew(guildId: string): void
  /** Ends the status line, which takes a bot that is in the channel. Never rejects. */
  clearStatus(guildId: string): Promise<void>
  /** The player is over. `isReturning`: it comes back after a restart, and the card with it. */
  remove(guildId: string, isReturning: boolean): void
  /** Restores the cards of an earlier run, and periodically checks that request channels still have theirs. */
  adopt(): void
  /** The request channel, whose card is always there; null if there is none. */
  requestChannel(guildId: string): string | null
  /** Another bot whose request channel this is; null if it is none. */
  otherOwner(channelId: string): string | null
  /** Makes a channel the request channel; with null there is none any more. */
  setRequestChannel(guildId: string, channelId: string | null): void
  messageDeleted(guildId: string, message: MessageRef): void
  channelDeleted(guildId: string, channelId: string): void
  /** Waits for what is being sent, a moment long. */
  close(): Promise<void>
}

export interface MessageRef {
  readonly channelId: string
  readonly messageId: string
}

export interface CardsOptions extends ShowingOptions {
  readonly clock: Clock
  readonly log: Logger
}

interface Card {
  readonly state: CardState
  readonly pace: Debounce
}

/** Discord takes five edits in five seconds in a channel, other bots' commands included. */
const SHORTEST_GAP_MS = 1500
const TICK_MS = 10_000
const CLOSE_PATIENCE_MS = 2000
const ANNOUNCED_MS = 60_000
/** Longer than the longest search of a command. */
const HOLD_MS = 15_000

export function createCards(given: CardsOptions): Cards {
  const options = { ...given, records: forgivingRecords(given.records, given.log) }
  const table = createTable(options)
  const { cards, cardOf, requests } = table
  const looks = createLooks(options, ({ guildId, isStanding }) => {
    const { state, pace } = cardOf(guildId)
    // What was sent is sent again: that it is gone shows only then.
    if (isStanding) state.shown = ''
    pace.due()
  })

  return {
    ...placingOf(options, table),
    ...changesOf(options, table),
    adopt: () => looks.start(),
    async close() {
      looks.stop()
      for (const { state, pace } of cards.values()) requests.send(finish(options, state, pace))
      await requests.done()
    },
  }
}

type Table = ReturnType<typeof createTable>

/** The cards of the guilds that had one since the start. */
function createTable(options: CardsOptions) {
  const { channelMessages, clock, scope, records } = options
  const cards = new Map<string, Card>()
  const requests = createPendingRequests(clock)

  function cardOf(guildId: string): Card {
    const card = cards.get(guildId) ?? createCard(options, guildId)
    cards.set(guildId, card)
    return card
  }

  function remove({ channelId, messageId }: MessageRef): void {
    requests.send(channelMessages.remove(channelId, messageId))
  }

  /** The message that it was goes. */
  function move(guildId: string, to: Parameters<typeof moveCard>[1]): void {
    const { state, pace } = cardOf(guildId)
    const { channelId, messageId } = state
    moveCard(state, to)
    saveCard(records, scope().botId, state)
    if (channelId !== null && messageId !== null && messageId !== to.messageId) remove({ channelId, messageId })
    pace.due()
  }

  return { cards, requests, cardOf, remove, move }
}

/** Where the card is, as members and guilds want it. */
function placingOf(options: CardsOptions, { cardOf, move, remove }: Table) {
  const { clock, scope, records, settings } = options

  function homeOf(guildId: string, channelId: string): string {
    return settings.get(scope().botId, guildId).announceChannelId ?? channelId
  }

  function open(guildId: string, channelId: string): void {
    const { state, pace } = cardOf(guildId)
    state.askedInChannelId = channelId
    if (state.isStanding) return pace.due()
    move(guildId, { channelId: homeOf(guildId, channelId), messageId: null })
  }

  return {
    open,
    openIfNone(guildId, channelId) {
      const { state, pace } = cardOf(guildId)
      state.askedInChannelId = channelId
      if (state.channelId === null) open(guildId, channelId)
      else pace.due()
    },
    hold(guildId) {
      const { state } = cardOf(guildId)
      // An answer never becomes the card of a request channel.
      if (!state.isStanding) state.heldUntilMs = clock.nowMs() + HOLD_MS
    },
    async offer(guildId, channelId) {
      const { state } = cardOf(guildId)
      if (state.isStanding || homeOf(guildId, channelId) !== channelId) return null
      const facts = await readCard(options.music, scope(), guildId)
      if (!facts) return null
      return {
        content: drawCard(facts, wordsFor(options, guildId)),
        onSent: (messageId) =>
          messageId === null ? open(guildId, channelId) : move(guildId, { channelId, messageId }),
      }
    },
    pressed(guildId, message) {
      const { state } = cardOf(guildId)
      if (state.messageId === message.messageId) return
      if (state.messageId !== null) remove(message)
      // The message of a standing card that is just being posted is not known yet.
      else if (!state.isStanding) move(guildId, message)
    },
    requestChannel(guildId) {
      const saved = records.find(scope().botId, guildId)
      return saved?.isStanding ? saved.channelId : null
    },
    otherOwner(channelId) {
      const owner = records.findOwner(channelId)
      return owner === scope().botId ? null : owner
    },
    setRequestChannel(guildId, channelId) {
      move(guildId, { channelId, messageId: null, isStanding: channelId !== null })
    },
  } satisfies Partial<Cards>
}

/** What happens to cards and players, each brought to the card of its guild. */
function changesOf(options: CardsOptions, { cards, cardOf, requests }: Table) {
  const { channelMessages, records, scope } = options
  return {
    announce: (guildId, text) => requests.send(announce(options, cards.get(guildId)?.state, text)),
    refresh: (guildId) => cards.get(guildId)?.pace.due(),
    renew(guildId) {
      const { state, pace } = cardOf(guildId)
      state.isUnwanted = false
      pace.due()
    },
    clearStatus: async (guildId) => clearStatus(cards.get(guildId)?.state, channelMessages),
    remove(guildId, isReturning) {
      const { state, pace } = cardOf(guildId)
      // It is there without a player, too.
      if (state.isStanding && !isReturning) return pace.due()
      cards.delete(guildId)
      requests.send(finish(options, state, pace))
      if (state.isStanding) return
      if (isReturning && state.channelId !== null) {
        saveCard(records, scope().botId, { ...state, messageId: null })
      } else records.remove(scope().botId, guildId)
      requests.send(removeFinally(options, state))
    },
    messageDeleted(guildId, { messageId }) {
      const card = cards.get(guildId)
      if (card?.state.messageId !== messageId) return
      forgetMessage(options, card.state)
      card.pace.due()
    },
    channelDeleted(guildId, channelId) {
      const saved = records.find(scope().botId, guildId)
      if (saved?.channelId === channelId) forgetChannel(options, cardOf(guildId).state)
    },
  } satisfies Partial<Cards>
}

/** Removes the card of a closed player; the card of a request channel shows that nothing plays. Never rejects. */
async function finish(options: CardsOptions, state: CardState, pace: Debounce): Promise<void> {
  state.isOver = true
  pace.stop()
  await pace.settled()
  if (state.isStanding) await work(options, state)
  else await clearStatus(state, options.channelMessages)
}

/** What may not be removed now is taken up with the cards of an earlier run. */
async function removeFinally({ channelMessages, records, scope }: CardsOptions, state: CardState): Promise<void> {
  const { guildId, channelId, messageId } = state
  if (channelId === null || messageId === null) return
  if (await channelMessages.remove(channelId, messageId)) return
  if ((records.find(scope().botId, guildId)?.messageId ?? null) === null) saveCard(records, scope().botId, state)
}

async function announce(
  options: CardsOptions,
  card: CardState | undefined,
  text: (words: Words) => string,
): Promise<void> {
  const { channelMessages, clock, log, scope } = options
  if (!card || card.channelId === null) return
  try {
    const { channelId, isStanding } = card
    const messageId = await channelMessages.post(channelId, toMessage({ text: text(wordsFor(options, card.guildId)) }))
    // Only the card stays in a request channel.
    if (isStanding) clock.after(ANNOUNCED_MS, () => void channelMessages.remove(channelId, messageId))
  } catch (err) {
    log.warn({ err, botId: scope().botId, guildId: card.guildId }, 'announcement not posted')
  }
}

async function clearStatus(state: CardState | undefined, channelMessages: ChannelMessages): Promise<void> {
  const status = state?.status
  if (!state || !status) return
  state.status = null
  await channelMessages.setStatus(status.channelId, null)
}

function createCard(options: CardsOptions, guildId: string): Card {
  const { records, clock, scope } = options
  const state = createCardState(guildId, records.find(scope().botId, guildId))
  const pace = createDebounce({
    clock,
    gapMs: SHORTEST_GAP_MS,
    everyMs: TICK_MS,
    work: () => work(options, state),
  })
  return { state, pace }
}

async function work(options: CardsOptions, state: CardState): Promise<boolean> {
  try {
    return await showCard(options, state)
  } catch (err) {
    options.log.warn({ err, botId: options.scope().botId, guildId: state.guildId }, 'card not shown')
    return !state.isOver
  }
}

/** Requests to Discord that no caller awaits. */
function createPendingRequests(clock: Clock) {
  const underway = new Set<Promise<unknown>>()
  return {
    send(request: Promise<unknown>): void {
      const task = request.finally(() => underway.delete(task))
      underway.add(task)
    },
    /** Waits a moment and no longer. */
    done: () => waitAtMost(clock, CLOSE_PATIENCE_MS, Promise.all(underway)),
  }
}
