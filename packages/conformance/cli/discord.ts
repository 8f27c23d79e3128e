import { pino } from 'pino'
import { startSandbox } from '#sandbox/start'
import { explainTrust, keepCertificate } from './certificate.ts'

/** A stand-in Discord of this process, with the certificate that servers already know. */
export async function openDiscord(port: number, folder: string) {
  const certificate = await keepCertificate(folder)
  const log = pino({ level: 'silent' })
  const sandbox = await startSandbox({ port, stateFile: null, limits: false, log, demoMember: false, certificate })
  return { url: sandbox.url, certificateFile: certificate.file, close: (): Promise<void> => sandbox.close() }
}

export { explainTrust, keepCertificate }
