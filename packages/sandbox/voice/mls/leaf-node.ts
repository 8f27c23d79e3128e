import { MalformedMessage, type Reader } from './reader.ts'
import { verifyWithLabel } from './signing.ts'
import { uint32, vector } from './writer.ts'

const BASIC_CREDENTIAL = 1
const USER_ID_BYTES = 8

/** RFC 9420 7.2: a leaf comes from a key package, an update, or the path of a commit. */
type LeafOrigin =
  | { readonly from: 'key_package'; readonly notBefore: bigint; readonly notAfter: bigint }
  | { readonly from: 'update' }
  | { readonly from: 'commit' }

export type LeafNode = ReturnType<typeof readLeafNode>

export function readLeafNode(reader: Reader) {
  const start = reader.offset
  reader.vector() // encryption_key
  const signatureKey = reader.vector()
  if (reader.uint16() !== BASIC_CREDENTIAL) throw new MalformedMessage("The credential isn't a basic one.")
  const identity = reader.vector()
  if (identity.length !== USER_ID_BYTES) throw new MalformedMessage("The identity isn't a user ID.")
  // Capabilities: versions, cipher suites, extensions, proposals, credentials.
  for (let list = 0; list < 5; list++) reader.vector()
  const origin = readOrigin(reader)
  reader.vector() // extensions
  const signedPart = reader.since(start)
  return { userId: String(identity.readBigUInt64BE()), signatureKey, origin, signedPart, signature: reader.vector() }
}

function readOrigin(reader: Reader): LeafOrigin {
  const source = reader.uint8()
  if (source === 1) return { from: 'key_package', notBefore: reader.uint64(), notAfter: reader.uint64() }
  if (source === 2) return { from: 'update' }
  if (source !== 3) throw new MalformedMessage(`A leaf node has the unknown source ${source}.`)
  reader.vector() // parent_hash
  return { from: 'commit' }
}

/** Whether the leaf's own key signed it; a leaf of a commit is signed for its place in one group (LeafNodeTBS). */
export function isLeafSigned(leaf: LeafNode, place?: { readonly groupId: Buffer; readonly index: number }): boolean {
  const content = place ? Buffer.concat([leaf.signedPart, vector(place.groupId), uint32(place.index)]) : leaf.signedPart
  return verifyWithLabel({ label: 'LeafNodeTBS', content, signature: leaf.signature }, leaf.signatureKey)
}
