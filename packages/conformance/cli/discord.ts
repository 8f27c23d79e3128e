import { pino } from 'pino'
import { startSandbox } from '#sandbox/start'
import { explainTrust, keepCertificate } from './certificate.ts'

export interface Discord {
  readonly url: string
  readonly certificateFile: string
  close(): Promise<void>
}

/** A stand-in Discord of this process, with the certificate that servers already know. */
export async function openDiscord(port: number, folder: string): Promise<Discord> {
  const certificate = await keepCertificate(folder)
  const log = pino({ level: 'silent' })
  const sandbox = await startSandbox({ port, stateFile: null, limits: false, log, demoMember: false, certificate })
  return { url: sandbox.url, certificateFile: certificate.file, close: () => sandbox.close() }
}

export { explainTrust, keepCertificate }
