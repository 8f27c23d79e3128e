import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/**
 * Marks what this installation's services write to Redis. Others can write there too: a renderer, which opens hostile
 * pages, has the address of the same Redis, and must not be able to make a key.
 */
export type Signing = ReturnType<typeof createSigning>

/** HMAC-SHA-256 in base64url. */
const MAC_LENGTH = 43

/** @param servicesKey 64 hex digits. */
export function createSigning(servicesKey: string) {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(servicesKey, 'hex'), '', `bandstand services ${purpose}`, bytes))
  const secret = derive('signing', 32)
  const macOf = (purpose: string, text: string) =>
    createHmac('sha256', secret).update(`${purpose}\n`).update(text).digest('base64url')

  return {
    /** Eight hex digits that identify a key without revealing it. */
    id: derive('name', 4).toString('hex'),
    sign: (purpose: string, text: string) => macOf(purpose, text) + text,
    /** The text; null when none of our services wrote it for this purpose. */
    check(purpose: string, signed: string): string | null {
      const text = signed.slice(MAC_LENGTH)
      const given = Buffer.from(signed.slice(0, MAC_LENGTH))
      const right = Buffer.from(macOf(purpose, text))
      return given.length === right.length && timingSafeEqual(given, right) ? text : null
    },
  }
}
