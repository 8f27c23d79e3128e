import { Fault } from '../../lib/errors.ts'
import { channelOf } from '../player/phase.ts'
import { OPERATIONS, type Input, type Operation, type OperationName, type Output } from '../player/operations.ts'
import { requestersOf } from '../player/player-info.ts'
import type { Guard } from '../player/player.ts'
import type { QueuedTrack } from '../player/player-parts.ts'
import type { PlayerState } from '../player/player-state.ts'
import type { PlayerScope, PlayerService } from '../player-service.ts'
import type { EncodedTrack } from '../tracks/track.ts'
import { decideAll, type Actor, type Decision, type RefusalReason, type Situation } from './decide.ts'
import type { Need, Requests, Permission, PermissionSettings } from './permission-table.ts'
import type { Motion, VoteSubject, Vote, Votes } from './votes.ts'

/** A member who asks something of the player of a guild. */
interface MemberRequest {
  readonly scope: PlayerScope
  readonly guildId: string
  readonly member: Actor
  readonly place: {
    /** Listeners of a voice channel: members in it, without bots and deafened members. */
    listeners(channelId: string): readonly string[]
  }
}

/** Done, or put to the vote. */
export type Attempt<Result> =
  | { readonly isDone: true; readonly output: Result }
  | { readonly isDone: false; readonly vote: Vote; readonly isNew: boolean }

/** Something that members do to a player beside its operations. */
export interface Deferred<Result> {
  /** The same for all who want the same. */
  readonly key: string
  readonly subject: VoteSubject
  readonly needs: (requests: Requests) => readonly Need[]
  /** @param isVoted Whether listeners agreed on it. */
  readonly run: (isVoted: boolean) => Promise<Result>
}

/** The guild's rules do not let a member do this. */
export class PermissionRefused extends Error {
  override readonly name = 'PermissionRefused'
  readonly permission: Permission
  readonly reason: RefusalReason
  /** The voice channel of the player. */
  readonly channelId: string
  readonly djRoleId: string | null

  constructor({ permission, reason }: Decision & { outcome: 'refused' }, { channelId, settings }: Situation) {
    super(`This takes the permission ${permission}: ${reason}.`)
    this.permission = permission
    this.reason = reason
    this.channelId = channelId
    this.djRoleId = settings.djRoleId
  }
}

/**
 * The way by which members change a player, whether by a command, a button or the web player: held to the guild's
 * rules, and put to the vote where they say so.
 */
export type MemberControls = ReturnType<typeof createMemberControls>

interface MemberControlsOptions {
  readonly music: Pick<PlayerService, 'info' | 'requesters' | 'performGuarded'>
  readonly settings: {
    get(botId: string, guildId: string): Promise<PermissionSettings>
    /** The settings at the last read. */
    known(botId: string, guildId: string): PermissionSettings
  }
  readonly votes: Votes
}

