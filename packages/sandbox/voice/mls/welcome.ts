import { createReader, MalformedMessage } from './reader.ts'
import { CIPHER_SUITE } from './signing.ts'
import { uint16, vector } from './writer.ts'

/** A welcome for several newcomers (RFC 9420 12.4.3.1), which the server cuts so that each gets no more than their own. */
export type Welcome = ReturnType<typeof readWelcome>

export function readWelcome(bytes: Buffer) {
  const reader = createReader(bytes)
  if (reader.uint16() !== CIPHER_SUITE) throw new MalformedMessage("The welcome isn't of cipher suite 2.")
  const list = reader.within()
  const groupInfo = reader.vector()
  reader.end()

  const secrets = new Map<string, Buffer>()
  while (!list.isAtEnd) {
    const start = list.offset
    const newMember = list.vector()
    list.vector() // kem_output
    list.vector() // ciphertext
    secrets.set(newMember.toString('hex'), list.since(start))
  }
  return {
    /** The welcome with the one secret made for this key package, or null if it holds none. */
    cutFor(keyPackageRef: string): Buffer | null {
      const secret = secrets.get(keyPackageRef)
      return secret ? Buffer.concat([uint16(CIPHER_SUITE), vector(secret), vector(groupInfo)]) : null
    },
  }
}
