import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30

/** A new secret, as apps take it by hand. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** The text of the QR code. */
export function totpUrl(secret: string, name: string): string {
  return totp(secret, name).toString()
}

/** The time step whose code this is, one step early or late at most; null for any other code. */
export function acceptedStep(secret: string, code: string, nowMs: number): number | null {
  const token = code.replaceAll(/\s/g, '')
  if (secret === '' || !/^\d{6}$/.test(token)) return null
  const delta = totp(secret, '').validate({ token, timestamp: nowMs, window: 1 })
  return delta === null ? null : Math.floor(nowMs / 1000 / PERIOD_SECONDS) + delta
}

function totp(secret: string, label: string): TOTP {
  return new TOTP({ issuer: 'Bandstand', label: label || 'account', secret, period: PERIOD_SECONDS, digits: 6 })
}
