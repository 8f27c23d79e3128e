import { hash } from 'node:crypto'
import { z } from 'zod'
import type { ForwardedIdentity } from '../../lib/sharing/forwarding.ts'
import type { Signing } from '../signing.ts'
import { createReplayWindow } from './replay-window.ts'

export const PEER_HEADER = 'bandstand-peer'
const IDENTITY_HEADER = 'bandstand-identity'

/** How far the clocks of two services may be apart, and how long a request may be on its way. */
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

/** What of a request its signature covers. */
export interface SignedParts {
  readonly method: string
  readonly path: string
  readonly body: string | Buffer | null
}

export type Verified =
  | { readonly from: string; readonly identity: ForwardedIdentity }
  | { readonly refused: 'signature' | 'clock' | 'replay' }

/** Signs requests of this service to others, and checks those of others. */
export interface RequestSignature {
  /** @returns the headers that a request to a service is sent with. */
  sign(to: string, parts: SignedParts, identity: ForwardedIdentity): Readonly<Record<string, string>>
  verify(headers: Readonly<Record<string, string | string[] | undefined>>, parts: SignedParts): Verified
}

interface SignatureOptions {
  readonly signing: Signing
  /** Of this service. */
  readonly serviceId: string
  /** The wall clock. */
  readonly now?: () => number
}

const PEER = /^(\S{1,100}) (\d{1,15}) (\d{1,15}) (\S{43})$/

/**
 * The signature covers the receiver, method, path, body, identity, time and a number that each sender uses once: a request
 * that was overheard can be sent again neither there nor elsewhere.
 */
export function createRequestSignature({ signing, serviceId, now = Date.now }: SignatureOptions): RequestSignature {
  const replays = createReplayWindow(2 * TOLERANCE_MS, now)
  let seq = 0

  return {
    sign(to, parts, identity) {
      seq += 1
      const head = `${serviceId} ${seq} ${now()}`
      const claims = Buffer.from(JSON.stringify(identity)).toString('base64url')
      const text = signedText({ to, head, claims }, parts)
      const mac = signing.sign('request', text).slice(0, -text.length)
      return { [PEER_HEADER]: `${head} ${mac}`, [IDENTITY_HEADER]: claims }
    },
    verify(headers, parts) {
      const { [PEER_HEADER]: peer, [IDENTITY_HEADER]: claims } = headers
      const [, from = '', number = '', time = '', mac = ''] = PEER.exec(String(peer)) ?? []
      if (from === '' || typeof claims !== 'string') return { refused: 'signature' }
      const text = signedText({ to: serviceId, head: `${from} ${number} ${time}`, claims }, parts)
      if (signing.check('request', mac + text) === null) return { refused: 'signature' }
      if (Math.abs(now() - Number(time)) > TOLERANCE_MS) return { refused: 'clock' }
      if (!replays.accept(from, Number(number))) return { refused: 'replay' }
      const identity = Identity.safeParse(JSON.parse(Buffer.from(claims, 'base64url').toString()))
      return identity.success ? { from, identity: identity.data } : { refused: 'signature' }
    },
  }
}

interface SignedHead {
  readonly to: string
  readonly head: string
  readonly claims: string
}

function signedText({ to, head, claims }: SignedHead, { method, path, body }: SignedParts): string {
  return [to, head, method, path, hash('sha256', body ?? '', 'base64url'), claims].join('\n')
}
