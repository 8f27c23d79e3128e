import { isPathOf, splitCommitWelcome, type Commit } from '../mls/commit.ts'
import type { KeyPackage } from '../mls/key-package.ts'
import { readWelcome, type Welcome } from '../mls/welcome.ts'
import { uint64 } from '../mls/writer.ts'
import type { Leaf } from './leaves.ts'
import { proposalsFor, type Batch, type Proposal } from './batch.ts'

/** The epoch that a commit has to fit. */
export interface Standing {
  readonly groupId: bigint
  readonly epoch: bigint
  readonly batch: Batch
  /** The sender's leaf and key package; in a new group every sender is leaf 0 of their own. */
  readonly sender: { readonly userId: string; readonly leafIndex: number; readonly keyPackage: KeyPackage }
}

export interface Accepted {
  readonly accepted: true
  readonly commit: Commit
  /** Proposals in the order in which they take effect. */
  readonly proposals: readonly Proposal[]
  /** Everybody added, each with a welcome that holds their own secret alone. */
  readonly newcomers: readonly (Leaf & { readonly welcome: Buffer })[]
}

export type Verdict = Accepted | { readonly accepted: false; readonly why: string }

/**
 * Whether an op 28 makes the next epoch: right group, epoch and sender, a path that the sender signed, exactly
 * the proposals that the sender was given, and a welcome for everybody added. Throws `MalformedMessage` for bytes
 * that are no commit.
 */
export function judgeCommit(payload: Buffer, { groupId, epoch, batch, sender }: Standing): Verdict {
  const { commit, welcome } = splitCommitWelcome(payload)
  if (!commit.groupId.equals(uint64(groupId))) return refuse('another group')
  if (commit.epoch !== epoch) return refuse('another epoch')
  if (commit.senderLeaf !== sender.leafIndex) return refuse('another sender')
  if (!isPathOf(commit, sender.keyPackage.signatureKey)) return refuse('a path that its sender did not sign')

  const wanted = proposalsFor(batch, sender.userId)
  const proposals = commit.proposals.flatMap((ref) => wanted.get(ref) ?? [])
  const isExact = proposals.length === commit.proposals.length && new Set(commit.proposals).size === wanted.size
  if (!isExact || wanted.size === 0) return refuse('other proposals')
  if (!commit.pathLeaf && proposals.some(({ kind }) => kind === 'remove')) return refuse('no path')

  const newcomers = welcomeAll(proposals, welcome ? readWelcome(welcome) : null)
  return newcomers ? { accepted: true, commit, proposals, newcomers } : refuse('no welcome for a newcomer')
}

/** Null if someone who is added has no welcome. */
function welcomeAll(proposals: readonly Proposal[], welcome: Welcome | null): Accepted['newcomers'] | null {
  const newcomers: (Leaf & { readonly welcome: Buffer })[] = []
  for (const proposal of proposals) {
    if (proposal.kind === 'remove') continue
    const { userId, keyPackage } = proposal
    const own = welcome?.cutFor(keyPackage.ref)
    if (!own) return null
    newcomers.push({ userId, keyPackage, welcome: own })
  }
  return newcomers
}

function refuse(why: string): Verdict {
  return { accepted: false, why }
}
