import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import { SOURCE_NAMES, type SourceName } from '../sources/settings.ts'

/** A picture that only we can fetch, as its source names it. */
export interface CoverRef {
  readonly source: SourceName
  readonly id: string
}

/** The address at which we serve a picture of a source; null if we serve none. */
export type CoverUrlOf = (source: SourceName, id: string) => string | null

export type CoverAddresses = ReturnType<typeof createCoverAddresses>

export interface CoverAddressesOptions {
  /** Public address of the service, without a slash at the end. */
  readonly baseUrl: string
  /** The newest first; addresses made with an older one still open. */
  readonly secrets: readonly [Buffer, ...Buffer[]]
}

const COVERS_PATH = '/covers/'

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Limit of the sealed text; a longer one would make an address that others cut. */
const ID_MAX_CHARS = 300
const ADDRESS_MAX_CHARS = 600

interface Keys {
  readonly nonces: Buffer
  readonly bodies: Buffer
}

/**
 * Addresses that tell nothing and that no other can make: source and id, encrypted. The nonce is derived from what is
 * sealed, so that a picture keeps its address and caches keep the picture.
 */
export function createCoverAddresses({ baseUrl, secrets }: CoverAddressesOptions) {
  const [newest, ...older] = secrets
  const keys = [keysOf(newest), ...older.map(keysOf)] as const
  return {
    urlOf: (source: SourceName, id: string): string | null => {
      const isLong = id.length > ID_MAX_CHARS
      return id === '' || isLong ? null : baseUrl + COVERS_PATH + seal(keys[0], `${source} ${id}`)
    },
    /** Null for what is none of our addresses. */
    open: (signed: string): CoverRef | null => {
      if (signed.length > ADDRESS_MAX_CHARS || !/^[\w-]+$/.test(signed)) return null
      const sealed = Buffer.from(signed, 'base64url')
      for (const key of keys) {
        const text = unseal(key, sealed)
        if (text !== null) return refOf(text)
      }
      return null
    },
  }
}

function keysOf(secret: Buffer): Keys {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  return { nonces: derive('cover nonces'), bodies: derive('cover addresses') }
}

function seal({ nonces, bodies }: Keys, text: string): string {
  const nonce = createHmac('sha256', nonces).update(text).digest().subarray(0, NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', bodies, nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
}

function unseal({ bodies }: Keys, sealed: Buffer): string | null {
  if (sealed.length <= NONCE_BYTES + TAG_BYTES) return null
  const [nonce, tag] = [sealed.subarray(0, NONCE_BYTES), sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)]
  const decipher = createDecipheriv('aes-256-gcm', bodies, nonce, { authTagLength: TAG_BYTES }).setAuthTag(tag)
  try {
    return decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}

function refOf(text: string): CoverRef | null {
  const end = text.indexOf(' ')
  const source = SOURCE_NAMES.find((name) => name === text.slice(0, end))
  return source ? { source, id: text.slice(end + 1) } : null
}
