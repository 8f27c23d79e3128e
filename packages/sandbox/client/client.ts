import type { viewApplication, viewGuild, viewNetwork } from '../control/views.ts'
import type { ClockView } from '../clock/clock.ts'
import type { FaultView } from '../faults/faults.ts'
import type { FaultDraft } from '../faults/schema.ts'
import type { ClientsAfter, SnapshotView } from '../snapshots/snapshots.ts'
import type { Rules } from '../world/world.ts'
import type { WorldDraft } from '../worlds/schema.ts'
import { createRecordClient, type RecordClient } from './expectations.ts'
import { createMemberClient, type MemberClient, type MessageView } from './members.ts'
import { createTransport, pathOf, SandboxError, type Transport } from './transport.ts'

export type GuildView = ReturnType<typeof viewGuild>
/** A bot account. `token` is what the bot logs in with. */
export type ApplicationView = ReturnType<typeof viewApplication>
export type NetworkView = ReturnType<typeof viewNetwork>

export interface NewApplication {
  readonly name: string
  /** Defaults to all guilds. */
  readonly guildIds?: readonly string[]
  /** Whether it may request privileged intents; true by default. */
  readonly privileged?: boolean
  readonly messageContent?: boolean
  readonly shards?: number
  readonly maxConcurrency?: number
  readonly sessionStarts?: number
  readonly activities?: boolean
  /** That it is invited with, by name or all bits as a number; defaults to those of a music bot. */
  readonly permissions?: readonly string[] | string
}

export interface NewGuild {
  readonly name: string
  readonly voiceChannels?: number
  readonly textChannels?: number
  readonly members?: number
  /** IDs of bots to invite. */
  readonly applications?: readonly string[]
}

export interface NewChannel {
  readonly name: string
  readonly type: 'text' | 'voice' | 'stage'
  readonly userLimit?: number
}

/** An immediate change to a bot's gateway connections. */
export type GatewayDeed =
  | { readonly action: 'reconnect' | 'drop' | 'deaf' | 'frozen' }
  | { readonly action: 'invalidate'; readonly resumable?: boolean }
  | { readonly action: 'close'; readonly code: number }

export interface ClockClient {
  get(): Promise<ClockView>
  /** Now, or at a moment. */
  freeze(at?: Date | number): Promise<ClockView>
  run(): Promise<ClockView>
  set(at: Date | number): Promise<ClockView>
  advance(ms: number): Promise<ClockView>
}

export interface FaultClient {
  add(rule: FaultDraft): Promise<FaultView>
  list(): Promise<readonly FaultView[]>
  remove(id: string): Promise<void>
  clear(): Promise<void>
  /** REST answers 503; gateway sockets are cut and refused: until it is ended, or for a time. @returns what ends it. */
  outage(options?: { readonly forMs?: number }): Promise<() => Promise<void>>
}

/** The controls of a sandbox, by HTTP: it may be in this process or in another one. */
export interface SandboxClient {
  /** `http://127.0.0.1:PORT`; Discord's REST interface is below `/api`. */
  readonly url: string
  /** PEM, of the voice server. */
  certificate(): Promise<string>
  applications(): Promise<readonly ApplicationView[]>
  createApplication(facts: NewApplication): Promise<ApplicationView>
  guilds(): Promise<readonly GuildView[]>
  /** Looks up a guild by ID or name. @throws {SandboxError} if there is none. */
  guild(idOrName: string): Promise<GuildView>
  createGuild(facts: NewGuild): Promise<GuildView>
  deleteGuild(guildId: string): Promise<void>
  /** An outage of the guild, or of its voice server. */
  setOutage(
    guildId: string,
    outage: { readonly unavailable?: boolean; readonly voiceAway?: boolean },
  ): Promise<GuildView>
  createChannel(guildId: string, facts: NewChannel): Promise<{ readonly id: string }>
  deleteChannel(guildId: string, channelId: string): Promise<void>
  createRole(
    guildId: string,
    facts: { name: string; permissions?: string; userIds: readonly string[] },
  ): Promise<{ readonly id: string }>
  /** Creates a member, who joins by the invite of the code `invite`, if given, and counts as a use of it. */
  createMember(guildId: string, name: string, by?: { readonly invite: string }): Promise<MemberClient>
  /** Someone who is in the guild already. */
  member(guildId: string, userId: string): MemberClient
  invite(guildId: string, applicationId: string): Promise<void>
  /** Oldest first. */
  messages(guildId: string, channelId: string): Promise<readonly MessageView[]>
  deleteMessage(guildId: string, channelId: string, messageId: string): Promise<void>
  /** The audio of a voice channel as endless Ogg Opus. */
  listen(guildId: string, channelId: string, signal?: AbortSignal): Promise<ReadableStream<Uint8Array>>
  rules(change?: Partial<Rules>): Promise<Rules>
  network(guildId: string): Promise<NetworkView>
  /** @returns how many sockets it concerned. */
  gateway(applicationId: string, deed: GatewayDeed): Promise<number>
  readonly record: RecordClient
  readonly faults: FaultClient
  readonly clock: ClockClient
  snapshot(name: string): Promise<SnapshotView>
  restore(name: string, options?: { readonly clients?: ClientsAfter }): Promise<void>
  /** Restores the state at the start of the sandbox. */
  reset(options?: { readonly clients?: ClientsAfter }): Promise<void>
  exportWorld(): Promise<WorldDraft>
  loadWorld(world: WorldDraft, options?: { readonly clients?: ClientsAfter }): Promise<void>
  /** Any other route of the control API: `GET /sandbox` lists them. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
}

export interface ClientOptions {
  /** Default timeout of expectations; 5 s by default. */
  readonly withinMs?: number
}

