import type { Clock } from '../../player/timers.ts'
import type { ChannelMessages } from './channel-messages.ts'
import type { CardMessage, CardRecords } from '../../../db/music/cards.ts'
import type { Logger } from '../../../lib/log.ts'
import type { PlayerScope } from '../../player-service.ts'

/** A guild's card and the status line that goes with it, as they were sent last. */
export interface CardState {
  readonly guildId: string
  channelId: string | null
  messageId: string | null
  /** Channel of the last request: the card moves there when its own channel is deleted. */
  askedInChannelId: string | null
  /** It is that of a request channel: it stays there, whether something plays or not. */
  isStanding: boolean
  /** A member deleted it: it stays away until the next track. */
  isUnwanted: boolean
  /** It says that the queue is finished. */
  isFinished: boolean
  /** Nothing plays any more. */
  isOver: boolean
  /** Until when none is posted, since the answer to a command is about to become the card. */
  heldUntilMs: number
  /** What was sent last; the same is not sent again. */
  shown: string
  /** The voice channel whose status line names a track, and what it says. */
  status: { readonly channelId: string; readonly text: string } | null
}

export function createCardState(guildId: string, saved: CardMessage | null): CardState {
  return {
    guildId,
    channelId: saved?.channelId ?? null,
    messageId: saved?.messageId ?? null,
    askedInChannelId: null,
    isStanding: saved?.isStanding ?? false,
    isUnwanted: false,
    isFinished: false,
    isOver: false,
    heldUntilMs: 0,
    shown: '',
    status: null,
  }
}

export function moveCard(state: CardState, to: Pick<CardState, 'channelId' | 'messageId'> & Partial<CardState>): void {
  Object.assign(state, { isUnwanted: false, heldUntilMs: 0, shown: '', ...to })
}

/** Where a bot's cards are, as it saves them. */
export interface SavedCards {
  find(guildId: string): Promise<CardMessage | null>
  list(): Promise<readonly CardMessage[]>
  /** The request channel of a guild; null if there is none. Reads the database once. */
  requestChannel(guildId: string): Promise<string | null>
  /** The bot whose request channel this is. */
  findOwner(channelId: string): Promise<string | null>
  /** Never rejects: a message id that is not saved is only missed after a restart, and no command should fail for it. */
  save(state: Pick<CardState, 'guildId' | 'channelId' | 'messageId' | 'isStanding'>): Promise<void>
  remove(guildId: string): Promise<void>
}

interface SavedCardsOptions {
  readonly records: CardRecords
  readonly scope: () => Pick<PlayerScope, 'botId'>
  readonly log: Logger
}

/** Saves one card after the other, and of each guild only what it was last. */
export function createSavedCards(options: SavedCardsOptions): SavedCards {
  const { records, scope } = options
  const waiting = new Map<string, CardMessage | null>()
  let writing: Promise<void> | null = null
  let channels: Promise<Map<string, string>> | null = null

  async function writeAll(): Promise<void> {
    for (const [guildId, place] of waiting) {
      waiting.delete(guildId)
      await write(options, guildId, place)
    }
    writing = null
  }

  function put(guildId: string, place: CardMessage | null): Promise<void> {
    waiting.set(guildId, place)
    channels
      ?.then((all) => (place?.isStanding ? all.set(guildId, place.channelId) : all.delete(guildId)))
      .catch(() => undefined)
    return (writing ??= writeAll())
  }

  async function list(): Promise<readonly CardMessage[]> {
    await writing
    return records.list(scope().botId)
  }

  async function readChannels(): Promise<Map<string, string>> {
    try {
      const standing = (await list()).filter(({ isStanding }) => isStanding)
      return new Map(standing.map(({ guildId, channelId }) => [guildId, channelId]))
    } catch (err) {
      channels = null
      throw err
    }
  }

  return {
    async find(guildId) {
      await writing
      return records.find(scope().botId, guildId)
    },
    list,
    async requestChannel(guildId) {
      channels ??= readChannels()
      return (await channels).get(guildId) ?? null
    },
    findOwner: (channelId) => records.findOwner(channelId),
    save({ guildId, channelId, messageId, isStanding }) {
      return put(guildId, channelId === null ? null : { guildId, channelId, messageId, isStanding })
    },
    remove: (guildId) => put(guildId, null),
  }
}

async function write({ records, scope, log }: SavedCardsOptions, guildId: string, place: CardMessage | null) {
  const { botId } = scope()
  try {
    await (place ? records.save(botId, place) : records.remove(botId, guildId))
  } catch (err) {
    log.warn({ err, botId, guildId }, 'card message id not saved')
  }
}

/** Players of an earlier run are restored by then, and their cards with them. */
const FIRST_LOOK_MS = 10_000
const LOOK_EVERY_MS = 10 * 60_000
/** Cards to check per second: those of thousands of guilds leave room for other requests. */
const LOOKS_A_SECOND = 5

interface LooksOptions {
  readonly saved: Pick<SavedCards, 'list'>
  readonly clock: Clock
  readonly channelMessages: Pick<ChannelMessages, 'localeOf'>
}

/** Looks at all cards of the bot a while after it connected, and every few minutes from then on. */
export function createLooks({ clock, saved, channelMessages }: LooksOptions, look: (card: CardMessage) => void) {
  let cancel: (() => void) | null = null
  let waiting: CardMessage[] = []
  let isStopped = false

  function run(): void {
    // Other services look at those of the guilds that they run.
    for (const card of waiting.splice(0, LOOKS_A_SECOND)) if (channelMessages.localeOf(card.guildId)) look(card)
    cancel = waiting.length > 0 ? clock.after(1000, run) : clock.after(LOOK_EVERY_MS, () => void start())
  }

  async function start(): Promise<void> {
    // If the database does not answer, the next look finds them.
    const all = await saved.list().catch(() => [])
    if (isStopped) return
    waiting = all.filter(({ messageId, isStanding }) => messageId !== null || isStanding)
    run()
  }

  return {
    start() {
      cancel = clock.after(FIRST_LOOK_MS, () => void start())
    },
    stop() {
      isStopped = true
      cancel?.()
    },
  }
}
