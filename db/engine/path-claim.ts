import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

/**
 * Says to other programs of this machine that a service runs on a path, also after the folder there was moved away and its
 * lock with it. On Linux alone: a name in the kernel that goes with the process, however it ends, and is no file.
 */
interface PathClaim {
  release(): void
}

function nameOf(dataDir: string): string {
  return `bandstand-${createHash('sha256').update(dataDir).digest('hex').slice(0, 32)}`
}

/** Never fails: where there can be no claim, only a service whose folder is where it was is noticed. */
export async function claimPath(dataDir: string): Promise<PathClaim> {
  if (process.platform !== 'linux') return { release: () => undefined }
  const server = createServer((socket) => socket.destroy())
  try {
    server.listen(`\0${nameOf(dataDir)}`)
    await once(server, 'listening')
    server.unref()
  } catch {
    // The service that is there has one already, or another program took the name.
  }
  return { release: () => void server.close() }
}

/** Whether a service of this machine runs on the path. */
export function isPathClaimed(dataDir: string): boolean {
  try {
    const name = `@${nameOf(dataDir)}`
    return readFileSync('/proc/net/unix', 'utf8')
      .split('\n')
      .some((line) => line.endsWith(` ${name}`))
  } catch {
    return false
  }
}
