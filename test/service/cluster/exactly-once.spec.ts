import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { connectPostgres } from '../../../db/engine/postgres/connections.ts'
import { createPostgresStore } from '../../../db/engine/postgres/postgres-store.ts'
import { createVault } from '../../../db/engine/vault.ts'
import { createWebhooks } from '../../../db/webhooks/webhooks.ts'
import { startInstallation, TOKEN_KEY, type InstalledService, type Installation } from '../../support/installation.ts'
import { startBalancer, type Balancer } from '../../support/one-address.ts'
import type { Listener } from '../../support/hearing.ts'
import { hasPostgres } from '../../support/postgres.ts'
import { hasRedis } from '../../support/redis.ts'
import { eventually, fetchJson } from '../../support/service.ts'
import { openEvents, type Opened } from '../../support/socket.ts'
import { startReceiver, type Receiver } from '../../support/webhooks.ts'

const SHARDS = 3
const SERVICES = 3
/** Queued tracks, which repeat. */
const QUEUED = 3
const BETWEEN_SKIPS_MS = 200
/** Short, so that a rolling restart is over soon; the balancer of this test learns at once. */
const DRAIN_SECONDS = '1'
const SERVICE_RESTART = 1012
const QUERY = '?events=trackEnded'

describe('three services behind one address', () => {
  let installed: Installation
  let receiver: Receiver
  let address: Balancer
  /** Services that the address leads to. */
  let ready: readonly InstalledService[]
  /** Players without listeners end. */
  let listeners: readonly Listener[] = []
  const sockets: Opened[] = []
  const acknowledged = new Map<string, number>()
  before(async function () {
    if (!hasPostgres() || !hasRedis()) this.skip()
    this.timeout(120_000)
    receiver = await startReceiver()
    const env = { EGRESS_ALLOW_HOSTS: '127.0.0.1', DRAIN_SECONDS }
    installed = await startInstallation({ services: SERVICES, shards: SHARDS, env })
    ready = installed.services
    address = await startBalancer(() => ready.map(({ baseUrl }) => baseUrl))
    await createWebhook(installed, receiver.url)
    listeners = await Promise.all(installed.venues.map((venue) => installed.listen(venue)))
    await Promise.all(installed.venues.map((venue) => installed.play(venue)))
    for (const { guild, channelId } of installed.venues) await fill(guild.id, channelId)
  })
  after(async () => {
    for (const socket of sockets) socket.close()
    for (const { member } of listeners) member.close()
    await address?.close()
    await installed?.close()
    await receiver?.close()
  })

  const call = (path: string, body: unknown, headers = {}) =>
    fetchJson(address.url + path, 'POST', body, { authorization: `Bearer ${installed.key}`, ...headers })

  async function fill(guildId: string, channelId: string): Promise<void> {
    for (let at = 0; at < QUEUED; at += 1) {
      // Shards may still move between the services that have just started.
      await eventually(
        () => call(`/v1/music/guilds/${guildId}/play`, { query: 'noise', channelId }),
        ({ status }) => status === 200,
      )
    }
    const player = `${address.url}/v1/music/guilds/${guildId}/player`
    const headers = { authorization: `Bearer ${installed.key}` }
    await eventually(
      () => fetchJson(player, 'PATCH', { loop: 'queue' }, headers),
      ({ status }) => status === 200,
    )
  }

  /** Skips a track, again and again until that is acknowledged, which happens once by its key. */
  async function skip(guildId: string): Promise<void> {
    const headers = { 'idempotency-key': randomUUID() }
    const attempt = () => call(`/v1/music/guilds/${guildId}/skip`, {}, headers).catch(() => ({ status: 0 }))
    await eventually(attempt, ({ status }) => status === 200)
    acknowledged.set(guildId, (acknowledged.get(guildId) ?? 0) + 1)
  }

  /** Skips in all guilds until `work` is done; `quiet` waits until none is under way, and lets none begin meanwhile. */
  async function skipDuring(work: (quiet: (act: () => Promise<unknown>) => Promise<void>) => Promise<void>) {
    const over = new AbortController()
    let gate = Promise.resolve()
    const underway = new Set<Promise<void>>()
    const loops = installed.venues.map(async ({ guild }) => {
      while (!over.signal.aborted) {
        await gate
        const skipping = skip(guild.id).finally(() => underway.delete(skipping))
        underway.add(skipping)
        await skipping
        await sleep(BETWEEN_SKIPS_MS)
      }
    })
    await work(async (act) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      await Promise.all(underway)
      await act()
      resolve()
    })
    over.abort()
    await Promise.all(loops)
  }

  async function openAt(service: InstalledService | undefined): Promise<Opened> {
    const opened = await openEvents(service?.baseUrl ?? '', installed.key, QUERY)
    sockets.push(opened)
    return opened
  }

  const counted = (messages: readonly any[]) => {
    const ended = messages.filter(({ type }) => type === 'trackEnded')
    return Object.fromEntries(
      installed.venues.map(({ guild }) => [guild.id, ended.filter(({ guildId }) => guildId === guild.id).length]),
    )
  }
  const inAll = () =>
    Object.fromEntries(installed.venues.map(({ guild }) => [guild.id, acknowledged.get(guild.id) ?? 0]))
  const since = (before: Record<string, number>) =>
    Object.fromEntries(Object.entries(inAll()).map(([guildId, count]) => [guildId, count - (before[guildId] ?? 0)]))

  /** Deliveries by their ids: one that was under way at a kill may come twice, and its receiver knows by the id. */
  const delivered = () => {
    const byId = new Map(receiver.received.map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body)]))
    return counted([...byId.values()].map(({ type, data }) => Object.assign({ type }, data)))
  }

  /** Waits until as many have come as were acknowledged, then for ones too many. */
  async function assertOnce(socket: Opened, before: Record<string, number>): Promise<void> {
    await eventually(
      () => [sum(counted(socket.messages)), sum(delivered())],
      ([heard = 0, sent = 0]) => heard >= sum(since(before)) && sent >= sum(inAll()),
    )
    await sleep(1000)
    expect(counted(socket.messages)).to.deep.equal(since(before))
    expect(delivered()).to.deep.equal(inAll())
  }

  it('tell each event once, to sockets of any service and to webhooks, while one of them is killed', async () => {
    const [victim, ...others] = installed.services
    const before = inAll()
    const socket = await openAt(others[1])
    await skipDuring(async (quiet) => {
      await sleep(1500)
      await quiet(async () => {
        // Acknowledged events have been sent; this allows for the network.
        await sleep(100)
        await victim?.kill('SIGKILL')
        ready = others
      })
      await sleep(6000)
    })
    await assertOnce(socket, before)
    await victim?.start()
    ready = installed.services
  })

  it('tell each event once while one after the other restarts', async () => {
    const before = inAll()
    const [first, second, third] = installed.services
    const socket = await openAt(third)
    const leaving = await openAt(first)
    await skipDuring(async () => {
      for (const service of [first, second]) await restart(service)
    })
    expect((await leaving.closed()).code).to.equal(SERVICE_RESTART)
    await assertOnce(socket, before)
  })

  /** Restarts a service like an operator behind a balancer that checks `/readyz`. */
  async function restart(service: InstalledService | undefined): Promise<void> {
    if (!service) throw new Error('There is no such service.')
    const ended = service.kill('SIGTERM')
    await eventually(
      () => fetchJson(`${service.baseUrl}/readyz`, 'GET', undefined, {}).then(({ status }) => status),
      (status) => status === 503,
    )
    // The balancer still sends requests for a while.
    await sleep(500)
    ready = installed.services.filter((one) => one !== service)
    expect(await ended).to.equal(0)
    await service.start()
    ready = installed.services
    await sleep(2000)
  }
})

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((all, one) => all + one, 0)
}

async function createWebhook({ databaseUrl, projectId }: Installation, url: string): Promise<void> {
  const connections = connectPostgres(databaseUrl, { onError: () => undefined, timeoutMs: 5000, maxConnections: 1 })
  const store = createPostgresStore(connections)
  const webhooks = createWebhooks(store, createVault({ tokenKey: TOKEN_KEY, dataDir: '' }), Date.now)
  await webhooks.create(projectId, { url, description: '', events: ['trackEnded'], botIds: null })
  await store.close()
}
