import { createRequire } from 'node:module'

export const XCHACHA_NONCE_BYTES = 24

/** The part of sodium-native that seals packets: it has no types of its own. */
interface Sodium {
  /** Writes ciphertext and tag to `sealed`. */
  crypto_aead_xchacha20poly1305_ietf_encrypt(
    sealed: Uint8Array,
    text: Uint8Array,
    authenticated: Uint8Array,
    unused: null,
    nonce: Uint8Array,
    key: Uint8Array,
  ): number
}

/**
 * libsodium; null where its build does not load, as on musl. The package has a name of its own here: @discordjs/voice would take
 * `sodium-native` up, and reads its sizes in a way that gives `undefined`.
 */
export const sodium = load()

function load(): Sodium | null {
  try {
    const require = createRequire(import.meta.url)
    return require('voice-sodium') as Sodium
  } catch {
    return null
  }
}
