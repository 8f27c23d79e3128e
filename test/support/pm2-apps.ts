import { join } from 'node:path'

const FILE = join(import.meta.dirname, '..', '..', 'ecosystem.config.js')
let reads = 0

interface Pm2App {
  readonly name: string
  readonly filter_env?: readonly string[]
  readonly [setting: string]: unknown
}

/** The apps that pm2 finds with these settings, and without those of the shell that they name. */
export async function readPm2Apps(settings: Readonly<Record<string, string>> = {}): Promise<readonly Pm2App[]> {
  const before = { ...process.env }
  Object.assign(process.env, settings)
  try {
    // Each read is another module.
    const { apps } = await import(`${FILE}?${(reads += 1)}`)
    return apps
  } finally {
    for (const name of Object.keys(settings)) delete process.env[name]
    Object.assign(process.env, before)
  }
}
