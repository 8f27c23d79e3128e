import { hash } from 'node:crypto'
import { z } from 'zod'
import type { ForwardedIdentity } from '../../../lib/sharing/forwarding.ts'
import type { Signing } from '../signing.ts'
import { createReplayWindow } from './replay-window.ts'

export const PEER_HEADER = 'bandstand-peer'
const IDENTITY_HEADER = 'bandstand-identity'
/** Bytes and hash of the body, and the names of the headers that are signed. */
const SIGNED_HEADER = 'bandstand-signed'

/** Maximum difference between two services' clocks, and maximum transit time of a request. */
const TOLERANCE_MS = 30_000

const id = z.string().max(200)
const Identity = z.object({
  address: id.nullable(),
  caller: z
    .object({
      keyId: id,
      projectId: id,
      plan: id,
      botId: id.nullable(),
      poolId: id.nullable(),
      botIds: z.array(id).max(1000),
    })
    .nullable(),
  target: z.object({ botId: id, guildId: id }).nullable(),
}) satisfies z.ZodType<ForwardedIdentity>

/** Parts of a request that its signature covers. */
interface SignedParts {
  readonly method: string
  readonly path: string
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | null
}

export interface SignedBody {
  readonly bytes: number
  /** SHA-256 in base64url. */
  readonly hash: string
}

type Verified =
  | {
      readonly from: string
      readonly identity: ForwardedIdentity
      /** Headers that the sender signed, and no others. */
      readonly headers: Readonly<Record<string, string>>
      /** Expected length and digest of the body, which is still to be read. */
      readonly body: SignedBody
    }
  | { readonly refused: 'signature' | 'clock' | 'replay' }

/** Signs requests of this service to others, and checks those of others. */
export type RequestSignature = ReturnType<typeof createRequestSignature>

interface SignatureOptions {
  readonly signing: Signing
  /** ID of this service. */
  readonly serviceId: string
  /** The wall clock. */
  readonly now?: () => number
}

const PEER = /^(\S{1,100}) (\d{1,15}) (\d{1,15}) (\S{43})$/

/**
 * The signature covers the receiver, method, path, headers, body, identity, time and a number that each sender uses once: a request
 * that was overheard can be sent again neither there nor elsewhere.
 */
export function createRequestSignature({ signing, serviceId, now = Date.now }: SignatureOptions) {
  const replays = createReplayWindow(2 * TOLERANCE_MS, now)
  let seq = 0

  return {
    /** @returns the headers that a request to a service is sent with. */
    sign(to: string, parts: SignedParts, identity: ForwardedIdentity): Readonly<Record<string, string>> {
      seq += 1
      const head = `${serviceId} ${seq} ${now()}`
      const claims = Buffer.from(JSON.stringify(identity)).toString('base64url')
      const { headers, body } = parts
      const names = Object.keys(headers).toSorted()
      const signed = [Buffer.byteLength(body ?? ''), bodyHash(body ?? ''), ...names].join(' ')
      const text = signedText({ to, head, claims, signed }, parts, valuesOf(headers, names) ?? [])
      const mac = signing.sign('request', text).slice(0, -text.length)
      return { [PEER_HEADER]: `${head} ${mac}`, [IDENTITY_HEADER]: claims, [SIGNED_HEADER]: signed }
    },
    /** Verifies by the headers alone, before anything of the body is read. */
    verify(
      headers: Readonly<Record<string, string | string[] | undefined>>,
      line: Pick<SignedParts, 'method' | 'path'>,
    ): Verified {
      const { [PEER_HEADER]: peer, [IDENTITY_HEADER]: claims, [SIGNED_HEADER]: signed } = headers
      const [, from = '', number = '', time = '', mac = ''] = PEER.exec(String(peer)) ?? []
      if (from === '' || typeof claims !== 'string' || typeof signed !== 'string') return { refused: 'signature' }
      const [bytes = '', bodyHash = '', ...names] = signed.split(' ')
      const values = valuesOf(headers, names)
      if (!values) return { refused: 'signature' }
      const text = signedText({ to: serviceId, head: `${from} ${number} ${time}`, claims, signed }, line, values)
      if (signing.check('request', mac + text) === null) return { refused: 'signature' }
      if (Math.abs(now() - Number(time)) > TOLERANCE_MS) return { refused: 'clock' }
      if (!replays.accept(from, Number(number))) return { refused: 'replay' }
      const identity = Identity.safeParse(JSON.parse(Buffer.from(claims, 'base64url').toString()))
      if (!identity.success) return { refused: 'signature' }
      const own = Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))
      return { from, identity: identity.data, headers: own, body: { bytes: Number(bytes), hash: bodyHash } }
    },
  }
}

interface SignedHead {
  readonly to: string
  readonly head: string
  readonly claims: string
  readonly signed: string
}

function signedText(
  { to, head, claims, signed }: SignedHead,
  { method, path }: Pick<SignedParts, 'method' | 'path'>,
  values: readonly string[],
): string {
  return [to, head, method, path, signed, ...values, claims].join('\n')
}

/** Returns values as they are after a parser; null where one is missing. */
function valuesOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  names: readonly string[],
): readonly string[] | null {
  const values = names.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [value.trim()] : []
  })
  return values.length === names.length ? values : null
}

export function bodyHash(body: string | Buffer): string {
  return hash('sha256', body, 'base64url')
}
