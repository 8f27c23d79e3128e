import { REST, Routes } from 'discord.js'
import { makeRequest } from './gateway.ts'
import type { GatewayInformation } from './shards/shard-pool.ts'

const TIMEOUT_MS = 15_000

/** Reads Discord's current connection limits of a bot. @throws as discord.js if Discord is away or refuses the token. */
export async function readConnectLimits(token: string, apiUrl: string) {
  const rest = new REST({ api: apiUrl, timeout: TIMEOUT_MS, makeRequest }).setToken(token)
  try {
    const information = (await rest.get(Routes.gatewayBot())) as GatewayInformation
    const { total, remaining, reset_after: resetAfterMs, max_concurrency } = information.session_start_limit
    const limits = { shardCount: information.shards, maxConcurrency: max_concurrency, total, remaining, resetAfterMs }
    return { information, limits }
  } finally {
    rest.clearHashSweeper()
    rest.clearHandlerSweeper()
  }
}
