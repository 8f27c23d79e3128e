import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../db/engine/open.ts'
import { createSqliteStore } from '../../db/engine/sqlite-store.ts'
import { createVault } from '../../db/engine/vault.ts'
import { createAccounts } from '../../db/people/accounts.ts'
import { createMemberships } from '../../db/people/memberships.ts'
import { createSessions } from '../../db/people/sessions.ts'
import { startService, type RunningService } from '../../test/support/service.ts'
import { play, withTone } from '../places.ts'
import { IN_STEP, type Dimension } from './dimension.ts'
import { mainThreadMs, serviceMiB } from './service.ts'

/** An account stops at half of what is free, of 500. */
const EACH_ACCOUNT = 8
const CHANGES = 10
const CHANGE_EVERY_MS = 1000

/** Cookies of signed-in accounts, written beside the service. */
async function signIn({ dataDir, demo }: RunningService, accounts: number): Promise<readonly string[]> {
  const db = openDatabase({ dataDir, busyMs: 5000 })
  const store = createSqliteStore(db)
  const [people, sessions] = [createAccounts(store, createVault({ tokenKey: null, dataDir })), createSessions(store)]
  const cookies: string[] = []
  for (let i = 0; i < accounts; i += 1) {
    const { id: accountId } = await people.create({ name: `viewer-${i}`, password: 'unused' })
    await createMemberships(store).set(demo.projectId, accountId, 'viewer')
    cookies.push(`bandstand_session=${await sessions.open({ accountId, address: '127.0.0.1', userAgent: 'bench' })}`)
  }
  await store.close()
  return cookies
}

async function openPage(url: string, cookie: string, signal: AbortSignal, onMessage: () => void): Promise<void> {
  const { ok, status, body } = await fetch(url, { headers: { cookie }, signal })
  if (!ok || !body) throw new Error(`A live page answered ${status}.`)
  const read = async () => {
    for await (const _ of body) onMessage()
  }
  void read().catch(() => undefined)
}

/** Open pages of one player: while nothing happens, and when its volume changes. */
export const dashboards: Dimension = {
  name: 'dashboards',
  of: 'open pages of a player',
  sizes: [10, 100, 480],
  bound: '500 live pages, 50 of one account',
  async measure(size) {
    let readings: Awaited<ReturnType<Dimension['measure']>> = []
    await withTone(300, async (libraryDir) => {
      const service = await startService({ env: { LIBRARY_DIR: libraryDir, PLAYER_ALONE_SECONDS: '86400' } })
      const ending = new AbortController()
      try {
        const { guildId, voiceChannelId: channelId, baseUrl, projectId, botId } = service.demo
        await play(service, { guildId, channelId }, 'benchmark tone')
        const cookies = await signIn(service, Math.ceil(size / EACH_ACCOUNT))
        await sleep(2000)
        const before = serviceMiB(service)
        let messages = 0
        const url = `${baseUrl}/dashboard/projects/${projectId}/players/${botId}/${guildId}/live`
        for (let i = 0; i < size; i += 1)
          await openPage(url, cookies[i % cookies.length]!, ending.signal, () => void (messages += 1))
        await sleep(3000)
        const memory = serviceMiB(service) - before
        const idle = await mainThreadMs(service, 5, () => sleep(1000))
        messages = 0
        const changed = await mainThreadMs(service, CHANGES, async (i) => {
          await service.call('PATCH', `/v1/music/guilds/${guildId}/player`, { body: { volume: 50 + i } })
          await sleep(CHANGE_EVERY_MS)
        })
        if (messages < size * CHANGES * 0.9)
          throw new Error(`The pages were told ${messages} times of ${CHANGES} changes.`)
        readings = [
          { what: 'memory that they take (PSS)', value: memory, unit: ' MiB', atMost: IN_STEP, floor: 1 },
          { what: 'main thread in a second without a change', value: idle, unit: ' ms', atMost: IN_STEP, floor: 5 },
          { what: 'main thread in a second with one change', value: changed, unit: ' ms', atMost: IN_STEP, floor: 5 },
        ]
      } finally {
        ending.abort()
        await service.stop()
      }
    })
    return readings
  },
}
