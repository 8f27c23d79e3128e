import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { eventually } from '../../../test/support/service.ts'
import type { Service } from './service.ts'

/*
 * Invariants that must hold after every experiment, no matter what it broke. Each check returns the faults as
 * sentences.
 */

const STATUS_WITHIN_MS = 200
const STATUS_TRIES = 8
const SILENT_AT_MOST_MS = 3000
const STOP_WITHIN_MS = 10_000
/** The watcher of Redis takes up to 5 s, and a busy machine some more. */
const CHILDREN_GONE_WITHIN_MS = 8000

/** Checks of a service that still runs. */
export async function checkRunning(service: Service): Promise<readonly string[]> {
  return [...(await checkStatus(service)), ...(await checkSound(service)), ...service.wrongAnswers]
}

/** A single prompt answer is enough: a permanent slowness shows each time. */
async function checkStatus({ baseUrl }: Service): Promise<readonly string[]> {
  let promptestMs = Infinity
  for (let i = 0; i < STATUS_TRIES && promptestMs > STATUS_WITHIN_MS; i++) {
    const startMs = performance.now()
    const answer = await fetch(`${baseUrl}/v1/status`, { signal: AbortSignal.timeout(5000) }).catch(() => null)
    await answer?.body?.cancel()
    if (answer?.status === 200) promptestMs = Math.min(promptestMs, performance.now() - startMs)
    else await sleep(250)
  }
  return promptestMs <= STATUS_WITHIN_MS ? [] : [`status took ${Math.round(promptestMs)} ms at best`]
}

/** Players that say they play must be heard within three seconds. */
async function checkSound(service: Service): Promise<readonly string[]> {
  const { body } = await service.call('GET', '/v1/music/players')
  const playing = (body?.data ?? []).filter((it: any) => it.current && !it.paused && !it.silenced)
  const silent: string[] = []
  for (const { guildId } of playing) {
    const path = `/sandbox/guilds/${guildId}/members/${service.botId}/packets`
    await service.sandbox('GET', `${path}?reset=true`)
    await eventually(
      async () => (await service.sandbox('GET', path)).body.packets as number,
      (packets) => packets > 0,
      SILENT_AT_MOST_MS,
    ).catch(() => silent.push(`the player of ${guildId} says it plays and is silent`))
  }
  return silent
}

/** Stops the service as an operator would, and checks what remains. */
export async function checkStopped(service: Service, secrets: readonly string[]): Promise<readonly string[]> {
  const wrong: string[] = []
  if (service.isRunning) {
    const startMs = performance.now()
    const code = await service.kill('SIGTERM')
    const tookMs = performance.now() - startMs
    if (code !== 0 || tookMs > STOP_WITHIN_MS) wrong.push(`SIGTERM: code ${code} after ${Math.round(tookMs)} ms`)
  }
  const deadline = performance.now() + CHILDREN_GONE_WITHIN_MS
  while (service.leftOver().length > 0 && performance.now() < deadline) await sleep(100)
  const orphans = service.leftOver()
  if (orphans.length > 0) wrong.push(`still running: ${orphans.join('; ')}`)
  return [...wrong, ...checkLog(service, secrets)]
}

/** A key, and the shape of a bot's token. */
const SECRETS = [/svc\.[0-9a-f]{64}/, /[\w-]{23,28}\.[\w-]{6}\.[\w-]{27,}/]

function checkLog(service: Service, secrets: readonly string[]): readonly string[] {
  const log = service.everything()
  const found = [...SECRETS.map((one) => one.exec(log)?.index), ...secrets.map((one) => log.indexOf(one))]
  const at = found.find((index) => index !== undefined && index >= 0)
  return at === undefined ? [] : [`a secret is in the log: …${log.slice(Math.max(0, at - 80), at)}…`]
}

export function checkDatabase({ dataDir }: Pick<Service, 'dataDir'>): readonly string[] {
  const file = join(dataDir, 'bandstand.db')
  if (!existsSync(file)) return ['the database is gone']
  const db = new Sqlite(file)
  try {
    const integrity = db.pragma('integrity_check', { simple: true })
    const orphans = db.pragma('foreign_key_check') as readonly unknown[]
    return integrity === 'ok' && orphans.length === 0
      ? []
      : [`database: ${String(integrity)}, ${orphans.length} orphans`]
  } catch (error) {
    return [`database: ${String(error)}`]
  } finally {
    db.close()
  }
}
