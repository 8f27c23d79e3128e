import type {
  AudioEvent,
  AudioNode,
  JoinOptions,
  NextTrack,
  NodeStats,
  PlayerMethods,
  PlayerRef,
  PlayOptions,
  Sound,
} from '../../bot/audio/node/protocol.ts'
import type { Segment } from '../../bot/tracks/segments.ts'
import { createCounters } from '../../bot/audio/node/counters.ts'
import { withRemoteMethods } from '../../bot/audio/node/rpc.ts'
import { Fault, unprocessable } from '../../lib/errors.ts'

const NOTHING_KEPT = { cacheBytes: 0, cacheEntries: 0, players: 0, rejoins: {}, lagMs: 0 }

/** Player state in a fake node: the data that a real one would send as sound. */
interface FakeVoice {
  readonly channelId: string
  segments: readonly Segment[]
  play: PlayOptions | null
  next: NextTrack | null
  /** Positions by id. */
  readonly layers: Map<string, number>
  sound: Sound | null
  positionMs: number
}

/**
 * An audio node without a thread, a voice connection or sound. It keeps the contract: it knows only players that joined,
 * refuses files that cannot be decoded (`/broken…`), forgets everything when it dies, and tells nothing on its own that
 * the test does not make it tell.
 */
export interface FakeAudioNode extends AudioNode {
  readonly voices: Map<string, FakeVoice>
  /** Every call in order: `join 1`, `play /a.ogg`, `leave` … */
  readonly calls: string[]
  /** Voice messages received from Discord: `state CHANNEL`, `server`. */
  readonly heard: string[]
  /** Joins of this channel are refused, as by a voice server. */
  readonly refusedChannels: Set<string>
  /** Joins and plays wait for this promise. */
  gate: Promise<void>
  /** Utilization in its stats. */
  utilization: number
  tell(event: AudioEvent): void
  /** The track of this guild plays to its end. */
  finish(guildId: string, reason?: 'finished' | 'loadFailed'): void
  /** Dies; calls fail until `revive`. */
  die(): void
  revive(): void
}

function newVoice(channelId: string): FakeVoice {
  return { channelId, segments: [], play: null, next: null, layers: new Map(), sound: null, positionMs: 0 }
}

/** A method that is left out fails when it is called. */
type Faked = Omit<FakeAudioNode, keyof PlayerMethods> & Partial<PlayerMethods>

