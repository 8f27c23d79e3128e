import type { ExternalSender, GroupEpoch } from '../mls/external-sender.ts'
import type { KeyPackage } from '../mls/key-package.ts'
import type { Leaf } from './leaves.ts'

export type Proposal =
  | { readonly kind: 'add'; readonly userId: string; readonly keyPackage: KeyPackage; readonly message: Buffer }
  | { readonly kind: 'remove'; readonly userId: string; readonly leafIndex: number; readonly message: Buffer }

/** The proposals of one epoch that are with the members now, until one of them commits them. */
export interface Batch {
  /** Proposals by ProposalRef in hex. */
  readonly proposals: Map<string, Proposal>
  /** Users who were sent the proposals and may answer with op 28. */
  readonly committers: Set<string>
}

/** Users that leave and join the group. */
export interface Change {
  readonly leaving: readonly { readonly userId: string; readonly leafIndex: number }[]
  readonly coming: readonly Leaf[]
  readonly committers: Iterable<string>
}

export function createBatch(sender: ExternalSender, group: GroupEpoch, change: Change): Batch {
  const proposals = new Map<string, Proposal>()
  for (const { userId, leafIndex } of change.leaving) {
    const { ref, message } = sender.proposeRemove(group, leafIndex)
    proposals.set(ref, { kind: 'remove', userId, leafIndex, message })
  }
  for (const { userId, keyPackage } of change.coming) {
    const { ref, message } = sender.proposeAdd(group, keyPackage.bytes)
    proposals.set(ref, { kind: 'add', userId, keyPackage, message })
  }
  return { proposals, committers: new Set(change.committers) }
}

/** Proposals that a user must commit: all but the user's own add, which no one is sent. */
export function proposalsFor(batch: Batch, userId: string): ReadonlyMap<string, Proposal> {
  return new Map([...batch.proposals].filter(([, it]) => it.kind === 'remove' || it.userId !== userId))
}

/**
 * Takes the add of a user out of the batch and gives its ref for the revocation, or null if it has to stay.
 * After a revocation clients commit what is left again, but without a welcome: what is left must not be an add. An add
 * that stays makes a member who is not there; the next batch removes them.
 */
export function takeBackAdd(batch: Batch, userId: string): string | null {
  const adds = [...batch.proposals].filter(([, it]) => it.kind === 'add')
  const own = adds.find(([, it]) => it.userId === userId)
  const stays = adds.some(([, it]) => it.userId !== userId && [...batch.committers].some((user) => user !== it.userId))
  if (!own || stays) return null
  batch.proposals.delete(own[0])
  return own[0]
}

/** Whether anybody who was sent the proposals still has something to commit. */
export function canBeCommitted(batch: Batch): boolean {
  return [...batch.committers].some((userId) => proposalsFor(batch, userId).size > 0)
}
