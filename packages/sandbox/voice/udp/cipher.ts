import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto'
import { hchacha } from '@noble/ciphers/chacha.js'

/** The transport encryption between one client and the server, in the server's order of preference. */
export const TRANSPORT_MODES = ['aead_aes256_gcm_rtpsize', 'aead_xchacha20_poly1305_rtpsize'] as const
export type TransportMode = (typeof TRANSPORT_MODES)[number]

export const SECRET_KEY_BYTES = 32
const TAG_BYTES = 16
/** The end of every packet: the part of the nonce that counts; zeros fill up the rest. */
const COUNTER_BYTES = 4
const OVERHEAD_BYTES = TAG_BYTES + COUNTER_BYTES
const NONCE_BYTES: Readonly<Record<TransportMode, number>> = {
  aead_aes256_gcm_rtpsize: 12,
  aead_xchacha20_poly1305_rtpsize: 24,
}

/** A packet is `clear header ‖ ciphertext ‖ tag ‖ counter`; the header is authenticated. */
export type TransportCipher = ReturnType<typeof createTransportCipher>

/** Encrypts and decrypts one sealed part; `sealed` is ciphertext ‖ tag. */
interface Aead {
  encrypt(nonce: Buffer, header: Buffer, payload: Buffer): Uint8Array[]
  decrypt(nonce: Buffer, header: Buffer, sealed: Buffer): Buffer
}

export function createTransportCipher(mode: TransportMode, key: Buffer) {
  const aead = mode === 'aead_aes256_gcm_rtpsize' ? createAesGcm(key) : createXChaCha(key)
  const sealNonce = Buffer.alloc(NONCE_BYTES[mode])
  const openNonce = Buffer.alloc(NONCE_BYTES[mode])
  let counter = 0

  return {
    mode,
    seal(header: Buffer, payload: Buffer) {
      counter = (counter + 1) >>> 0
      sealNonce.writeUInt32BE(counter, 0)
      return Buffer.concat([header, ...aead.encrypt(sealNonce, header, payload), sealNonce.subarray(0, COUNTER_BYTES)])
    },
    /** The payload, or null if the packet was not made with this key. */
    open(packet: Buffer, headerBytes: number) {
      if (packet.length < headerBytes + OVERHEAD_BYTES) return null
      const end = packet.length - COUNTER_BYTES
      packet.copy(openNonce, 0, end)
      try {
        return aead.decrypt(openNonce, packet.subarray(0, headerBytes), packet.subarray(headerBytes, end))
      } catch {
        return null
      }
    },
  }
}

function createAesGcm(rawKey: Buffer): Aead {
  // A KeyObject: handing in raw bytes makes every packet four times as costly.
  const key = createSecretKey(rawKey)
  return {
    encrypt(nonce, header, payload) {
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      cipher.setAAD(header)
      return [cipher.update(payload), cipher.final(), cipher.getAuthTag()]
    },
    decrypt(nonce, header, sealed) {
      const tagStart = sealed.length - TAG_BYTES
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(header)
      decipher.setAuthTag(sealed.subarray(tagStart))
      const payload = decipher.update(sealed.subarray(0, tagStart))
      // GCM is a stream mode: `final` only checks the tag.
      decipher.final()
      return payload
    },
  }
}

/** XChaCha20 is ChaCha20 with a key derived from the first 16 bytes of the nonce, and the last eight as nonce. */
function createXChaCha(rawKey: Buffer): Aead {
  const key = wordsOf(rawKey)
  const subkey = new Uint32Array(8)
  const innerNonce = Buffer.alloc(12)
  const options = { authTagLength: TAG_BYTES } as const
  const derive = (nonce: Buffer): Buffer => {
    hchacha(SIGMA, key, wordsOf(nonce.subarray(0, 16)), subkey)
    nonce.copy(innerNonce, 4, 16)
    return Buffer.from(subkey.buffer)
  }
  return {
    encrypt(nonce, header, payload) {
      const cipher = createCipheriv('chacha20-poly1305', derive(nonce), innerNonce, options)
      cipher.setAAD(header, { plaintextLength: payload.length })
      return [cipher.update(payload), cipher.final(), cipher.getAuthTag()]
    },
    decrypt(nonce, header, sealed) {
      const tagStart = sealed.length - TAG_BYTES
      const decipher = createDecipheriv('chacha20-poly1305', derive(nonce), innerNonce, options)
      decipher.setAAD(header, { plaintextLength: tagStart })
      decipher.setAuthTag(sealed.subarray(tagStart))
      const payload = decipher.update(sealed.subarray(0, tagStart))
      decipher.final()
      return payload
    },
  }
}

/** "expand 32-byte k". */
const SIGMA = Uint32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574)

/** Bytes as little-endian words: the byte order of all processors that Node runs on. */
function wordsOf(bytes: Buffer): Uint32Array {
  return new Uint32Array(Uint8Array.from(bytes).buffer)
}
