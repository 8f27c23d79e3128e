import { Client } from 'pg'

/** The one channel of all topics; a message is the sender's id, the topic and the key, where there is one. */
export const CHANNEL = 'bandstand'

export type Listener = ReturnType<typeof listenToPostgres>

export interface ListenOptions {
  readonly onMessage: (payload: string) => void
  /** The connection is there (again): what was announced meanwhile is lost. */
  readonly onConnect: () => void
  readonly onError: (error: unknown) => void
}

const RETRY_MS = 1000
const CONNECT_TIMEOUT_MS = 5000
/** Asks whether the connection still carries anything: TCP alone would tell after minutes. */
const PROBE_EVERY_MS = 5000
const PROBE_TIMEOUT_MS = 5000

/** Listens on a connection of its own, and connects again as often as it breaks. */
export function listenToPostgres(url: string, { onMessage, onConnect, onError }: ListenOptions) {
  let client: Client | null = null
  let timer: NodeJS.Timeout | null = null
  let isClosed = false

  async function connect(): Promise<void> {
    const fresh = new Client({
      connectionString: url,
      application_name: 'bandstand listener',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
      keepAlive: true,
    })
    fresh.on('error', (error) => retry(fresh, error))
    fresh.on('end', () => retry(fresh, null))
    fresh.on('notification', ({ payload = '' }) => onMessage(payload))
    client = fresh
    try {
      await fresh.connect()
      await fresh.query(`LISTEN ${CHANNEL}`)
      onConnect()
      schedule(() => probe(fresh), PROBE_EVERY_MS)
    } catch (error) {
      retry(fresh, error)
    }
  }

  async function probe(current: Client): Promise<void> {
    try {
      await current.query('SELECT 1')
      schedule(() => probe(current), PROBE_EVERY_MS)
    } catch (error) {
      retry(current, error)
    }
  }

  function retry(broken: Client, error: unknown): void {
    if (client !== broken || isClosed) return
    client = null
    if (error) onError(error)
    void broken.end().catch(() => undefined)
    schedule(connect, RETRY_MS)
  }

  function schedule(task: () => Promise<void>, afterMs: number): void {
    if (timer) clearTimeout(timer)
    if (!isClosed) timer = setTimeout(() => void task(), afterMs).unref()
  }

  void connect()
  return {
    async close() {
      isClosed = true
      if (timer) clearTimeout(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
