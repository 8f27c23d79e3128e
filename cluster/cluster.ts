import type { Redis } from 'ioredis'
import type { ClusterView } from '../bot/cluster-view.ts'
import type { Logger } from '../lib/log.ts'
import type { Facts, Message } from './messages.ts'
import { createPresence } from './membership.ts'
import { createClusterRegistry, type ClusterRegistry } from './bot-locations.ts'
import { createSigning } from './signing.ts'
import { openTransport } from './transport.ts'

/** The other services of this installation: those with the same SERVICES_KEY, Redis and prefix. */
export interface Cluster extends ClusterView {
  /** Announces this service to the others from now on. */
  announce(facts: () => Facts): void
  counts(): ClusterCounts
  close(): Promise<void>
}

export interface ClusterCounts {
  readonly services: number
  readonly refused: number
}

export interface ClusterOptions {
  /** For commands, and for messages; both are its owner's to close. */
  readonly redis: Redis
  readonly subscriber: Redis
  readonly prefix: string
  /** 64 hex digits. */
  readonly servicesKey: string
  readonly log: Logger
}

export function openCluster(options: ClusterOptions): Cluster {
  const { log } = options
  const signing = createSigning(options.servicesKey)
  // Those with another key are none of ours, and must not come into each other's way.
  const prefix = `${options.prefix}:services:${signing.id}`
  const registry = createClusterRegistry()

  function onMessage(message: Message): void {
    if (registry.merge(message) && message.type === 'who') presence.say()
  }

  const wire = openTransport({
    ...options,
    prefix,
    signing,
    onMessage,
    onListening: () => presence.arrive(),
    onError: (err) => log.warn({ err }, 'cluster message rejected'),
  })
  const presence = createPresence({ wire, registry, prefix, log })

  return {
    ...viewOf(registry),
    announce: (facts) => presence.announce(facts),
    counts: () => ({ services: registry.size, refused: wire.refused }),
    async close() {
      await presence.close()
      wire.close()
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
