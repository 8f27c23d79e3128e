import type { CardRecords } from '../../../db/music/cards.ts'
import type { Content, OnSent } from '../core/reply.ts'
import type { Words } from '../common-text.ts'
import { drawCard, readCard } from './card.ts'
import {
  announce,
  clearStatus,
  forgetChannel,
  forgetMessage,
  homeChannel,
  removeFinally,
  showCard,
  wordsFor,
  type ShowingOptions,
} from './card-message.ts'
import { createLooks, createCardState, createSavedCards, moveCard, type CardState } from './card-state.ts'
import { createPendingRequests } from './channel-messages.ts'
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
  /** Another service has the card from now on. */
  forget(guildId: string): void
  /** Restores the cards of an earlier run, and periodically checks that request channels still have theirs. */
  adopt(): void
  /** The request channel, whose card is always there; null if there is none. */
  requestChannel(guildId: string): Promise<string | null>
  /** Another bot whose request channel this is; null if it is none. */
  otherOwner(channelId: string): Promise<string | null>
  /** Makes a channel the request channel; with null there is none any more. Resolves when that is saved. */
  setRequestChannel(guildId: string, channelId: string | null): Promise<void>
  messageDeleted(guildId: string, message: MessageRef): void
  channelDeleted(guildId: string, channelId: string): void
  /** Waits for what is being sent, a moment long. */
  close(): Promise<void>
}

interface MessageRef {
  readonly channelId: string
  readonly messageId: string
}

interface Card {
  readonly state: CardState
  readonly pace: Debounce
}

/** Discord takes five edits in five seconds in a channel, other bots' commands included. */
const SHORTEST_GAP_MS = 1500
const TICK_MS = 10_000
/** Longer than the longest search of a command. */
const HOLD_MS = 15_000

export function createCards(given: Omit<ShowingOptions, 'saved'> & { readonly records: CardRecords }): Cards {
  const options: ShowingOptions = { ...given, saved: createSavedCards(given) }
  const table = createTable(options)
  const { cards, within, requests } = table
  const looks = createLooks(options, ({ guildId, isStanding }) => {
    void within(guildId, ({ state, pace }) => {
      // What was sent is sent again: that it is gone shows only then.
      if (isStanding) state.shown = ''
      pace.due()
    })
  })

  async function close(): Promise<void> {
    looks.stop()
    for (const card of cards.values()) {
      requests.send(card.then(({ state, pace }) => finish(options, state, pace)).catch(() => undefined))
    }
    await requests.done()
  }
  return { ...placingOf(options, table), ...changesOf(options, table), adopt: () => looks.start(), close }
}

type Table = ReturnType<typeof createTable>

/** The cards of the guilds that had one since the start. */
function createTable(options: ShowingOptions) {
  const { channelMessages, clock, saved, log, scope } = options
  const cards = new Map<string, Promise<Card>>()
  const requests = createPendingRequests(clock)

  function cardOf(guildId: string): Promise<Card> {
    const known = cards.get(guildId)
    if (known) return known
    const reading = createCard(options, guildId)
    cards.set(guildId, reading)
    // What could not be read is read again the next time.
    reading.catch(() => cards.delete(guildId))
    return reading
  }

  async function actOn(guildId: string, act: (card: Card) => unknown): Promise<void> {
    const reading = cardOf(guildId)
    const card = await reading
    // If it is over by now, the next one is meant.
    await (cards.get(guildId) === reading ? act(card) : actOn(guildId, act))
  }

  /** Does something with the card of a guild as soon as it is read, in the order of the calls. Never rejects. */
  function within(guildId: string, act: (card: Card) => unknown): Promise<void> {
    const task = actOn(guildId, act).catch((err: unknown) => {
      log.warn({ err, botId: scope().botId, guildId }, 'card not shown')
    })
    requests.send(task)
    return task
  }

  function remove({ channelId, messageId }: MessageRef): void {
    requests.send(channelMessages.remove(channelId, messageId))
  }

  /** The message that it was goes. */
  async function move({ state, pace }: Card, to: Parameters<typeof moveCard>[1]): Promise<void> {
    const { channelId, messageId } = state
    moveCard(state, to)
    const written = saved.save(state)
    if (channelId !== null && messageId !== null && messageId !== to.messageId) remove({ channelId, messageId })
    pace.due()
    await written
  }

  return { cards, requests, within, remove, move }
}

