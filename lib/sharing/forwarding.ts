import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

/** A player, or where one could be. */
export interface GuildTarget {
  readonly botId: string
  readonly guildId: string
}

/** Another service of the installation. */
export interface PeerService {
  readonly serviceId: string
  /** Address for the other services. */
  readonly url: string
}

/** The service that runs a guild for a bot now. `moving`: one is about to. `nowhere`: none is known to run the bot. */
export type Whereabouts =
  | { readonly at: 'here' | 'moving' | 'nowhere' }
  | { readonly at: 'peer'; readonly service: PeerService }

/** Facts about a request, established by the service that received it, for the service that carries it out. */
export interface ForwardedIdentity {
  /** The sender's address. */
  readonly address: string | null
  /** The caller, once their key and limits were checked; null for pages, which check their sessions themselves. */
  readonly caller: {
    readonly keyId: string
    readonly projectId: string
    readonly plan: string
    readonly botId: string | null
    readonly poolId: string | null
    readonly botIds: readonly string[]
  } | null
  /** The bot that is meant; null if the request is about none. */
  readonly target: GuildTarget | null
}

export interface PeerRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | null
  readonly identity: ForwardedIdentity
  readonly signal: AbortSignal
}

export interface PeerAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readable
}

/** The way to the services that run the other shards. */
export interface Forwarding {
  /** Maximum wait of a request for a guild that changes hands. */
  readonly patienceMs: number
  locate(target: GuildTarget): Whereabouts
  /**
   * The bots that are in a channel of the guild and run by other services.
   * @throws {Fault} `service_unavailable` if that cannot be known.
   */
  occupiedElsewhere(
    group: { readonly projectId: string; readonly botIds: readonly string[] },
    guildId: string,
  ): Promise<readonly { readonly botId: string; readonly channelId: string }[]>
  /** Learns who runs what now. Never rejects. */
  refresh(): Promise<void>
  /**
   * @throws {Fault} `service_unavailable` without an answer; `peer: unreachable` if the request never arrived,
   * and `lost` if it may have.
   */
  send(service: PeerService, request: PeerRequest): Promise<PeerAnswer>
}

/** Communication between this service and the others, in both directions. */
export interface PeerLink extends Forwarding {
  /** Whether a request says that another service sent it. */
  isFromPeer(req: IncomingMessage): boolean
  /** Answers calls between services, and hands on what was forwarded, once it is known to be genuine. Never rejects. */
  receive(req: IncomingMessage, res: ServerResponse, serve: ServeForwarded): Promise<void>
}

export type ServeForwarded = (req: IncomingMessage, identity: ForwardedIdentity) => void

/** Statuses and headers between services; callers never see them. */
export const NOT_HERE_STATUS = 421
/** On an answer to another service: that the request was not carried out, since the guild is not run there. */
export const NOT_HERE_HEADER = 'bandstand-not-here'
/** On a refusal to another service: what the request log has to know of it. */
export const FAULT_HEADER = 'bandstand-fault'
