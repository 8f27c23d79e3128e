import { spawnSync } from 'node:child_process'
import type { Redis } from 'ioredis'
import { connectRedis, untilReady } from '../../jobs/redis/redis-client.ts'
import { startRedis, type RedisAddress, type RedisServer } from '../../jobs/redis/redis.ts'
import { temporaryFolder } from './database.ts'
import { silent } from './encode-queue.ts'

/** Redis comes with the set-up on Debian; elsewhere it may be missing, and its tests say so by skipping. */
export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0
}

/** A Redis for the tests of one `describe`, which are skipped where there is none. */
export interface OwnRedis {
  readonly client: Redis
  readonly address: RedisAddress
}

/** Starts it before the tests, and ends it after them. */
export function ownRedis(): OwnRedis {
  const folder = temporaryFolder()
  let server: RedisServer | undefined
  let client: Redis | undefined
  before(async function () {
    if (!hasRedis()) this.skip()
    server = await startRedis({ dataDir: folder.path, url: null, log: silent })
    client = connectRedis(server.address!, silent)
    await untilReady(client, 5000)
  })
  after(async () => {
    client?.disconnect()
    await server?.close()
    folder.remove()
  })
  return {
    get client() {
      return client!
    },
    get address() {
      return server!.address!
    },
  }
}
