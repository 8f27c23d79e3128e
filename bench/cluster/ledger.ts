import { Client } from 'pg'
import { WebSocket } from 'ws'
import { createWebhooks } from '../../db/webhooks/webhooks.ts'
import { connectPostgres } from '../../db/engine/postgres/connections.ts'
import { createPostgresStore } from '../../db/engine/postgres/postgres-store.ts'
import { createVault } from '../../db/engine/vault.ts'
import { TOKEN_KEY, type Installation } from '../../test/support/installation.ts'
import type { Receiver } from '../../test/support/webhooks.ts'

/** A track that began in a guild: no two have the same title within a round. */
export interface Started {
  readonly guildId: string
  readonly title: string
}

export interface Events {
  /** Tracks that began and of which a socket that was open all the time, or the webhook, was not told. */
  readonly lost: readonly string[]
  /** Of which one was told more than once; repeated attempts of a webhook are known by their id. */
  readonly doubled: readonly string[]
  readonly told: number
}

/** Counts what everyone who wants events is told: a socket at each service, and a webhook. */
export interface Ledger {
  /** Whether all sockets are open, as they are to be before `begin`. */
  isOpen(): boolean
  begin(): void
  /** Whether all of these were told to all, and no webhook waits. */
  isComplete(started: readonly Started[]): Promise<boolean>
  /** @param tried of which no one knows whether they began. */
  events(started: readonly Started[], tried: readonly Started[]): Events
  close(): Promise<void>
}

/** One who is told. */
interface Teller {
  readonly name: string
  /** It missed nothing by being away. */
  isWhole: boolean
  readonly counts: Map<string, number>
}

const RECONNECT_MS = 500
const keyOf = ({ guildId, title }: Started) => `${guildId} ${title}`

export async function openLedger(installed: Installation, receiver: Receiver): Promise<Ledger> {
  let sinceMs = Date.now()
  let isClosed = false
  const sockets = installed.services.map(({ name, baseUrl }) => follow(`socket at ${name}`, baseUrl))
  await addWebhook(installed, receiver.url)
  const all = () => [...sockets.map(({ teller }) => teller), fromWebhook(receiver, sinceMs)]

  function follow(name: string, baseUrl: string) {
    const teller: Teller = { name, isWhole: true, counts: new Map() }
    let socket: WebSocket | null = null
    const connect = (): void => {
      if (isClosed) return
      const headers = { authorization: `Bearer ${installed.key}` }
      socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/v1/events?events=trackStarted`, { headers })
      socket.on('message', (data: Buffer) => count(teller, JSON.parse(data.toString())))
      socket.on('error', () => undefined)
      socket.on('close', () => {
        teller.isWhole = false
        setTimeout(connect, RECONNECT_MS)
      })
    }
    connect()
    return { teller, isOpen: () => socket?.readyState === WebSocket.OPEN, end: () => socket?.terminate() }
  }

  return {
    isOpen: () => sockets.every((socket) => socket.isOpen()),
    begin() {
      sinceMs = Date.now()
      receiver.received.length = 0
      for (const { teller, isOpen } of sockets) {
        teller.isWhole = isOpen()
        teller.counts.clear()
      }
    },
    async isComplete(started) {
      const isTold = all().every(({ isWhole, counts }) => !isWhole || started.every((one) => counts.has(keyOf(one))))
      return isTold && (await countWaiting(installed)) === 0
    },
    events(started, tried) {
      const tellers = all()
      const whole = tellers.filter(({ isWhole }) => isWhole)
      const lost = whole.flatMap(({ name, counts }) =>
        started.filter((one) => !counts.has(keyOf(one))).map((one) => `${name}: ${keyOf(one)}`),
      )
      const known = [...started, ...tried].map(keyOf)
      const doubled = tellers.flatMap(({ name, counts }) =>
        known.filter((key) => (counts.get(key) ?? 0) > 1).map((key) => `${name}: ${key}`),
      )
      const told = tellers.reduce((sum, { counts }) => sum + known.filter((key) => counts.has(key)).length, 0)
      return { lost, doubled, told }
    },
    async close() {
      isClosed = true
      for (const { end } of sockets) end()
      await receiver.close()
    },
  }
}

function count({ counts }: Teller, message: any): void {
  const { type, guildId, track } = message.data ?? message
  if ((message.type ?? type) !== 'trackStarted') return
  const key = keyOf({ guildId, title: track.title })
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** What happened since; a delivery that is attempted again counts once. */
function fromWebhook(receiver: Receiver, sinceMs: number): Teller {
  const teller: Teller = { name: 'webhook', isWhole: true, counts: new Map() }
  const messages = new Map(receiver.received.map(({ headers, body }) => [headers['webhook-id'], body]))
  for (const body of messages.values()) {
    const message = JSON.parse(body)
    if (Date.parse(message.timestamp) >= sinceMs) count(teller, message)
  }
  return teller
}

/** Deliveries that are still to be made. */
async function countWaiting({ databaseUrl }: Installation): Promise<number> {
  const postgres = new Client({ connectionString: databaseUrl })
  await postgres.connect()
  try {
    const { rows } = await postgres.query(
      'SELECT count(*) AS waiting FROM webhook_delivery WHERE next_at_ms IS NOT NULL',
    )
    return Number(rows[0].waiting)
  } finally {
    await postgres.end()
  }
}

/** As a manager does in the dashboard. */
async function addWebhook({ databaseUrl, projectId }: Installation, url: string): Promise<void> {
  const connections = connectPostgres(databaseUrl, { onError: () => undefined })
  const vault = createVault({ tokenKey: TOKEN_KEY, dataDir: '/nonexistent' })
  const store = createPostgresStore(connections)
  try {
    const choice = { url, description: 'bench', events: ['trackStarted' as const], botIds: null }
    await createWebhooks(store, vault).create(projectId, choice)
  } finally {
    await connections.close()
  }
}
