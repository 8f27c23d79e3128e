import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Fault } from '../../lib/errors.ts'

const TOKEN_BYTES = 16

/**
 * Bound to the browser and to the session, so that signing in or out makes every older form worthless. Each page has another
 * one of the same meaning: behind random bytes, which it is masked with. Pages are compressed, and their length would tell a
 * token that stays the same, letter by letter.
 */
export function csrfToken(visitor: string, session: string | null): string {
  const token = createHash('sha256')
    .update(`csrf ${visitor} ${session ?? ''}`)
    .digest()
    .subarray(0, TOKEN_BYTES)
  const mask = randomBytes(TOKEN_BYTES)
  return Buffer.concat([mask, xor(mask, token)]).toString('hex')
}

/** Whether both are the same token behind different masks. */
export function isSameToken(sent: string, expected: string): boolean {
  const [one, other] = [unmasked(sent), unmasked(expected)]
  return one.length === TOKEN_BYTES && other.length === TOKEN_BYTES && timingSafeEqual(one, other)
}

function unmasked(token: string): Buffer {
  const bytes = Buffer.from(token, 'hex')
  return xor(bytes.subarray(0, TOKEN_BYTES), bytes.subarray(TOKEN_BYTES))
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(b.map((byte, at) => byte ^ (a[at] ?? 0)))
}

/** @throws {Fault} `forbidden` for what no form of ours has sent. */
export function assertOwnForm(
  req: IncomingMessage,
  baseUrl: string,
  { form, csrf }: { readonly form: URLSearchParams; readonly csrf: string },
): void {
  const { 'sec-fetch-site': site, origin, host = '' } = req.headers
  const isForeign =
    site === undefined ? origin !== undefined && !isOwnOrigin(origin, host, baseUrl) : site !== 'same-origin'
  if (isForeign || !isSameToken(form.get('csrf') ?? '', csrf)) {
    throw new Fault('forbidden', 'This form has expired. Go back, reload the page and submit it again.')
  }
}

function isOwnOrigin(origin: string, host: string, baseUrl: string): boolean {
  return origin === new URL(baseUrl).origin || (URL.canParse(origin) && new URL(origin).host === host)
}
