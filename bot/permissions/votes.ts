import { randomUUID } from 'node:crypto'
import { Fault } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { Input, OperationName } from '../player/operations.ts'
import type { Clock } from '../player/timers.ts'
import type { Track } from '../tracks/track.ts'
import { votesNeededOf } from './decide.ts'
import { type Need, type Requests, ruleOf, type Permission, type PermissionSettings } from './permission-table.ts'

interface VotePlace {
  readonly projectId: string
  readonly botId: string
  readonly guildId: string
  readonly channelId: string
}

/** An operation, with the volume when it was asked for. */
type AskedOperation = {
  readonly [Name in OperationName]: { readonly name: Name; readonly input: Input<Name>; readonly volume: number }
}[OperationName]

/** Tracks to be played ahead of others. */
interface AskedTracks {
  readonly name: 'play'
  readonly when: 'next' | 'now'
  readonly query: string | null
  readonly count: number
}

export interface VoteSubject {
  readonly asked: AskedOperation | AskedTracks
  readonly track: Pick<Track, 'title' | 'uri'> | null
}

export interface Motion {
  /** The same for all who want the same. */
  readonly key: string
  readonly permission: Permission
  readonly subject: VoteSubject
  /** The permissions needed to decide it without a vote. */
  readonly needs: (requests: Requests) => readonly Need[]
  readonly run: (isVoted: boolean) => Promise<unknown>
}

/**
 * `expired`: too few agreed in time. `over`: there is nothing left to vote on. `failed`: agreed on, but not possible.
 */
export type VoteState = 'open' | 'passed' | 'expired' | 'over' | 'failed'

export interface Vote {
  readonly id: string
  readonly place: VotePlace
  readonly motion: Motion
  readonly starterId: string
  readonly state: VoteState
  readonly voterIds: readonly string[]
  readonly votesNeeded: number
  /** Milliseconds since 1970. */
  readonly endsAtMs: number
}

/** Votes of listeners on what none of them may do alone. They are kept in memory: a restart ends them. */
export type Votes = ReturnType<typeof createVotes>

interface VotesOptions {
  readonly clock: Clock
  readonly log: Logger
  readonly listeners: (place: VotePlace) => readonly string[]
  /** The settings at the last read. */
  readonly settings: { known(botId: string, guildId: string): PermissionSettings }
  /** Calls on each change of a vote, as `watch` does for one. Defaults to no call. */
  readonly onChange?: (place: VotePlace) => void
  /** Something was done to a player that listeners agreed on. */
  readonly onPassed: (place: VotePlace) => void
}

export const VOTE_MS = 60_000
/** On one player. */
const MOST_OPEN = 5

/** Permissions whose votes mean the track that plays, and go with it. */
const OF_TRACK: ReadonlySet<Permission> = new Set(['skip', 'pause', 'resume', 'seek'])

interface Open extends Vote {
  state: VoteState
  voterIds: readonly string[]
  votesNeeded: number
  /** Members who voted, even if they have left or are deafened: they count again when they are back. */
  readonly votedIds: Set<string>
  readonly watchers: ((vote: Vote) => void)[]
  readonly cancel: () => void
}

interface VotesState extends VotesOptions {
  readonly open: Map<string, Open>
}

