import { X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCertificate, type Certificate } from '#sandbox/certificate'

const RENEW_BEFORE_MS = 7 * 86_400_000
const OWNER_ONLY = 0o600

export interface KeptCertificate extends Certificate {
  /** The path for servers. */
  readonly file: string
}

/** One certificate for all runs, so that a server has to trust it only once. */
export async function keepCertificate(folder: string): Promise<KeptCertificate> {
  const [file, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const kept = read(file, keyFile)
  if (kept) return { ...kept, file }
  const made = await createCertificate()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(keyFile, made.key, { mode: OWNER_ONLY })
  writeFileSync(file, made.cert)
  return { ...made, file }
}

function read(file: string, keyFile: string): Certificate | null {
  try {
    const [cert, key] = [readFileSync(file, 'utf8'), readFileSync(keyFile, 'utf8')]
    return Date.parse(new X509Certificate(cert).validTo) - Date.now() > RENEW_BEFORE_MS ? { cert, key } : null
  } catch {
    return null
  }
}

/** Instructions for servers in several languages to trust the stand-in Discord, whose voice is TLS. */
export function explainTrust(file: string): string {
  return `The server must trust the stand-in Discord's certificate, since voice connections are TLS:
  ${file}

  Node.js     NODE_EXTRA_CA_CERTS=${file} node …
  Java        keytool -importcert -noprompt -alias conformance -file ${file} \\
                -keystore conformance.p12 -storetype PKCS12 -storepass changeit
              java -Djavax.net.ssl.trustStore=conformance.p12 -Djavax.net.ssl.trustStorePassword=changeit -jar Lavalink.jar
  Go, Rust,   SSL_CERT_FILE=${file} …
  OpenSSL

Give it to the process under test alone. The server must reach localhost: in a container it needs the host's network.`
}
