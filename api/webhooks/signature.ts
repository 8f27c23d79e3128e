import { createHmac } from 'node:crypto'

/**
 * Signatures in the format of Standard Webhooks, which prove to a receiver the sender and the time of a message: one
 * for each secret, so that one can be replaced while receivers still have the other.
 * @param secrets `whsec_` and a key in Base64
 * @param timestamp seconds since 1970.
 */
export function signatureOf(id: string, timestamp: number, body: string, secrets: readonly string[]): string {
  const content = `${id}.${timestamp}.${body}`
  return secrets
    .map((secret) => Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64'))
    .map((key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`)
    .join(' ')
}
