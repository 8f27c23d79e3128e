import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The kernel's bound for the path of a unix socket is 104 bytes on macOS and 108 on Linux, its end included. */
const MAX_SOCKET_BYTES = 100

/** Folder of the files of the embedded Redis, readable only by the owner. */
export function redisFolder(dataDir: string): string {
  return join(dataDir, 'redis')
}

/** The embedded Redis's socket; the same for every process that is given the same DATA_DIR. */
export function redisSocket(dataDir: string): string {
  const near = join(redisFolder(dataDir), 'redis.sock')
  if (Buffer.byteLength(near) <= MAX_SOCKET_BYTES) return near
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  return join(tmpdir(), `bandstand-${process.getuid?.() ?? 0}-${name}`, 'redis.sock')
}
