import { workerData } from 'node:worker_threads'
import { keepOn, type KeeperData } from './leases/keeper/keep.ts'
import { COMMAND_MS } from './leases/lease-store.ts'
import { connectRedis } from '../../jobs/redis/redis-client.ts'
import type { RedisAddress } from '../../jobs/redis/redis.ts'
import { createLog } from '../../lib/log.ts'

const { address } = workerData as KeeperData
// The main thread logs problems of Redis, once.
keepOn(connectRedis(address as RedisAddress, createLog('silent'), { commandMs: COMMAND_MS }))
