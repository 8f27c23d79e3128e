import { resolveHlsUri, type HlsAttributes } from './hls-attributes.ts'

export interface HlsKey {
  /** 16 bytes are there. */
  readonly url: string
  /** 32 hex digits. */
  readonly iv: string
}

/** Encrypted in a way that only licensed players undo. */
export class HlsProtectedError extends Error {}

interface KeyInForce {
  readonly url: string
  /** Null: the number of the segment is it. */
  readonly iv: string | null
}

const FORMATS_MAX = 20

/** The keys in force while a playlist is read: for each way to hand them out the last one. */
export class HlsKeyTable {
  /** Keys by format; a key that only licensed players get is stored as its method. */
  readonly #keys = new Map<string, KeyInForce | string>()

  note(about: HlsAttributes, base: URL): void {
    const method = about.get('METHOD') ?? 'NONE'
    if (method === 'NONE') return this.#keys.clear()
    const format = about.get('KEYFORMAT') ?? 'identity'
    if (this.#keys.size < FORMATS_MAX) this.#keys.set(format, keyOf(about, method, base) ?? method.slice(0, 30))
  }

  /** Returns the key of a sequence number; null without encryption. @throws {HlsProtectedError} */
  inForce(sequence: number): HlsKey | null {
    let locked: string | null = null
    for (const key of this.#keys.values()) {
      if (typeof key === 'string') locked = key
      else return { url: key.url, iv: key.iv ?? sequence.toString(16).padStart(32, '0') }
    }
    if (locked === null) return null
    throw new HlsProtectedError(`the audio is encrypted with ${locked}`)
  }
}

/** Null for one that only licensed players get. */
function keyOf(about: HlsAttributes, method: string, base: URL): KeyInForce | null {
  const url = resolveHlsUri(about.get('URI') ?? '', base)
  const isPlain = method === 'AES-128' && (about.get('KEYFORMAT') ?? 'identity') === 'identity'
  if (!isPlain || url === null) return null
  const iv = /^0x([\da-f]{1,32})$/i.exec(about.get('IV') ?? '')?.[1]
  return { url, iv: iv ? iv.padStart(32, '0').toLowerCase() : null }
}
