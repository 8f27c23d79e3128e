import type { ExternalSender, GroupEpoch } from '../mls/external-sender.ts'
import type { KeyPackage } from '../mls/key-package.ts'
import type { Leaf } from './leaves.ts'

export type Proposal =
  | { readonly kind: 'add'; readonly userId: string; readonly keyPackage: KeyPackage; readonly message: Buffer }
  | { readonly kind: 'remove'; readonly userId: string; readonly leafIndex: number; readonly message: Buffer }

/** The proposals of one epoch that are with the members now, until one of them commits them. */
export interface Batch {
  /** By ProposalRef in hex. */
  readonly proposals: Map<string, Proposal>
  /** Users who were sent the proposals and may answer with op 28. */
  readonly committers: Set<string>
}

/** How the group is to differ from what it is. */
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

/** What a user is to commit: everything but the user's own add, which nobody is sent. */
export function proposalsFor(batch: Batch, userId: string): ReadonlyMap<string, Proposal> {
  return new Map([...batch.proposals].filter(([, it]) => it.kind === 'remove' || it.userId !== userId))
}

/** The ref of the proposal that adds this user, or null. */
export function findAdd(batch: Batch, userId: string): string | null {
  const found = [...batch.proposals].find(([, it]) => it.kind === 'add' && it.userId === userId)
  return found?.[0] ?? null
}

/** Whether anybody who was sent the proposals still has something to commit. */
export function canBeCommitted(batch: Batch): boolean {
  return [...batch.committers].some((userId) => proposalsFor(batch, userId).size > 0)
}
