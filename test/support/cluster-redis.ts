import type { Redis } from 'ioredis'
import { connectRedis, untilReady } from '../../jobs/redis/redis-client.ts'
import { temporaryFolder } from './database.ts'
import { silent } from './encode-queue.ts'
import { redisMachine } from './machine.ts'
import { freePort } from './web.ts'

/** The Redis of an installation of several services, and what the command line is told to find it. */
export interface ClusterRedis {
  readonly redis: Redis
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** @param key that the services have in common. */
export async function openClusterRedis(key: string): Promise<ClusterRedis> {
  const folder = temporaryFolder()
  const port = await freePort()
  const server = redisMachine(port, folder.path, false)
  await server.start()
  const url = `redis://127.0.0.1:${port}`
  const redis = connectRedis({ url }, silent)
  await untilReady(redis, 5000)
  return {
    redis,
    dataDir: folder.path,
    env: {
      REDIS_URL: url,
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      SERVICES_KEY: key,
      TOKEN_KEY: key,
    },
    async close() {
      redis.disconnect()
      await server.kill()
      folder.remove()
    },
  }
}
