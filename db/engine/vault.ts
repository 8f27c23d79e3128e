import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { Fault } from '../../lib/errors.ts'
import { keyFileOf, makeKeyFile, readKeyFile } from './token-keys.ts'

/** Seals bots' tokens for the database. What it sealed opens only with the same key and for the same bot. */
export type Vault = ReturnType<typeof createVault>

interface VaultOptions {
  /** 64 hex digits (TOKEN_KEY), or null for the key file, which is made at first use. */
  readonly tokenKey: string | null
  readonly dataDir: string
}

interface Key {
  readonly id: Buffer
  readonly secret: Buffer
}

/** A sealed token: version (1 byte), key id (4), nonce (12), tag (16), the encrypted token. */
const VERSION = 1
const KEY_ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES

/**
 * Seals with TOKEN_KEY where it is set, otherwise with the first key of `DATA_DIR/token.key`; opens with any of them, so
 * that a key can be replaced while records sealed with the old one remain. The file is read each time: tokens are sealed
 * and opened seldom, and the command line may have replaced the key meanwhile.
 * @throws {Fault} when the key file is not one or other users may read it.
 */
export function createVault({ tokenKey, dataDir }: VaultOptions) {
  function masters(): readonly [string, ...string[]] {
    const [newest, ...older] = [
      ...(tokenKey ? [tokenKey] : []),
      ...(readKeyFile(dataDir) ?? (tokenKey ? [] : makeKeyFile(dataDir))),
    ]
    if (newest !== undefined) return [newest, ...older]
    throw new Fault('service_unavailable', `${keyFileOf(dataDir)} has no key. Restore it from a copy.`)
  }

  function keys(): readonly [Key, ...Key[]] {
    const [newest, ...older] = masters()
    return [deriveKey(newest), ...older.map(deriveKey)]
  }

  // A broken key file is reported at the start, not when a token is needed.
  keys()
  return {
    /** Eight hex digits that identify a key without revealing it. */
    get keyId(): string {
      return keys()[0].id.toString('hex')
    },
    seal: (botId: string, token: string): Buffer => seal(keys()[0], botId, token),
    /** @throws {Fault} that says what to do when the key is another one or the bytes were changed. */
    open: (botId: string, sealed: Buffer) => open(keys(), botId, sealed),
    /** Secrets for one purpose, from which nothing follows about others: of the newest key, then of the older ones. */
    secretsFor: (purpose: string): readonly [Buffer, ...Buffer[]] => {
      const [newest, ...older] = masters()
      return [deriveSecret(newest, purpose), ...older.map((master) => deriveSecret(master, purpose))]
    },
  }
}

/** The master key is never used itself, so that each purpose has a key of its own. */
function deriveSecret(masterHex: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(masterHex, 'hex'), '', `bandstand ${purpose}`, 32))
}

function deriveKey(masterHex: string): Key {
  const secret = deriveSecret(masterHex, 'bot token')
  return { secret, id: createHash('sha256').update('key id').update(secret).digest().subarray(0, KEY_ID_BYTES) }
}

function boundTo(botId: string): Buffer {
  return Buffer.from(`bot:${botId}:token`)
}

function seal({ id, secret }: Key, botId: string, token: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(boundTo(botId))
  const body = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(VERSION), id, nonce, cipher.getAuthTag(), body])
}

function open(keys: readonly Key[], botId: string, sealed: Buffer): string {
  const id = sealed.subarray(1, 1 + KEY_ID_BYTES)
  const key = keys.find((it) => it.id.equals(id))
  if (sealed.length < HEAD_BYTES || sealed[0] !== VERSION)
    throw unreadable(botId, "has a format that this version doesn't support")
  if (!key)
    throw unreadable(
      botId,
      `was encrypted with another key (${id.toString('hex')}) than those in TOKEN_KEY and token.key`,
    )
  const nonce = sealed.subarray(1 + KEY_ID_BYTES, HEAD_BYTES - TAG_BYTES)
  const tag = sealed.subarray(HEAD_BYTES - TAG_BYTES, HEAD_BYTES)
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv('aes-256-gcm', key.secret, nonce, options).setAAD(boundTo(botId)).setAuthTag(tag)
  try {
    return decipher.update(sealed.subarray(HEAD_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch (cause) {
    throw unreadable(botId, 'has changed in the database or belongs to another bot', cause)
  }
}

function unreadable(botId: string, why: string, cause?: unknown): Fault {
  const advice = 'Restore the previous key, or add the token again with `npm run admin -- bot add`.'
  return new Fault('service_unavailable', `The token of the bot ${botId} ${why}. ${advice}`, { cause })
}
