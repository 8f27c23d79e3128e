import type { CardMessage, CardRecords } from '../../../db/music/cards.ts'
import type { Logger } from '../../../lib/log.ts'

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
    isOver: false,
    heldUntilMs: 0,
    shown: '',
    status: null,
  }
}

/** Sends the card somewhere else. */
export function moveCard(state: CardState, to: Pick<CardState, 'channelId' | 'messageId'> & Partial<CardState>): void {
  Object.assign(state, { isUnwanted: false, heldUntilMs: 0, shown: '', ...to })
}

export function saveCard(records: CardRecords, botId: string, state: CardState): void {
  const { guildId, channelId, messageId, isStanding } = state
  if (channelId === null) records.remove(botId, guildId)
  else records.save(botId, { guildId, channelId, messageId, isStanding })
}

/** A message id that is not saved is only missed after a restart: no command should fail for it. */
export function forgivingRecords(records: CardRecords, log: Logger): CardRecords {
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
    findOwner: (channelId) => records.findOwner(channelId),
    save: (botId, place) => attempt(botId, place.guildId, () => records.save(botId, place)),
    remove: (botId, guildId) => attempt(botId, guildId, () => records.remove(botId, guildId)),
  }
}
