import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Seals what a caller confides for one job: Redis keeps the queue on disk, so nothing secret stands in it in the clear. */
export type JobSecrets = ReturnType<typeof createJobSecrets>

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Seals with the first key, opens with any of them. Keys: 32 bytes each. */
export function createJobSecrets(keys: readonly [Buffer, ...Buffer[]]) {
  return {
    seal(secret: unknown): string {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keys[0], nonce)
      const body = Buffer.concat([cipher.update(JSON.stringify(secret), 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    /** @returns null for what was sealed with another key, or was changed. */
    open(sealed: string): unknown {
      const bytes = Buffer.from(sealed, 'base64url')
      for (const key of keys) {
        const text = opened(key, bytes)
        if (text !== null) return JSON.parse(text) as unknown
      }
      return null
    },
  }
}

function opened(key: Buffer, bytes: Buffer): string | null {
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return null
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), options)
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}
