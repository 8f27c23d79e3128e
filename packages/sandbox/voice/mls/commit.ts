import { isLeafSigned, readLeafNode, type LeafNode } from './leaf-node.ts'
import { createReader, MalformedMessage, type Reader } from './reader.ts'
import { PROTOCOL_VERSION } from './signing.ts'

const PUBLIC_MESSAGE = 1
const SENDER_MEMBER = 1
const CONTENT_COMMIT = 3
const PROPOSAL_BY_REFERENCE = 2
const PRESENT = 1

/** The public part of a commit that a member sent as `PublicMessage` (RFC 9420 6.2 and 12.4). */
export interface Commit {
  /** The whole MLSMessage, as op 29 carries it. */
  readonly message: Buffer
  readonly groupId: Buffer
  readonly epoch: bigint
  readonly senderLeaf: number
  /** ProposalRefs in hex, in the order in which they take effect. */
  readonly proposals: readonly string[]
  readonly pathLeaf: LeafNode | null
}

/** Reads the commit at the front of op 28; what follows it is the welcome. DAVE allows proposals by reference only. */
function readCommit(reader: Reader): Commit {
  const start = reader.offset
  if (reader.uint16() !== PROTOCOL_VERSION || reader.uint16() !== PUBLIC_MESSAGE)
    throw new MalformedMessage("The commit isn't a public message of MLS 1.0.")
  const groupId = reader.vector()
  const epoch = reader.uint64()
  if (reader.uint8() !== SENDER_MEMBER) throw new MalformedMessage("The commit doesn't come from a member.")
  const senderLeaf = reader.uint32()
  reader.vector() // authenticated_data
  if (reader.uint8() !== CONTENT_COMMIT) throw new MalformedMessage("The message isn't a commit.")
  const proposals = readProposalRefs(reader.within())
  const pathLeaf = readPathLeaf(reader)
  reader.vector() // signature
  reader.vector() // confirmation_tag
  reader.vector() // membership_tag
  return { message: reader.since(start), groupId, epoch, senderLeaf, proposals, pathLeaf }
}

function readProposalRefs(list: Reader): string[] {
  const refs: string[] = []
  while (!list.isAtEnd) {
    if (list.uint8() !== PROPOSAL_BY_REFERENCE) throw new MalformedMessage('The commit proposes something of its own.')
    refs.push(list.vector().toString('hex'))
  }
  return refs
}

function readPathLeaf(reader: Reader): LeafNode | null {
  if (reader.uint8() !== PRESENT) return null
  const leaf = readLeafNode(reader)
  reader.vector() // nodes
  return leaf
}

/**
 * Whether the commit's path, where it has one, was made by the holder of `signatureKey`: its leaf carries that key
 * and is signed by it for this group and place. Only commits that do nothing but add may go without (RFC 9420 12.4).
 * The signature over the commit as a whole covers the GroupContext, which only members know: they check it.
 */
export function isPathOf(commit: Commit, signatureKey: Buffer): boolean {
  const leaf = commit.pathLeaf
  if (!leaf) return true
  if (leaf.origin.from !== 'commit' || !leaf.signatureKey.equals(signatureKey)) return false
  return isLeafSigned(leaf, { groupId: commit.groupId, index: commit.senderLeaf })
}

/** The two halves of op 28: nothing separates them, so the commit has to be read to find the welcome. */
export function splitCommitWelcome(payload: Buffer): { readonly commit: Commit; readonly welcome: Buffer | null } {
  const reader = createReader(payload)
  const commit = readCommit(reader)
  return { commit, welcome: reader.isAtEnd ? null : reader.rest() }
}