export function createVotes(options: VotesOptions) {
  const open = new Map<string, Open>()
  const state: VotesState = { ...options, open }
  return {
    /**
     * Counts a voice, for the vote that is open on it or a new one. @throws {Fault} `rate_limited` with too many open.
     */
    cast(place: VotePlace, motion: Motion, memberId: string) {
      const known = votesOn(state, place).find(({ motion: { key } }) => key === motion.key)
      const vote = known ?? start(state, { place, motion, memberId })
      vote.votedIds.add(memberId)
      return { vote, isNew: !known, output: count(state, vote) }
    },
    find: (id: string): Vote | null => open.get(id) ?? null,
    /** Open votes on a player, oldest first. */
    list: (botId: string, guildId: string): readonly Vote[] => votesOn(state, { botId, guildId }),
    /** A member who needs no vote agrees. @returns what comes of it. */
    async pass(id: string): Promise<unknown> {
      const vote = open.get(id)
      if (!vote) throw new Fault('conflict', 'This vote is over.')
      return pass(state, vote)
    },
    /** Members came, left or were deafened, or the guild has changed its rules. */
    recount(botId: string, guildId: string) {
      for (const vote of votesOn(state, { botId, guildId })) {
        count(state, vote)?.catch((err: unknown) => state.log.info({ err, botId, guildId }, 'voted operation failed'))
      }
    },
    /** The current track is over. */
    endOfTrack(botId: string, guildId: string) {
      const ofTrack = votesOn(state, { botId, guildId }).filter(({ motion }) => OF_TRACK.has(motion.permission))
      for (const vote of ofTrack) end(state, vote, 'over')
    },
    /** The player is over. */
    endOfPlayer(botId: string, guildId: string) {
      for (const vote of votesOn(state, { botId, guildId })) end(state, vote, 'over')
    },
    /** The bot leaves Discord. */
    endOfBot(botId: string) {
      for (const vote of open.values()) if (vote.place.botId === botId) end(state, vote, 'over')
    },
    /** Calls on each change until the vote is over. */
    watch(id: string, listener: (vote: Vote) => void) {
      open.get(id)?.watchers.push(listener)
    },
    close() {
      for (const vote of open.values()) end(state, vote, 'over')
    },
  }
}

function votesOn({ open }: VotesState, { botId, guildId }: Pick<VotePlace, 'botId' | 'guildId'>): readonly Open[] {
  return [...open.values()].filter(({ place }) => place.botId === botId && place.guildId === guildId)
}

interface Started {
  readonly place: VotePlace
  readonly motion: Motion
  readonly memberId: string
}

function start(state: VotesState, { place, motion, memberId }: Started): Open {
  const { clock, open } = state
  // Members who change their mind before others agree have one vote, not two.
  for (const vote of votesOn(state, place)) {
    if (vote.starterId === memberId && vote.votedIds.size === 1) end(state, vote, 'over')
  }
  if (votesOn(state, place).length >= MOST_OPEN) {
    throw new Fault('rate_limited', `Vote limit reached (${MOST_OPEN} open). Wait until one is over.`)
  }
  const vote: Open = {
    id: randomUUID().slice(0, 8),
    place,
    motion,
    starterId: memberId,
    state: 'open',
    voterIds: [],
    votesNeeded: 0,
    endsAtMs: clock.dateMs() + VOTE_MS,
    votedIds: new Set(),
    watchers: [() => state.onChange?.(place)],
    cancel: clock.after(VOTE_MS, () => end(state, vote, 'expired')),
  }
  open.set(vote.id, vote)
  return vote
}

/** @returns what came of it where that passes it. */
function count(state: VotesState, vote: Open): Promise<unknown> | null {
  const { place, votedIds, motion } = vote
  const settings = state.settings.known(place.botId, place.guildId)
  const listeners = state.listeners(place)
  vote.voterIds = listeners.filter((id) => votedIds.has(id))
  // All who are left may be fewer than it takes elsewhere.
  vote.votesNeeded = Math.min(votesNeededOf(settings, listeners.length), listeners.length)
  if (ruleOf(settings, motion.permission) !== 'vote' || vote.voterIds.length === 0) end(state, vote, 'over')
  else if (vote.voterIds.length >= vote.votesNeeded) return pass(state, vote)
  else changed(vote)
  return null
}

async function pass(state: VotesState, vote: Open): Promise<unknown> {
  // Two last voices at once do it once.
  end(state, vote, 'passed')
  try {
    const output = await vote.motion.run(true)
    state.onPassed(vote.place)
    return output
  } catch (err) {
    vote.state = 'failed'
    changed(vote)
    throw err
  }
}

function end(state: VotesState, vote: Open, how: VoteState): void {
  vote.cancel()
  state.open.delete(vote.id)
  vote.state = how
  changed(vote)
}

function changed(vote: Open): void {
  for (const watcher of vote.watchers) watcher(vote)
}
