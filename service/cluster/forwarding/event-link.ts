import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { EventBus, ProjectEvent } from '../../../bot/events.ts'
import { settleWithin } from '../../../lib/deadline.ts'
import type { Logger } from '../../../lib/log.ts'
import type { GuildTarget, PeerService } from '../../../lib/sharing/forwarding.ts'
import { parseEvent } from './peer-event.ts'
import { EventQueue, type EventBatch } from './event-queue.ts'

interface EventLinkOptions {
  readonly events: EventBus
  /** The services that are there now, without this one. */
  readonly peers: () => readonly PeerService[]
  readonly self: () => PeerService
  /** @throws when the service does not have it. */
  readonly call: (service: PeerService, path: string, body: string) => Promise<unknown>
  /** Learns which services there are. */
  readonly refresh: () => Promise<void>
  readonly log: Logger
}

export interface EventCounts {
  readonly sent: number
  readonly received: number
  readonly dropped: number
  readonly refused: number
}

/** Interval at which the link reads the list of services, so it knows them before one of them hangs. */
const LOOK_MS = 1000
/** A service that is not seen for so long is gone. */
const GONE_AFTER_MS = 60_000
const FLUSH_MS = 500
const JOIN_MS = 1500
const MOST_STREAMS = 500
/** Number of batches lost in a row before the log says so. */
const WARN_AFTER = 3

const Peer = z.object({ serviceId: z.string().max(200), url: z.url({ protocol: /^https?$/ }).max(2048) })
const Change = z.object({ botId: z.string().max(30), guildId: z.string().max(30) })
const Batch = z.object({
  /** Stream of the sender to this receiver. */
  stream: z.uuid(),
  first: z.int().min(1),
  events: z.array(z.unknown()),
  changes: z.array(Change),
})

interface Target {
  readonly service: PeerService
  readonly stream: string
  readonly queue: EventQueue
  seenAtMs: number
}

/** Events of players and bots, from each service to all others, once and in order. */
export class EventLink {
  readonly #options: EventLinkOptions
  readonly #targets = new Map<string, Target>()
  readonly #inbox: Inbox
  readonly #unsubscribe: () => void
  readonly #looking: NodeJS.Timeout
  #dropped = 0
  #sent = 0

  constructor(options: EventLinkOptions) {
    this.#options = options
    this.#inbox = createInbox(options.events)
    const passed = () => Promise.all(this.#there().map(({ queue }) => queue.passed()))
    this.#unsubscribe = options.events.subscribe((event) => this.#push(event), passed)
    this.#looking = setInterval(() => this.#addAll(), LOOK_MS).unref()
  }

  /** Tells the others that this service wants events from now on. Waits a moment. */
  async join(): Promise<void> {
    const { refresh, self, peers, call } = this.#options
    await refresh()
    this.#addAll()
    const body = JSON.stringify(self())
    const told = peers().map((peer) => call(peer, 'join', body).catch(() => undefined))
    await settleWithin(JOIN_MS, Promise.all(told))
  }

  /** A player may look different. */
  changed({ botId, guildId }: GuildTarget): void {
    const text = JSON.stringify({ botId, guildId })
    for (const { queue } of this.#currentTargets()) queue.pushChange(text)
  }

  /** Calls when a player of another service may look different. @returns a function that ends the subscription. */
  onPeerChanged(listener: (player: GuildTarget) => void): () => void {
    return this.#inbox.onChanged(listener)
  }

  /** Answers calls of other services; undefined for a call of another kind. */
  receive(path: string, body: string): { readonly ok: true } | undefined {
    if (path === 'join') this.#add(Peer.parse(JSON.parse(body)))
    else if (path === 'events') this.#inbox.take(Batch.parse(JSON.parse(body)))
    else return undefined
    return { ok: true }
  }

  /** Waits a moment until the others have all events so far. Players are silent meanwhile, so nothing waits for those that are gone. */
  async flush(): Promise<void> {
    await settleWithin(FLUSH_MS, Promise.all(this.#there().map(({ queue }) => queue.flushed())))
  }

  counts(): EventCounts {
    return { sent: this.#sent, dropped: this.#dropped, ...this.#inbox.counts() }
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    clearInterval(this.#looking)
    await this.flush()
    for (const serviceId of this.#targets.keys()) this.#forget(serviceId)
  }

  #push({ projectId, event, isFromPeer }: ProjectEvent): void {
    // Every service hears of the ends of jobs by Redis.
    if (isFromPeer || event.type === 'jobEnded') return
    const text = JSON.stringify({ projectId, event })
    for (const { queue } of this.#currentTargets()) if (!queue.push(text)) this.#dropped += 1
  }

  #there(): readonly Target[] {
    return this.#options.peers().flatMap(({ serviceId }) => this.#targets.get(serviceId) ?? [])
  }

  #currentTargets(): Iterable<Target> {
    this.#addAll()
    return this.#targets.values()
  }

  #addAll(): void {
    for (const peer of this.#options.peers()) this.#add(peer)
  }

  #add(service: PeerService): void {
    const { serviceId } = service
    const known = this.#targets.get(serviceId)
    if (known) known.seenAtMs = performance.now()
    if (known) return
    // The service was started again.
    for (const { service: former } of this.#targets.values()) {
      if (former.url === service.url) this.#forget(former.serviceId)
    }
    const queue = new EventQueue({
      send: (batch) => this.#send(target, batch),
      onFailing: (failures) => this.#onFailing(target, failures),
    })
    const target: Target = { service, stream: randomUUID(), queue, seenAtMs: performance.now() }
    this.#targets.set(serviceId, target)
  }

  async #send({ service, stream }: Target, { first, events, changes }: EventBatch): Promise<void> {
    const head = `"stream":"${stream}","first":${first}`
    await this.#options.call(service, 'events', `{${head},"events":[${events.join()}],"changes":[${changes.join()}]}`)
    this.#sent += events.length
  }

  #onFailing({ service, seenAtMs }: Target, failures: number): void {
    const { serviceId, url } = service
    if (failures === WARN_AFTER) this.#options.log.warn({ service: url }, 'sending events to another service failed')
    if (this.#options.peers().some((peer) => peer.serviceId === serviceId)) return
    if (performance.now() - seenAtMs > GONE_AFTER_MS) this.#forget(serviceId)
  }

  #forget(serviceId: string): void {
    this.#targets.get(serviceId)?.queue.close()
    this.#targets.delete(serviceId)
  }
}

type Inbox = ReturnType<typeof createInbox>

/** Hands what other services tell to the subscribers here. */
function createInbox(events: EventBus) {
  /** Stream → the number of the next event. */
  const expected = new Map<string, number>()
  const listeners = new Set<(player: GuildTarget) => void>()
  let received = 0
  let refused = 0

  function emit(value: unknown): void {
    const event = parseEvent(value)
    if (event) received += 1
    else refused += 1
    if (event) events.emit(event)
  }

  return {
    counts: () => ({ received, refused }),
    onChanged(listener: (player: GuildTarget) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    take({ stream, first, events: values, changes }: z.output<typeof Batch>): void {
      const next = expected.get(stream) ?? first
      // The one that was heard of last goes last.
      expected.delete(stream)
      expected.set(stream, Math.max(next, first + values.length))
      const [oldest] = expected.keys()
      if (expected.size > MOST_STREAMS && oldest !== undefined) expected.delete(oldest)
      for (const value of values.slice(Math.max(0, next - first))) emit(value)
      for (const change of changes) for (const listener of listeners) listener(change)
    },
  }
}
