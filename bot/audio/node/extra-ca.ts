import { X509Certificate } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/**
 * Makes all TLS connections of this thread trust further certificate authorities (PEM). One of the same name is
 * replaced: with two of a name, OpenSSL may try the wrong one and give up.
 */
export function addCertificateAuthorities(certificates: readonly string[]): void {
  if (certificates.length === 0) return
  const names = new Set(certificates.map(nameOf))
  const others = getCACertificates('default').filter((certificate) => !names.has(nameOf(certificate)))
  setDefaultCACertificates([...others, ...certificates])
}

function nameOf(certificate: string): string {
  return new X509Certificate(certificate).subject
}
