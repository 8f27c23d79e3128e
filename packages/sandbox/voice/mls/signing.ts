import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import { MalformedMessage } from './reader.ts'
import { vector } from './writer.ts'

/** MLS 1.0 and the one cipher suite of DAVE: 2 = DHKEM(P-256), AES-128-GCM, SHA-256, ECDSA P-256 (RFC 9420 17.1). */
export const PROTOCOL_VERSION = 1
export const CIPHER_SUITE = 2

/** A point of P-256 as MLS writes it: 04 ‖ X ‖ Y. */
const POINT_BYTES = 65
const UNCOMPRESSED = 4

/** SignWithLabel (RFC 9420 5.1.2); the signature is in DER, as suite 2 asks. */
export function signWithLabel(privateKey: KeyObject, label: string, content: Buffer): Buffer {
  return sign('sha256', signContent(label, content), { key: privateKey, dsaEncoding: 'der' })
}

/** VerifyWithLabel (RFC 9420 5.1.2). A key that is no point of the curve verifies nothing. */
export function verifyWithLabel(
  signed: { readonly label: string; readonly content: Buffer; readonly signature: Buffer },
  point: Buffer,
): boolean {
  const content = signContent(signed.label, signed.content)
  try {
    return verify('sha256', content, { key: importPoint(point), dsaEncoding: 'der' }, signed.signature)
  } catch {
    return false
  }
}

/** RefHash (RFC 9420 5.2): the name that a proposal or a key package goes by. */
export function refHash(label: 'Proposal' | 'KeyPackage', value: Buffer): Buffer {
  return createHash('sha256')
    .update(vector(Buffer.from(`MLS 1.0 ${label} Reference`)))
    .update(vector(value))
    .digest()
}

export function exportPoint(publicKey: KeyObject): Buffer {
  const { x, y } = publicKey.export({ format: 'jwk' })
  return Buffer.concat([Buffer.of(UNCOMPRESSED), Buffer.from(x ?? '', 'base64url'), Buffer.from(y ?? '', 'base64url')])
}

function importPoint(point: Buffer): KeyObject {
  if (point.length !== POINT_BYTES || point[0] !== UNCOMPRESSED) throw new MalformedMessage('Not a point of P-256.')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' } })
}

function signContent(label: string, content: Buffer): Buffer {
  return Buffer.concat([vector(Buffer.from(`MLS 1.0 ${label}`)), vector(content)])
}