export function createFakeAudioNode(id = 'audio-1'): FakeAudioNode {
  const voices = new Map<string, FakeVoice>()
  const listeners: ((event: AudioEvent) => void)[] = []
  const restarted: (() => void)[] = []
  const calls: string[] = []
  const heard: string[] = []
  let isAlive = true

  function assertAlive(): void {
    if (!isAlive) throw new Fault('service_unavailable', 'The audio node is gone.')
  }

  function voiceOf({ guildId }: PlayerRef): FakeVoice {
    assertAlive()
    const voice = voices.get(guildId)
    if (!voice) throw new Error(`The audio node knows no player in guild ${guildId}.`)
    return voice
  }

  /** Sends the request of a real node to Discord's main gateway. */
  function ask(player: PlayerRef, channelId: string | null): void {
    const d = { guild_id: player.guildId, channel_id: channelId, self_mute: false, self_deaf: true }
    node.tell({ ...player, type: 'gatewayPayload', payload: { op: 4, d } })
  }

  const node: Faked = {
    id,
    voices,
    calls,
    heard,
    refusedChannels: new Set(),
    gate: Promise.resolve(),
    utilization: 0,
    get isAlive() {
      return isAlive
    },
    async join({ botId, guildId, channelId }: JoinOptions) {
      calls.push(`join ${channelId}`)
      assertAlive()
      const voice = newVoice(channelId)
      // Tracks can be opened before it is in the channel.
      voices.set(guildId, voice)
      await node.gate
      if (node.refusedChannels.has(channelId)) {
        voices.delete(guildId)
        throw unprocessable('channel_not_joinable', 'Discord did not let the bot in.')
      }
      voices.set(guildId, voice)
      ask({ botId, guildId }, channelId)
    },
    async leave(player) {
      calls.push('leave')
      assertAlive()
      if (voices.delete(player.guildId)) ask(player, null)
    },
    async play(options) {
      const { playable, volume, muted, paused, filters } = options
      const name = playable.kind === 'file' ? playable.path : playable.url
      calls.push(`play ${name}`)
      const voice = voiceOf(options)
      await node.gate
      assertAlive()
      if (name.startsWith('/broken')) throw new Fault('upstream_failed', `${name} could not be decoded.`)
      voice.play = options
      voice.segments = []
      voice.next = null
      voice.positionMs = options.positionMs
      voice.sound = { volume, muted, paused, ...(filters && { filters }) }
    },
    async prepare(player, next) {
      const { playable } = next ?? {}
      calls.push(`prepare ${playable ? (playable.kind === 'file' ? playable.path : playable.url) : 'nothing'}`)
      voiceOf(player).next = next
    },
    async setSegments(player, playId, segments) {
      const voice = voiceOf(player)
      if (voice.play?.playId === playId) voice.segments = segments
    },
    async addLayer(player, layer) {
      calls.push(`layer ${layer.playable.kind === 'file' ? layer.playable.path : layer.playable.url} ${layer.volume}`)
      const { layers } = voiceOf(player)
      await node.gate
      layers.set(layer.id, 0)
    },
    async setLayer(player, _, volume) {
      calls.push(`layer volume ${volume}`)
      voiceOf(player)
    },
    async removeLayer(player, layerId) {
      voiceOf(player).layers.delete(layerId)
    },
    layers: async (player) => Array.from(voiceOf(player).layers, ([id, positionMs]) => ({ id, positionMs })),
    async stop(player) {
      calls.push('stop')
      Object.assign(voiceOf(player), { play: null, next: null })
    },
    async setSound(player, sound) {
      calls.push(`sound ${sound.volume}${sound.muted ? ' muted' : ''}${sound.paused ? ' paused' : ''}`)
      voiceOf(player).sound = sound
    },
    async seek(player, positionMs) {
      calls.push(`seek ${positionMs}`)
      voiceOf(player).positionMs = positionMs
    },
    position: async (player) => voiceOf(player).positionMs,
    async listen(player) {
      voiceOf(player)
      return () => undefined
    },
    voiceStateUpdate: (_, data) => void heard.push(`state ${(data as { channel_id: string | null }).channel_id}`),
    voiceServerUpdate: () => void heard.push('server'),
    dropBot: (botId) => void calls.push(`drop ${botId}`),
    joinHeld: () => undefined,
    holdUntil: () => undefined,
    trace: async (player) => (voices.has(player.guildId) ? { fromMs: 0, toMs: 0, entries: [], spans: [] } : null),
    stats: async (): Promise<NodeStats> => ({ ...createCounters(), ...NOTHING_KEPT, utilization: node.utilization }),
    onEvent: (listener) => void listeners.push(listener),
    onRestarted: (listener) => void restarted.push(listener),
    onAway: () => undefined,
    isRemote: false,
    isDraining: false,
    isAsleep: false,
    playerCount: 0,
    close: async () => undefined,
    tell(event) {
      for (const listener of listeners) listener(event)
    },
    finish(guildId, reason = 'finished') {
      const play = voices.get(guildId)?.play
      if (!play) throw new Error('Nothing plays that could finish.')
      const { botId, playId } = play
      const voice = voices.get(guildId)!
      const next = reason === 'finished' ? voice.next : null
      if (next) Object.assign(voice, { play: { ...play, ...next, positionMs: 0 }, next: null })
      const followed = next ? { followedBy: next.playId } : {}
      node.tell({ type: 'trackEnded', botId, guildId, playId, reason, message: null, ...followed })
    },
    die() {
      isAlive = false
      voices.clear()
    },
    revive() {
      isAlive = true
      for (const listener of restarted) listener()
    },
  }
  return withRemoteMethods<Faked, PlayerMethods>(node, (name) =>
    Promise.reject(new Error(`The fake audio node has no ${name}.`)),
  ) as FakeAudioNode
}