/** Where the card is, as members and guilds want it. */
function placingOf(options: ShowingOptions, { within, move, remove }: Table) {
  const { clock, scope, saved } = options
  const homeOf = (guildId: string, channelId: string) => homeChannel(options, guildId) ?? channelId

  function openCard(card: Card, channelId: string): void {
    const { state, pace } = card
    state.askedInChannelId = channelId
    if (state.isStanding) return pace.due()
    void move(card, { channelId: homeOf(state.guildId, channelId), messageId: null })
  }

  const open = (guildId: string, channelId: string) => void within(guildId, (card) => openCard(card, channelId))

  return {
    open,
    openIfNone: (guildId, channelId) =>
      void within(guildId, (card) => {
        card.state.askedInChannelId = channelId
        if (card.state.channelId === null) openCard(card, channelId)
        else card.pace.due()
      }),
    hold: (guildId) =>
      void within(guildId, ({ state }) => {
        // An answer never becomes the card of a request channel.
        if (!state.isStanding) state.heldUntilMs = clock.nowMs() + HOLD_MS
      }),
    async offer(guildId, channelId) {
      let isHere = false
      await within(guildId, ({ state }) => {
        isHere = !state.isStanding && homeOf(guildId, channelId) === channelId
      })
      const facts = isHere ? await readCard(options.music, scope(), guildId) : null
      if (!facts) return null
      return {
        content: drawCard(facts, await wordsFor(options, guildId)),
        onSent(messageId) {
          if (messageId === null) open(guildId, channelId)
          else void within(guildId, (card) => move(card, { channelId, messageId }))
        },
      }
    },
    pressed: (guildId, message) =>
      void within(guildId, (card) => {
        const { state } = card
        if (state.messageId === message.messageId) return
        if (state.messageId !== null) remove(message)
        // The message of a standing card that is just being posted is not known yet.
        else if (!state.isStanding) void move(card, message)
      }),
    requestChannel: (guildId) => saved.requestChannel(guildId),
    async otherOwner(channelId) {
      const owner = await saved.findOwner(channelId)
      return owner === scope().botId ? null : owner
    },
    setRequestChannel: (guildId, channelId) =>
      within(guildId, (card) => move(card, { channelId, messageId: null, isStanding: channelId !== null })),
  } satisfies Partial<Cards>
}

/** What happens to cards and players, each brought to the card of its guild. */
function changesOf(options: ShowingOptions, { cards, within, requests }: Table) {
  const { channelMessages, saved } = options
  /** Of a guild that has one. */
  const ifAny = (guildId: string, act: (card: Card) => unknown) => {
    if (cards.has(guildId)) void within(guildId, act)
  }
  return {
    announce: (guildId, text) => ifAny(guildId, ({ state }) => announce(options, state, text)),
    refresh: (guildId) => ifAny(guildId, ({ pace }) => pace.due()),
    renew: (guildId) =>
      void within(guildId, ({ state, pace }) => {
        state.isUnwanted = false
        pace.due()
      }),
    async clearStatus(guildId) {
      const card = await cards.get(guildId)?.catch(() => undefined)
      await clearStatus(card?.state, channelMessages)
    },
    remove: (guildId, isReturning) =>
      void within(guildId, ({ state, pace }) => {
        // It is there without a player, too.
        if (state.isStanding && !isReturning) return pace.due()
        cards.delete(guildId)
        requests.send(finish(options, state, pace, state.isStanding || !isReturning))
        if (state.isStanding) return
        if (state.channelId === null || (!isReturning && state.messageId === null)) return void saved.remove(guildId)
        // One whose music is over stays, and gives way to the next one.
        if (state.isFinished || !isReturning) return
        void saved.save({ ...state, messageId: null })
        requests.send(removeFinally(options, state))
      }),
    forget: (guildId) =>
      ifAny(guildId, ({ state, pace }) => {
        cards.delete(guildId)
        state.isOver = true
        pace.stop()
      }),
    messageDeleted: (guildId, { messageId }) =>
      ifAny(guildId, ({ state, pace }) => {
        if (state.messageId !== messageId) return
        forgetMessage(options, state)
        pace.due()
      }),
    channelDeleted(guildId, channelId) {
      const follow = async () => {
        const card = await saved.find(guildId)
        if (card?.channelId === channelId) await within(guildId, ({ state }) => forgetChannel(options, state))
      }
      requests.send(follow().catch(() => undefined))
    },
  } satisfies Partial<Cards>
}

/** Ends the card of a closed player: it shows that nothing plays, if it stays. Never rejects. */
async function finish(options: ShowingOptions, state: CardState, pace: Debounce, stays = state.isStanding) {
  state.isOver = true
  pace.stop()
  await pace.settled()
  if (stays) await work(options, state)
  else await clearStatus(state, options.channelMessages)
}

async function createCard(options: ShowingOptions, guildId: string): Promise<Card> {
  const { saved, settings, clock, scope } = options
  // Where it belongs is asked of those that are known.
  const [card] = await Promise.all([saved.find(guildId), settings.get(scope().botId, guildId)])
  const state = createCardState(guildId, card)
  const how = { clock, gapMs: SHORTEST_GAP_MS, everyMs: TICK_MS }
  return { state, pace: createDebounce({ ...how, work: () => work(options, state) }) }
}

async function work(options: ShowingOptions, state: CardState): Promise<boolean> {
  try {
    return await showCard(options, state)
  } catch (err) {
    options.log.warn({ err, botId: options.scope().botId, guildId: state.guildId }, 'card not shown')
    return !state.isOver
  }
}
