import { randomUUID } from 'node:crypto'
import { generate } from 'selfsigned'

/** A key and its self-signed certificate, both PEM. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

const DAY_MS = 86_400_000

/**
 * A fresh certificate for `localhost` and 127.0.0.1. It lives in memory alone, so no one else can ever use it;
 * clients trust it by name (`GET /sandbox/certificate.pem`), since voice connections are always TLS.
 */
export async function createCertificate(nowMs: number = Date.now()): Promise<Certificate> {
  // A name of its own: among trusted certificates of one name OpenSSL tries the first alone.
  const subject = [
    { name: 'commonName', value: 'localhost' },
    { name: 'organizationName', value: `Stand-in ${randomUUID()}` },
  ]
  const made = await generate(subject, {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    // A day of slack, for clocks that disagree.
    notBeforeDate: new Date(nowMs - DAY_MS),
    notAfterDate: new Date(nowMs + 365 * DAY_MS),
    extensions: [
      // An authority of its own, so that being trusted as a root is enough.
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  })
  return { key: made.private, cert: made.cert }
}
