import type { Redis } from 'ioredis'
import type { ClusterView } from '../bot/cluster-view.ts'
import type { EventBus, ProjectEvent } from '../bot/events.ts'
import type { SharedProjects } from '../db/projects/shared-projects.ts'
import type { Logger } from '../lib/log.ts'
import { parseEvent, type Facts, type Message } from './messages.ts'
import { createOutbox } from './event-outbox.ts'
import { createDoubles, createPresence } from './membership.ts'
import { startProjectSync } from './project-sync.ts'
import { createClusterRegistry, type ClusterRegistry } from './bot-locations.ts'
import { createSigning } from './signing.ts'
import { openTransport, serviceChannel } from './transport.ts'

/** The other services of this installation: those with the same SERVICES_KEY, Redis and prefix. */
export interface Cluster extends ClusterView {
  /** Announces this service to the others from now on. */
  announce(facts: () => Facts): void
  counts(): PeerCounts
  close(): Promise<void>
}

export interface PeerCounts {
  readonly services: number
  readonly sent: number
  readonly received: number
  readonly dropped: number
  readonly refused: number
}

export interface ClusterOptions {
  /** For commands, and for messages; both are its owner's to close. */
  readonly redis: Redis
  readonly subscriber: Redis
  readonly prefix: string
  /** 64 hex digits. */
  readonly servicesKey: string
  readonly events: EventBus
  /** Null: the services have them in a database that they share. */
  readonly projects: SharedProjects | null
  readonly log: Logger
  readonly now: () => number
}

export function openCluster(options: ClusterOptions): Cluster {
  const { redis, events, log, projects } = options
  const signing = createSigning(options.servicesKey)
  // Those with another key are none of ours, and must not come into each other's way.
  const prefix = `${options.prefix}:services:${signing.id}`
  const registry = createClusterRegistry()
  const sync = projects && startProjectSync({ ...options, projects, prefix, signing })
  const inbox = createInbox(events)
  const doubles = createDoubles(log)

  function onMessage(message: Message): void {
    if (!registry.merge(message)) return
    if (message.type === 'who') presence.say()
    // Services with one database divide the shards of each bot between them.
    if (message.type === 'here' && options.projects) doubles.check(presence.bots(), message)
    if (message.type === 'events') inbox.take(message.events)
  }

  const wire = openTransport({
    ...options,
    prefix,
    signing,
    onMessage: onMessage,
    onProject: (id) => sync?.changed(id),
    onListening() {
      sync?.all()
      presence.arrive()
    },
    onError: (err) => log.warn({ err }, 'cluster message rejected'),
  })
  const presence = createPresence({ wire, registry, events, prefix, log })
  const outbox = createOutbox({
    send: (service, texts) => wire.send(serviceChannel(prefix, service), `"type":"events","events":[${texts.join()}]`),
    isReady: () => redis.status === 'ready',
  })
  const unsubscribe = events.subscribe((event) => {
    const services = projects && isForOthers(event) ? registry.subscribersOf(event.projectId) : []
    if (services.length === 0) return
    outbox.push(services, JSON.stringify({ projectId: event.projectId, event: event.event }))
  })

  return {
    ...viewOf(registry),
    announce: (facts) => presence.announce(facts),
    counts: () => ({
      services: registry.size,
      sent: outbox.sent,
      received: inbox.received,
      dropped: outbox.dropped,
      refused: wire.refused + inbox.refused,
    }),
    async close() {
      unsubscribe()
      await outbox.close()
      await presence.close()
      wire.close()
      await sync?.close()
    },
  }
}

function viewOf(registry: ClusterRegistry): ClusterView {
  return {
    runs: (botId) => registry.runs(botId),
    botsOf: (projectId) => registry.botsOf(projectId),
    players: (projectId) => registry.players(projectId),
  }
}

/** Those of others go no further, and the ends of jobs reach every service through Redis. */
function isForOthers({ isFromPeer, event }: ProjectEvent): boolean {
  return !isFromPeer && event.type !== 'jobEnded'
}

/** Hands events of other services to the subscribers here. */
function createInbox(events: EventBus) {
  let received = 0
  let refused = 0
  return {
    get received() {
      return received
    },
    get refused() {
      return refused
    },
    take(values: readonly unknown[]): void {
      for (const value of values) {
        const event = parseEvent(value)
        if (event) received += 1
        else refused += 1
        if (event) events.emit(event)
      }
    },
  }
}
