import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { createUser } from './world/applications.ts'
import { addMember, removeMember } from './world/guilds.ts'
import { createSecret, enterVoice, removeFromVoice } from './world/voice.ts'
import type { Guild, Voice, VoiceChange, World } from './world/world.ts'
import { createListening, type Listening, type ListenOptions } from './voice/listen.ts'
import { connectMember, type MemberVoice } from './voice/member.ts'

/** A member's voice client that we run; `voice` is null while it connects. */
interface Client {
  readonly token: string
  voice: MemberVoice | null
}

interface Ear {
  readonly guildId: string
  readonly channelId: string
  readonly listening: Listening
}

interface State {
  readonly world: World
  readonly certificate: string
  readonly log: Logger
  /** Voice clients that the sandbox runs, by guild and user. */
  readonly clients: Map<string, Client>
  readonly ears: Set<Ear>
  /** Channel → the member who is there only because someone listens. */
  readonly listeners: Map<string, string>
}

interface Entering {
  readonly userId: string
  readonly channelId: string
  /** False: they are only there on paper, or bring a client of their own. */
  readonly client: boolean
  readonly selfMute?: boolean
  readonly selfDeaf?: boolean
}

/** The people in the voice channels, and the clients with which they hear and speak. */
export type Crowd = ReturnType<typeof createCrowd>

export function createCrowd(options: { world: World; certificate: string; log: Logger }) {
  const state: State = { ...options, clients: new Map(), ears: new Set(), listeners: new Map() }
  const onChange = (change: VoiceChange) => follow(state, change)
  state.world.notices.on('voice', onChange)
  return {
    /** Joins a channel. Resolves when the client can hear and speak; null if they may not enter. */
    enter: (guild: Guild, entering: Entering) => enter(state, guild, entering),
    /** A member's client, if they have one of ours and it is connected. */
    find: (guildId: string, userId: string): MemberVoice | undefined =>
      state.clients.get(keyOf(guildId, userId))?.voice ?? undefined,
    /** Whether a member's voice client is one of ours, connected or not. */
    has: (guildId: string, userId: string) => state.clients.has(keyOf(guildId, userId)),
    /** After the world became another one: those who listen get ears in it. */
    follow() {
      const isThere = (userId: string) => state.world.guilds.values().some(({ members }) => members.has(userId))
      for (const [channelId, userId] of state.listeners) if (!isThere(userId)) state.listeners.delete(channelId)
      attune(state)
    },
    /** The audio of a channel, from now on, as an endless Ogg stream. Destroy it to stop. */
    listen: (guild: Guild, channelId: string, listenOptions: Pick<ListenOptions, 'packetBytesMin'> = {}) =>
      listen(state, { guild, channelId }, listenOptions),
    close() {
      state.world.notices.off('voice', onChange)
      for (const { voice } of state.clients.values()) voice?.close()
      state.clients.clear()
      for (const { listening } of state.ears) listening.stream.destroy()
    },
  }
}

const keyOf = (guildId: string, userId: string) => `${guildId}:${userId}`

async function enter(state: State, guild: Guild, { client, ...entering }: Entering): Promise<Voice | null> {
  const key = keyOf(guild.id, entering.userId)
  // A client in the previous channel is not the one that joins now.
  forget(state, key)
  const voice = enterVoice(state.world, guild, { ...entering, sessionId: createSecret() })
  if (voice && client) await connect(state, voice)
  return voice
}

/** A member was moved, or left: their client follows. */
function follow(state: State, { from, to }: VoiceChange): void {
  const { guildId, userId } = to ?? from ?? { guildId: '', userId: '' }
  const key = keyOf(guildId, userId)
  const client = state.clients.get(key)
  if (!client || client.token === to?.token) return
  forget(state, key)
  if (to)
    connect(state, to).catch((err: unknown) => state.log.warn({ err, userId }, 'voice connection of a member lost'))
  attune(state)
}

function forget({ clients }: State, key: string): void {
  clients.get(key)?.voice?.close()
  clients.delete(key)
}

