import { Redis } from 'ioredis'
import { fail, ok, warn, type Finding } from './check.ts'

export const PATIENCE_MS = 5000
/** Signatures and expiries of outside services bear about so much. */
const CLOCK_TOLERANCE_MS = 30_000

/** Discord, and by the way what time it is there. */
export async function checkDiscord(
  apiUrl: string,
  isSandbox: boolean,
  nowMs: () => number,
): Promise<readonly Finding[]> {
  const url = `${apiUrl}/v10/gateway`
  const askedMs = nowMs()
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
    (error: unknown) => reasonOf(error),
  )
  if (typeof answer === 'string') {
    const advice = 'Check the firewall, the proxy and DNS of this machine.'
    const found = `${apiUrl} is unreachable (${answer})`
    return [
      isSandbox ? warn('discord', `${found}; the sandbox works without it`, advice) : fail('discord', found, advice),
    ]
  }
  await answer.body?.cancel()
  if (!answer.ok) {
    return [
      fail('discord', `${apiUrl} returned the status ${answer.status}`, 'Check discordstatus.com and DISCORD_API_URL.'),
    ]
  }
  const findings = [ok('discord', `${apiUrl} responds`)]
  const theirMs = Date.parse(answer.headers.get('date') ?? '')
  if (Number.isNaN(theirMs)) return findings
  const offMs = Math.round((askedMs + nowMs()) / 2 - theirMs)
  const found = `${(Math.abs(offMs) / 1000).toFixed(0)} s ${offMs < 0 ? 'behind' : 'ahead of'} Discord's`
  const clock =
    Math.abs(offMs) <= CLOCK_TOLERANCE_MS
      ? ok('clock', 'right')
      : warn('clock', found, 'Enable NTP: timedatectl set-ntp true')
  return [...findings, clock]
}

/** The shared Redis, where there is one. */
export async function checkRedis(url: string): Promise<Finding> {
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: PATIENCE_MS, retryStrategy: () => null })
  let failure: unknown = null
  // The rejection of `connect` does not say why.
  redis.on('error', (error) => (failure ??= error))
  const shown = withoutPassword(url)
  try {
    await redis.connect()
    const startedMs = performance.now()
    const settings = (await redis.config('GET', 'maxmemory-policy').catch(() => [])) as readonly string[]
    const tookMs = performance.now() - startedMs
    if (settings[1] && settings[1] !== 'noeviction') {
      const advice = 'Set `maxmemory-policy noeviction`, or a full Redis can evict queued jobs.'
      return warn('redis', `${shown} has maxmemory-policy ${settings[1]}`, advice)
    }
    if (tookMs > 50) {
      const advice = 'Use a Redis nearby, since rate limits wait at most 50 ms for it.'
      return warn('redis', `${shown} responds in ${tookMs.toFixed(0)} ms`, advice)
    }
    return ok('redis', `${shown} responds in ${tookMs.toFixed(0)} ms`)
  } catch (error) {
    return fail('redis', `${shown} is unreachable (${reasonOf(failure ?? error)})`, 'Start Redis, or change REDIS_URL.')
  } finally {
    redis.disconnect()
  }
}

/** Older ones have not all that the schema needs. */
const OLDEST_POSTGRES = 13

/** The shared database, where there is one. */
export async function checkPostgres(url: string): Promise<Finding> {
  const { connectPostgres } = await import('../../../db/engine/postgres/connections.ts')
  const shown = withoutPassword(url)
  const connections = connectPostgres(url, { onError: () => undefined })
  try {
    await connections.query('SELECT 1', [])
    const startedMs = performance.now()
    const { rows } = await connections.query(
      `SELECT current_setting('server_version_num')::integer AS version, pg_is_in_recovery() AS "isStandby"`,
      [],
    )
    const tookMs = performance.now() - startedMs
    const [server] = rows as readonly { readonly version: number; readonly isStandby: boolean }[]
    const version = Math.floor((server?.version ?? 0) / 10_000)
    if (version < OLDEST_POSTGRES) {
      return fail('postgres', `${shown} is version ${version}`, `Use PostgreSQL ${OLDEST_POSTGRES} or newer.`)
    }
    if (server?.isStandby) {
      return fail('postgres', `${shown} is read-only, such as a standby`, 'Set DATABASE_URL to the primary server.')
    }
    const found = `${shown} responds in ${tookMs.toFixed(0)} ms, version ${version}`
    return tookMs > 20
      ? warn('postgres', found, 'Use a PostgreSQL nearby, since most requests wait for it.')
      : ok('postgres', found)
  } catch (error) {
    const advice = 'Start PostgreSQL, or change DATABASE_URL.'
    return fail('postgres', `${shown} is unreachable (${reasonOf(error)})`, advice)
  } finally {
    await connections.close()
  }
}

function withoutPassword(url: string): string {
  const shown = new URL(url)
  if (shown.password) shown.password = '***'
  return shown.href
}

/** Returns a short reason: the code of the error, where it has one. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = [error.cause, error].flatMap((it) => (it instanceof Error && 'code' in it ? [String(it.code)] : []))[0]
  if (error.name === 'TimeoutError') return `no response within ${PATIENCE_MS / 1000} s`
  return code ?? error.message
}