/** @param url of a sandbox that runs, such as `http://127.0.0.1:8090`. Nothing is sent yet. */
export function createSandboxClient(url: string, { withinMs }: ClientOptions = {}): SandboxClient {
  const transport = createTransport(url)
  const { call } = transport
  return {
    url: transport.url,
    certificate: () => transport.text('/certificate.pem'),
    ...createPlaces(transport),
    rules: (change) => call(change ? 'PATCH' : 'GET', '/rules', { body: change }),
    network: (guildId) => call('GET', pathOf`/guilds/${guildId}/network`),
    async gateway(applicationId, deed) {
      const path = pathOf`/applications/${applicationId}/gateway`
      return (await call<{ sockets: number }>('POST', path, { body: deed })).sockets
    },
    record: createRecordClient(transport, withinMs),
    faults: createFaultClient(transport),
    clock: createClockClient(transport),
    snapshot: (name) => call('PUT', pathOf`/snapshots/${name}`),
    restore: async (name, options = {}) =>
      void (await call('POST', pathOf`/snapshots/${name}/restore`, { body: options })),
    reset: async (options = {}) => void (await call('POST', '/reset', { body: options })),
    exportWorld: () => call('GET', '/world'),
    loadWorld: (world, options = {}) => call('PUT', '/world', { body: { world, ...options } }),
    call: (method, path, body) => call(method, path, { body }),
  }
}

/**
 * A client of a sandbox that runs.
 * @throws {Error} where something else answers, or nothing.
 */
export async function connectSandbox(url: string, options: ClientOptions = {}): Promise<SandboxClient> {
  const client = createSandboxClient(url, options)
  try {
    await client.certificate()
  } catch (cause) {
    throw new Error(`No sandbox responds at ${client.url}. Start one, or correct the URL.`, { cause })
  }
  return client
}

type Places = Omit<
  SandboxClient,
  | 'url'
  | 'certificate'
  | 'rules'
  | 'network'
  | 'gateway'
  | 'record'
  | 'faults'
  | 'clock'
  | 'snapshot'
  | 'restore'
  | 'reset'
  | 'exportWorld'
  | 'loadWorld'
  | 'call'
>

function createPlaces(transport: Transport): Places {
  const { call, stream } = transport
  const guilds = () => call<readonly GuildView[]>('GET', '/guilds')
  const member = (guildId: string, userId: string) => createMemberClient(transport, guildId, userId)
  return {
    applications: () => call('GET', '/applications'),
    createApplication: (body) => call('POST', '/applications', { body }),
    guilds,
    async guild(idOrName) {
      const found = (await guilds()).find(({ id, name }) => id === idOrName || name === idOrName)
      if (!found) throw new SandboxError(404, `No guild has the ID or name ${idOrName}.`)
      return found
    },
    createGuild: (body) => call('POST', '/guilds', { body }),
    deleteGuild: (guildId) => call('DELETE', pathOf`/guilds/${guildId}`),
    setOutage: (guildId, body) => call('PATCH', pathOf`/guilds/${guildId}`, { body }),
    createChannel: (guildId, body) => call('POST', pathOf`/guilds/${guildId}/channels`, { body }),
    deleteChannel: (guildId, channelId) => call('DELETE', pathOf`/guilds/${guildId}/channels/${channelId}`),
    createRole: (guildId, body) => call('POST', pathOf`/guilds/${guildId}/roles`, { body }),
    async createMember(guildId, name, by) {
      const { id } = await call<{ id: string }>('POST', pathOf`/guilds/${guildId}/members`, {
        body: { name, ...by },
      })
      return member(guildId, id)
    },
    member,
    invite: async (guildId, applicationId) =>
      void (await call('POST', pathOf`/guilds/${guildId}/members`, { body: { applicationId } })),
    messages: (guildId, channelId) => call('GET', pathOf`/guilds/${guildId}/channels/${channelId}/messages`),
    deleteMessage: (guildId, channelId, messageId) =>
      call('DELETE', pathOf`/guilds/${guildId}/channels/${channelId}/messages/${messageId}`),
    listen: (guildId, channelId, signal) => stream(pathOf`/guilds/${guildId}/channels/${channelId}/listen.ogg`, signal),
  }
}

function createClockClient({ call }: Transport): ClockClient {
  const turn = (how: string, body?: object) => call<ClockView>('POST', `/clock/${how}`, { body })
  return {
    get: () => call('GET', '/clock'),
    freeze: (at) => turn('freeze', at === undefined ? {} : { at: Number(at) }),
    run: () => turn('run'),
    set: (at) => turn('set', { at: Number(at) }),
    advance: (ms) => turn('advance', { ms }),
  }
}

function createFaultClient({ call }: Transport): FaultClient {
  const add = (body: FaultDraft) => call<FaultView>('POST', '/faults', { body })
  const remove = (id: string) => call<void>('DELETE', pathOf`/faults/${id}`)
  return {
    add,
    list: () => call('GET', '/faults'),
    remove,
    clear: () => call('DELETE', '/faults'),
    async outage(options = {}) {
      const effect = { type: 'outage' } as const
      const rules = [await add({ on: 'rest', effect, ...options }), await add({ on: 'gateway', effect, ...options })]
      // Rules that have expired are removed already.
      return async () => void (await Promise.allSettled(rules.map(({ id }) => remove(id))))
    },
  }
}
