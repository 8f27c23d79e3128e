import type { CardRecords } from '../../../db/music/cards.ts'
import type { Logger } from '../../../lib/log.ts'
import { waitAtMost, type Clock } from '../../player/timers.ts'
import { toMessage } from '../core/reply.ts'
import type { Words } from '../common-text/index.ts'
import { showCard, wordsFor, type CardState, type ShowingOptions } from './card-message.ts'
import type { ChannelMessages } from './channel-messages.ts'
import { createDebounce, type Debounce } from './debounce.ts'

/** The now-playing cards of one bot: at most one in each guild, and the status lines of its voice channels. */
export interface Cards {
  /** Puts the card at the end of a channel (or of the guild's own one for it), away from wherever it was. */
  open(guildId: string, channelId: string): void
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
  /** Takes up the cards of an earlier run. */
  adopt(): void
  /** Waits for what is being sent, a moment long. */
  close(): Promise<void>
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

export function createCards(options: CardsOptions): Cards {
  const { settings, board, clock, scope } = options
  const records = forgiving(options.records, options.log)
  const cards = new Map<string, Card>()
  const requests = createPendingRequests(clock)
  let cancelAdoption: (() => void) | null = null

  function cardOf(guildId: string): Card {
    const card = cards.get(guildId) ?? createCard({ ...options, records }, guildId)
    cards.set(guildId, card)
    return card
  }

  return {
    open(guildId, channelId) {
      const { state, pace } = cardOf(guildId)
      const target = settings.get(scope().botId, guildId).announceChannelId ?? channelId
      if (state.messageId !== null && state.channelId !== null) {
        requests.send(board.remove(state.channelId, state.messageId))
      }
      Object.assign(state, { channelId: target, messageId: null, isUnwanted: false, shown: '' })
      records.save(scope().botId, { guildId, channelId: target, messageId: null })
      pace.due()
    },
    announce: (guildId, text) => requests.send(announce(options, cards.get(guildId)?.state, text)),
    refresh: (guildId) => cards.get(guildId)?.pace.due(),
    renew(guildId) {
      const { state, pace } = cardOf(guildId)
      state.isUnwanted = false
      pace.due()
    },
    clearStatus: async (guildId) => clearStatus(cards.get(guildId)?.state, board),
    remove(guildId, isReturning) {
      const { state, pace } = cardOf(guildId)
      const { channelId, messageId, status } = state
      cards.delete(guildId)
      state.isOver = true
      pace.stop()
      requests.send(pace.settled())
      if (isReturning && channelId !== null) records.save(scope().botId, { guildId, channelId, messageId: null })
      else records.remove(scope().botId, guildId)
      if (messageId !== null && channelId !== null) requests.send(board.remove(channelId, messageId))
      if (status) requests.send(board.setStatus(status.channelId, null))
    },
    adopt() {
      // By then the players of the earlier run are back, and with them their cards.
      cancelAdoption = clock.after(TICK_MS, () => {
        for (const { guildId, messageId } of records.list(scope().botId))
          if (messageId !== null) cardOf(guildId).pace.due()
      })
    },
    async close() {
      cancelAdoption?.()
      for (const { pace } of cards.values()) pace.stop()
      for (const { pace } of cards.values()) requests.send(pace.settled())
      await requests.done()
    },
  }
}

async function announce(
  options: CardsOptions,
  card: CardState | undefined,
  text: (words: Words) => string,
): Promise<void> {
  const { board, log, scope } = options
  if (!card || card.channelId === null) return
  try {
    await board.post(card.channelId, toMessage({ text: text(wordsFor(options, card.guildId)) }))
  } catch (err) {
    log.warn({ err, botId: scope().botId, guildId: card.guildId }, 'announcement not posted')
  }
}

async function clearStatus(state: CardState | undefined, board: ChannelMessages): Promise<void> {
  const status = state?.status
  if (!state || !status) return
  state.status = null
  await board.setStatus(status.channelId, null)
}

function createCard(options: CardsOptions, guildId: string): Card {
  const { records, clock, log, scope } = options
  const saved = records.find(scope().botId, guildId)
  const state: CardState = {
    guildId,
    channelId: saved?.channelId ?? null,
    messageId: saved?.messageId ?? null,
    isUnwanted: false,
    isOver: false,
    shown: '',
    status: null,
  }
  async function work(): Promise<boolean> {
    try {
      return await showCard(options, state)
    } catch (err) {
      log.warn({ err, botId: scope().botId, guildId }, 'card not shown')
      return true
    }
  }
  return { state, pace: createDebounce({ clock, gapMs: SHORTEST_GAP_MS, everyMs: TICK_MS, work }) }
}

/** A message id that is not saved is only missed after a restart: no command should fail for it. */
function forgiving(records: CardRecords, log: Logger): CardRecords {
  function attempt(botId: string, guildId: string, write: () => void): void {
    try {
      write()
    } catch (err) {
      log.warn({ err, botId, guildId }, 'card message id not saved')
    }
  }
  return {
    find: (botId, guildId) => records.find(botId, guildId),
    list: (botId) => records.list(botId),
    save: (botId, place) => attempt(botId, place.guildId, () => records.save(botId, place)),
    remove: (botId, guildId) => attempt(botId, guildId, () => records.remove(botId, guildId)),
  }
}

/** Requests to Discord that no caller awaits. */
function createPendingRequests(clock: Clock) {
  const underway = new Set<Promise<void>>()
  return {
    send(request: Promise<void>): void {
      const task = request.finally(() => underway.delete(task))
      underway.add(task)
    },
    /** Waits a moment and no longer. */
    done: () => waitAtMost(clock, CLOSE_PATIENCE_MS, Promise.all(underway)),
  }
}
