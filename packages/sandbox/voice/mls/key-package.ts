import { isLeafSigned, readLeafNode } from './leaf-node.ts'
import { createReader, MalformedMessage } from './reader.ts'
import { CIPHER_SUITE, PROTOCOL_VERSION, refHash, verifyWithLabel } from './signing.ts'

/** `MLSMessage` around a key package (RFC 9420 6): protocol version 1, wire format 5. */
const MESSAGE_HEADER = Buffer.of(0, 1, 0, 5)
const FOREVER = 0xffff_ffff_ffff_ffffn

export interface KeyPackage {
  /** Without the MLSMessage header, as an add proposal carries it. */
  readonly bytes: Buffer
  /** KeyPackageRef in hex: how a welcome names its receiver. */
  readonly ref: string
  readonly signatureKey: Buffer
}

/**
 * Checks what a client offers in op 26 (RFC 9420 10.1 and the DAVE protocol): suite 2, a basic credential that is
 * the user's own id, a lifetime without end, both signatures. Throws `MalformedMessage` for anything else.
 * The protocol text asks for an MLSMessage, real clients send the bare package: both are taken.
 */
export function readKeyPackage(message: Buffer, userId: string): KeyPackage {
  const isWrapped = message.subarray(0, MESSAGE_HEADER.length).equals(MESSAGE_HEADER)
  const bytes = isWrapped ? message.subarray(MESSAGE_HEADER.length) : message
  const reader = createReader(bytes)
  if (reader.uint16() !== PROTOCOL_VERSION) throw new MalformedMessage("The key package isn't of MLS 1.0.")
  if (reader.uint16() !== CIPHER_SUITE) throw new MalformedMessage("The key package isn't of cipher suite 2.")
  reader.vector() // init_key
  const leaf = readLeafNode(reader)
  reader.vector() // extensions
  const signedPart = reader.since(0)
  const signature = reader.vector()
  reader.end()

  if (leaf.userId !== userId) throw new MalformedMessage(`The key package belongs to user ${leaf.userId}.`)
  const { origin } = leaf
  if (origin.from !== 'key_package' || origin.notBefore !== 0n || origin.notAfter !== FOREVER)
    throw new MalformedMessage('The key package has an end.')
  if (!isLeafSigned(leaf)) throw new MalformedMessage("The leaf of the key package isn't signed by its key.")
  if (!verifyWithLabel({ label: 'KeyPackageTBS', content: signedPart, signature }, leaf.signatureKey))
    throw new MalformedMessage("The key package isn't signed by its key.")
  return { bytes, ref: refHash('KeyPackage', bytes).toString('hex'), signatureKey: leaf.signatureKey }
}
