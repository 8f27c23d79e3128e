import type { Config } from '../../config.ts'
import { readDemo } from '../demo/demo.ts'
import { Fault } from '../../lib/errors.ts'
import { trimTrailing } from '../../lib/text.ts'

/** A Discord that may know a token: the real one or the stand-in of a running service. */
export interface Discord {
  /** Without the version: `https://discord.com/api`. */
  readonly apiUrl: string
  readonly called: string
  readonly sandbox: boolean
}

/** Short, because the sandbox runs on this machine. */
const SANDBOX_TIMEOUT_MS = 2000

/** Returns the Discords to ask, in this order. A running service in the sandbox leaves its address in `DATA_DIR/demo.json`. */
export async function findDiscords({ dataDir, discord, sandbox }: Config): Promise<readonly Discord[]> {
  const real = { apiUrl: trimTrailing(discord.apiUrl, '/'), called: 'Discord', sandbox: false }
  if (sandbox.mode === 'off') return [real]
  const url = readDemo(dataDir)?.sandboxUrl
  if (url && (await answers(url))) {
    const standIn = { apiUrl: `${url}/api`, called: 'The sandbox', sandbox: true }
    return sandbox.mode === 'on' ? [standIn] : [standIn, real]
  }
  if (sandbox.mode === 'auto') return [real]
  throw new Fault('service_unavailable', 'SANDBOX is on, but no sandbox runs. Start the service, or set SANDBOX=off.')
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/v10/gateway`, { signal: AbortSignal.timeout(SANDBOX_TIMEOUT_MS) })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}
