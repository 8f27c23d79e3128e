import { generateKeyPairSync } from 'node:crypto'
import { exportPoint, PROTOCOL_VERSION, refHash, signWithLabel } from './signing.ts'
import { uint16, uint32, uint64, uint8, vector } from './writer.ts'

const PUBLIC_MESSAGE = 1
const SENDER_EXTERNAL = 2
const CONTENT_PROPOSAL = 2
const PROPOSAL_ADD = 1
const PROPOSAL_REMOVE = 3
const BASIC_CREDENTIAL = 1

/** Group and epoch of a proposal. */
export interface GroupEpoch {
  readonly groupId: bigint
  readonly epoch: bigint
}

interface SignedProposal {
  /** The whole MLSMessage, as op 27 carries it. */
  readonly message: Buffer
  /** ProposalRef in hex: how a commit names the proposal. */
  readonly ref: string
}

/** The voice server's part in a group that it is no member of (RFC 9420 12.1.8): it proposes, members commit. */
export type ExternalSender = ReturnType<typeof createExternalSender>

export function createExternalSender() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const identity = uint8(0)

  function propose(group: GroupEpoch, proposal: Buffer): SignedProposal {
    const framedContent = Buffer.concat([
      vector(uint64(group.groupId)),
      uint64(group.epoch),
      uint8(SENDER_EXTERNAL),
      uint32(0), // our place in the group's list of external senders
      vector(), // authenticated_data
      uint8(CONTENT_PROPOSAL),
      proposal,
    ])
    // RFC 9420 6.1: for an external sender no GroupContext follows in what is signed.
    const signedPart = Buffer.concat([uint16(PROTOCOL_VERSION), uint16(PUBLIC_MESSAGE), framedContent])
    const signature = vector(signWithLabel(privateKey, 'FramedContentTBS', signedPart))
    const authenticatedContent = Buffer.concat([uint16(PUBLIC_MESSAGE), framedContent, signature])
    return {
      message: Buffer.concat([signedPart, signature]),
      ref: refHash('Proposal', authenticatedContent).toString('hex'),
    }
  }

  return {
    /** The payload of op 25: `ExternalSender` of RFC 9420 12.1.8.1. */
    announcement: Buffer.concat([vector(exportPoint(publicKey)), uint16(BASIC_CREDENTIAL), vector(identity)]),
    proposeAdd: (group: GroupEpoch, keyPackage: Buffer): SignedProposal =>
      propose(group, Buffer.concat([uint16(PROPOSAL_ADD), keyPackage])),
    proposeRemove: (group: GroupEpoch, leafIndex: number): SignedProposal =>
      propose(group, Buffer.concat([uint16(PROPOSAL_REMOVE), uint32(leafIndex)])),
  }
}
