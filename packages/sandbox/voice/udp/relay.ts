import { once } from 'node:events'
import { extname, join } from 'node:path'
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import type { TransportMode } from './cipher.ts'
import type { UdpFaults } from './faults.ts'
import type { PacketReport } from './packet-meter.ts'
import type {
  Audibility,
  RelayAnswers,
  RelayMessage,
  RelayOpening,
  RelayOrder,
  RelayPeer,
  RelayQuestion,
} from './relay-protocol.ts'

/**
 * The one UDP socket of a voice server, in a thread of its own: IP discovery, audio from each client to the others of
 * their channel, and the meters of what arrives.
 */
export interface Relay {
  readonly ip: string
  readonly port: number
  add(peer: RelayPeer): void
  remove(ssrc: number): void
  /** Resolves when the client can hear and be heard. */
  setKey(ssrc: number, mode: TransportMode, key: Buffer): Promise<void>
  setAudibility(ssrc: number, audibility: Audibility): void
  /** The others have been told that this client speaks. */
  announced(ssrc: number): void
  /** The client said that it stops speaking: the next packet begins a new utterance. */
  endUtterance(ssrc: number): void
  /** Sets the faults of a guild; null for all guilds that have none of their own. */
  setFaults(guildId: string | null, faults: UdpFaults): void
  report(guildId: string, userId: string, reset: boolean): Promise<PacketReport>
  /** Packets since the last reset of each user of a guild. */
  counts(guildId: string): Promise<ReadonlyMap<string, number>>
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/** All relays of a process share the thread; without one it keeps no process alive. */
let thread: Worker | null = null
let relays = 0

/** Compiled where this file is. */
const THREAD_FILE = join(import.meta.dirname, `relay-thread${extname(import.meta.filename)}`)

function acquireThread(): Worker {
  thread ??= new Worker(THREAD_FILE, { name: 'relay' })
  if (++relays === 1) thread.ref()
  return thread
}

function releaseThread(): void {
  if (--relays === 0) thread?.unref()
}

/** @param fixedChance what each throw of the dice of the network's faults gives; random by default */
export async function startRelay(fixedChance?: number): Promise<Relay> {
  const { port1: port, port2 } = new MessageChannel()
  const sent = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const opening: RelayOpening = { port: port2, sent, fixedChance: fixedChance ?? null }
  acquireThread().postMessage(opening, [port2])
  const [{ port: udpPort }] = (await once(port, 'message')) as [Extract<RelayMessage, { type: 'listening' }>]
  return createRelay(port, sent, udpPort)
}

function createRelay(port: MessagePort, sent: Int32Array, udpPort: number): Relay {
  const waiting = new Map<number, (answer: RelayAnswers[keyof RelayAnswers]) => void>()
  const closed = Promise.withResolvers<void>()
  let lastId = 0
  port.on('message', (message: RelayMessage) => {
    if (message.type === 'closed') closed.resolve()
    if (message.type !== 'answer') return
    waiting.get(message.id)?.(message.answer)
    waiting.delete(message.id)
  })

  function order(it: RelayOrder): void {
    port.postMessage(it)
    Atomics.add(sent, 0, 1)
  }

  function answered<T extends keyof RelayAnswers>(orderOf: (id: number) => RelayOrder): Promise<RelayAnswers[T]> {
    const id = ++lastId
    const { promise, resolve } = Promise.withResolvers<RelayAnswers[T]>()
    waiting.set(id, resolve as (answer: RelayAnswers[keyof RelayAnswers]) => void)
    order(orderOf(id))
    return promise
  }

  const ask = <T extends keyof RelayAnswers>(question: RelayQuestion & { about: T }) =>
    answered<T>((id) => ({ type: 'ask', id, question }))

  return {
    ip: LOOPBACK,
    port: udpPort,
    add: (peer) => order({ type: 'add', peer }),
    remove: (ssrc) => order({ type: 'remove', ssrc }),
    async setKey(ssrc, mode, bytes) {
      await answered<'key'>((id) => ({ type: 'key', id, key: { ssrc, mode, bytes } }))
    },
    setAudibility: (ssrc, audibility) => order({ type: 'audibility', ssrc, audibility }),
    announced: (ssrc) => order({ type: 'announced', ssrc }),
    endUtterance: (ssrc) => order({ type: 'end-utterance', ssrc }),
    setFaults: (guildId, faults) => order({ type: 'faults', guildId, faults }),
    report: (guildId, userId, reset) => ask({ about: 'report', guildId, userId, reset }),
    counts: (guildId) => ask({ about: 'counts', guildId }),
    async close() {
      order({ type: 'close' })
      await closed.promise
      port.close()
      releaseThread()
    },
  }
}
