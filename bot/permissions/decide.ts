import { OPERATIONS, type Input, type Operation, type OperationName } from '../player/operations.ts'
import { need, type Need, type Requests, ruleOf, type Permission, type PermissionSettings } from './permission-table.ts'

/** A member of a guild who wants something of a player. */
export interface Actor {
  readonly id: string
  readonly voiceChannelId: string | null
  readonly roleIds: ReadonlySet<string>
  /** An administrator, or a member who may manage the server. */
  readonly isManager: boolean
}

/** All that a decision depends on. */
export interface Situation {
  readonly settings: PermissionSettings
  readonly member: Actor
  /** The player's channel, or the channel where the member would start it. */
  readonly channelId: string
  /** Listeners of that channel: members in it, without bots and deafened members. */
  readonly listeners: readonly string[]
  readonly requests: Requests
}

export type RefusalReason =
  /** The member is not in the channel of the player. */
  | 'elsewhere'
  /** Only listeners can vote. */
  | 'deafened'
  /** Only the requesters of the tracks that it concerns may, and DJs. */
  | 'requester'
  /** Only DJs may. */
  | 'dj'

export type Decision =
  | { readonly outcome: 'allowed' }
  /** The number of listeners who have to agree, including the member. */
  | { readonly outcome: 'vote'; readonly permission: Permission; readonly votesNeeded: number }
  | { readonly outcome: 'refused'; readonly permission: Permission; readonly reason: RefusalReason }

const ALLOWED: Decision = { outcome: 'allowed' }
const STRICTNESS = { allowed: 0, vote: 1, refused: 2 } as const

/**
 * Whether a member may carry out an operation: the one rule for commands, buttons and the web player. API keys are not asked.
 *
 * Managers of the server always may. All others have to be in the player's channel. There DJs may, and those who listen alone;
 * for all others the guild's rule decides: `everyone`; `requester`, who asked for all tracks that it concerns; `vote`, the
 * requester at once and others together; `dj`, none of them.
 */
export function decideOperation<Name extends OperationName>(situation: Situation, name: Name, input: Input<Name>) {
  const operation: Operation = OPERATIONS[name]
  return decideAll(situation, operation.needs(situation.requests, input))
}

/** The same for a permission as such: what to show of it before an input is known. */
export function decidePermission(situation: Situation, permission: Permission): Decision {
  return decideAll(situation, need(permission, situation.requests))
}

/** The strictest of several decisions. */
export function decideAll(situation: Situation, needs: readonly Need[]): Decision {
  const decisions = needs.map((one) => decide(situation, one))
  return decisions.reduce((a, b) => (STRICTNESS[b.outcome] > STRICTNESS[a.outcome] ? b : a), ALLOWED)
}

/** Number of listeners who have to agree: at least two, since one alone is no vote, unless the guild asks for none. */
export function votesNeededOf({ voteRatio }: Pick<PermissionSettings, 'voteRatio'>, listeners: number): number {
  return voteRatio === 0 ? 1 : Math.max(Math.ceil(voteRatio * listeners), 2)
}

function decide({ settings, member, channelId, listeners }: Situation, { permission, requesterIds }: Need): Decision {
  const refused = (reason: RefusalReason): Decision => ({ outcome: 'refused', permission, reason })
  if (member.isManager) return ALLOWED
  if (member.voiceChannelId !== channelId) return refused('elsewhere')
  if (settings.djRoleId !== null && member.roleIds.has(settings.djRoleId)) return ALLOWED
  if (listeners.every((id) => id === member.id)) return ALLOWED
  const isRequester = requesterIds.every((id) => id === member.id)
  switch (ruleOf(settings, permission)) {
    case 'everyone':
      return ALLOWED
    case 'dj':
      return refused('dj')
    case 'requester':
      return isRequester ? ALLOWED : refused('requester')
    case 'vote': {
      if (isRequester) return ALLOWED
      if (!listeners.includes(member.id)) return refused('deafened')
      const votesNeeded = votesNeededOf(settings, listeners.length)
      return votesNeeded === 1 ? ALLOWED : { outcome: 'vote', permission, votesNeeded }
    }
  }
}