export function createMemberControls(options: MemberControlsOptions) {
  const { music, votes } = options

  async function situation(by: MemberRequest): Promise<Situation> {
    const { channelId, current } = await music.info(by.scope, by.guildId)
    const requesters = await music.requesters(by.scope, by.guildId)
    await options.settings.get(by.scope.botId, by.guildId)
    return situationOf(options, by, { channelId, requests: { ...requesters, isPlaying: current !== null } })
  }

  async function attempt<Result>(by: MemberRequest, what: Deferred<Result>): Promise<Attempt<Result>> {
    const now = await situation(by)
    const decision = decideAll(now, what.needs(now.requests))
    if (decision.outcome === 'refused') throw new PermissionRefused(decision, now)
    if (decision.outcome === 'allowed') return { isDone: true, output: await what.run(false) }
    const motion: Motion = { ...what, permission: decision.permission }
    const { projectId, botId } = by.scope
    const place = { projectId, botId, guildId: by.guildId, channelId: now.channelId }
    const { vote, isNew, output } = votes.cast(place, motion, by.member.id)
    // Votes with the same key are on the same.
    return output ? { isDone: true, output: (await output) as Result } : { isDone: false, vote, isNew }
  }

  function findVote({ scope, guildId }: Pick<MemberRequest, 'scope' | 'guildId'>, voteId: string): Vote | null {
    const vote = votes.find(voteId)
    return vote?.place.projectId === scope.projectId && vote.place.guildId === guildId ? vote : null
  }

  return {
    /** All that a decision about this member depends on now. @throws {Fault} `not_found` without a player. */
    situation,
    /** An open vote on a player of the guild; null when it is over. */
    findVote,
    /** The open votes on the player of the guild, the oldest first. */
    openVotes: ({ scope, guildId }: Pick<MemberRequest, 'scope' | 'guildId'>) => votes.list(scope.botId, guildId),
    /** Calls on each change of a vote, at last when it is over. */
    watch: (voteId: string, listener: (vote: Vote) => void) => votes.watch(voteId, listener),
    /** The same for actions outside of the operations table. */
    attempt,
    /** @throws {PermissionRefused} @throws {Fault} as the operation. */
    async perform<Name extends OperationName>(by: MemberRequest, name: Name, input: Input<Name>) {
      const about = await operationOn(options, by, { name, input })
      return attempt(by, about)
    },
    /** A member's voice in an open vote. @throws {Fault} `conflict` when it is over, or what came of it. */
    async agree(by: MemberRequest, voteId: string): Promise<Attempt<unknown>> {
      const vote = findVote(by, voteId)
      if (!vote) throw over()
      // The bot that it is about need not be the one that was asked.
      const now = await situation({ ...by, scope: { ...by.scope, botId: vote.place.botId } })
      const decision = decideAll(now, vote.motion.needs(now.requests))
      if (decision.outcome === 'refused') throw new PermissionRefused(decision, now)
      if (decision.outcome === 'allowed') return { isDone: true, output: await votes.pass(voteId) }
      const { output } = votes.cast(vote.place, vote.motion, by.member.id)
      return output ? { isDone: true, output: await output } : { isDone: false, vote, isNew: false }
    },
  }
}

interface Asked<Name extends OperationName> {
  readonly name: Name
  readonly input: Input<Name>
}

async function operationOn<Name extends OperationName>(
  options: MemberControlsOptions,
  by: MemberRequest,
  { name, input }: Asked<Name>,
): Promise<Deferred<Output<Name>>> {
  const { music } = options
  const operation: Operation = OPERATIONS[name]
  const { scope, guildId } = by
  const info = await music.info(scope, guildId)
  const track = concerned(operation.concerns?.(input), info)
  const needs: Needs = (requests) => operation.needs(requests, input)
  const stillAllowed: Guard = (state) => assertAllowed(options, { by, needs, state })
  const sameTrack: Guard = ({ rotation }) => assertSame(track, concerned(operation.concerns?.(input), rotation))
  return {
    key: `${name} ${JSON.stringify(input)} ${track?.encoded ?? ''}`,
    subject: { asked: { name, input, volume: info.volume } as VoteSubject['asked'], track },
    needs,
    run: (isVoted) => music.performGuarded({ scope, guildId, guard: isVoted ? sameTrack : stillAllowed }, name, input),
  }
}

interface Tracks<T> {
  readonly current: T | null
  readonly queue: readonly T[]
}

function concerned<T>(which: 'current' | number | null | undefined, { current, queue }: Tracks<T>): T | null {
  if (which === 'current') return current
  return typeof which === 'number' ? (queue[which - 1] ?? null) : null
}

type Needs = Deferred<unknown>['needs']

interface Turn {
  readonly by: MemberRequest
  readonly needs: Needs
  readonly state: PlayerState
}

/** The current track and the listeners may have changed before the turn came. */
function assertAllowed(options: MemberControlsOptions, { by, needs, state }: Turn): void {
  const channelId = channelOf(state.phase)
  // A closed player rejects the operation itself.
  if (channelId === null) return
  const requests = { ...requestersOf(state), isPlaying: state.rotation.current !== null }
  if (decideAll(situationOf(options, by, { channelId, requests }), needs(requests)).outcome !== 'allowed')
    throw changed()
}

function assertSame(voted: EncodedTrack | null, now: QueuedTrack | null): void {
  if (voted?.encoded !== now?.encoded) throw changed()
}

function changed(): Fault {
  return new Fault('conflict', 'The queue changed. Try again.')
}

function over(): Fault {
  return new Fault('conflict', 'This vote is over.')
}

function situationOf(
  { settings }: MemberControlsOptions,
  { scope, guildId, member, place }: MemberRequest,
  player: Pick<Situation, 'channelId' | 'requests'>,
): Situation {
  return {
    ...player,
    member,
    settings: settings.known(scope.botId, guildId),
    listeners: place.listeners(player.channelId),
  }
}