async function connect(state: State, at: Voice): Promise<void> {
  const { world, clients, certificate } = state
  const key = keyOf(at.guildId, at.userId)
  const client: Client = { token: at.token, voice: null }
  clients.set(key, client)
  const { token, sessionId, userId, guildId, channelId } = at
  const endpoint = world.voiceEndpoint ?? ''
  let voice: MemberVoice
  try {
    voice = await connectMember({ endpoint, token, sessionId, userId, guildId, channelId, certificate })
  } catch (error) {
    if (clients.get(key) !== client) return
    vanish(state, at)
    throw error
  }
  if (clients.get(key) !== client) return voice.close()
  client.voice = voice
  // Someone whose client is cut off is gone from the channel; but without a voice server all wait for the next one.
  voice.onEnd(() => {
    if (clients.get(key) !== client) return
    if (world.guilds.get(guildId)?.voiceAway) client.voice = null
    else vanish(state, at)
  })
  attune(state)
}

function vanish(state: State, { guildId, userId, sessionId }: Voice): void {
  forget(state, keyOf(guildId, userId))
  const guild = state.world.guilds.get(guildId)
  if (guild?.voice.get(userId)?.sessionId === sessionId) removeFromVoice(state.world, guild, userId, null)
  attune(state)
}

type Place = { readonly guild: Guild; readonly channelId: string }

function listen(state: State, { guild, channelId }: Place, options: ListenOptions): Readable {
  const { world, ears } = state
  const listening = createListening({ ...options, prefer: (userId) => world.applications.has(userId) })
  const ear: Ear = { guildId: guild.id, channelId, listening }
  ears.add(ear)
  listening.stream.once('close', () => {
    ears.delete(ear)
    dismissListeners(state)
  })
  attune(state)
  return listening.stream
}

/** Gives every stream the ears of someone who is there; where no one is, a listener comes. */
function attune(state: State): void {
  const { world, clients, ears, listeners } = state
  for (const { guildId, channelId, listening } of ears) {
    const guild = world.guilds.get(guildId)
    if (!guild?.channels.has(channelId)) {
      listening.stream.destroy()
      continue
    }
    const present = [...guild.voice.values()].filter((voice) => voice.channelId === channelId && !voice.selfDeaf)
    const ours = present.filter(({ userId }) => clients.has(keyOf(guildId, userId)))
    const people = ours.filter(({ userId }) => userId !== listeners.get(channelId))
    const [chosen] = people.length > 0 ? people : ours
    listening.tap(chosen ? (clients.get(keyOf(guildId, chosen.userId))?.voice ?? null) : null)
    if (!chosen && !listeners.has(channelId)) sendListener(state, guild, channelId)
  }
  dismissListeners(state)
}

function sendListener(state: State, guild: Guild, channelId: string): void {
  const user = createUser(state.world.nextId(), 'listener', { displayName: 'A listener' })
  state.listeners.set(channelId, user.id)
  addMember(state.world, guild, user)
  enter(state, guild, { userId: user.id, channelId, client: true }).catch((err: unknown) =>
    state.log.warn({ err, channelId }, 'listener failed to join'),
  )
}

/** A listener goes when no one listens any more, or when someone else's ears will do. */
function dismissListeners({ world, clients, ears, listeners }: State): void {
  for (const [channelId, userId] of listeners) {
    const guild = world.guilds.values().find((one) => one.members.has(userId))
    const others = [...(guild?.voice.values() ?? [])].filter(
      (voice) => voice.channelId === channelId && voice.userId !== userId,
    )
    const isCovered = others.some((voice) => clients.get(keyOf(voice.guildId, voice.userId))?.voice && !voice.selfDeaf)
    const isWanted = ears.values().some((ear) => ear.channelId === channelId)
    if (isWanted && !isCovered && guild) continue
    listeners.delete(channelId)
    if (!guild) continue
    removeMember(world, guild, userId)
    world.users.delete(userId)
  }
}
