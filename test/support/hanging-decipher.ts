import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

// Preloaded into an audio thread (`--import`): a segment whose vector ends in "dead" hangs the thread while it is
// decrypted, one that ends in "c0de" crashes it a moment later.

const { createDecipheriv } = crypto

function hang(): void {
  const endMs = Date.now() + 3_600_000
  while (Date.now() < endMs) continue
}

function hostile(...args: Parameters<typeof createDecipheriv>): ReturnType<typeof createDecipheriv> {
  const vector = Buffer.from(args[2] as Buffer).toString('hex')
  if (vector.endsWith('dead')) hang()
  if (vector.endsWith('c0de')) {
    setImmediate(() => {
      throw new Error('a bug that this track meets')
    })
  }
  return createDecipheriv(...args)
}

Object.assign(crypto, { createDecipheriv: hostile })
syncBuiltinESMExports()
