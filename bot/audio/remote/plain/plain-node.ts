import { z } from 'zod'
import { Fault } from '../../../../lib/errors.ts'
import type { Logger } from '../../../../lib/log.ts'
import { guildKey } from '../../../guild-key.ts'
import { createCounters } from '../../node/counters.ts'
import type { Audible, AudioNode, JoinOptions, NodeStats, PlayerRef, PlayOptions, Sound } from '../../node/protocol.ts'
import { BaseNode } from '../base-node.ts'
import { callNode, localAddressTo, PlainSession, type PlainAddress } from './plain-client.ts'
import { PlainPlayer } from './plain-player.ts'
import { cannot, toPatch } from './plain-sound.ts'

const PROBE_MS = 1000
/** A busy node may be late once. */
const MAX_FAILED_PROBES = 2

const Loaded = z.object({ data: z.object({ encoded: z.string() }) })
const Stats = z.object({ players: z.number() })

export interface PlainNodeOptions extends PlainAddress {
  readonly id: string
  readonly log: Logger
  /** A track as another machine can open it. */
  readonly toRemote: (track: Audible, from: string) => Audible
}

/** A Lavalink node of any make: a session for each bot. What it cannot do is refused by name. */
export async function createPlainNode(options: PlainNodeOptions): Promise<AudioNode> {
  const node = new PlainNode(options)
  await node.probe()
  return node
}

class PlainNode extends BaseNode implements AudioNode {
  readonly isLimited = true
  readonly isDraining = false
  readonly #options: PlainNodeOptions
  readonly #sessions = new Map<string, PlainSession>()
  readonly #players = new Map<string, PlainPlayer>()
  readonly #timer: NodeJS.Timeout
  /** By which the node sees this machine. */
  #localAddress = '127.0.0.1'
  #isAlive = false
  #failedProbes = 0
  #playerCount = 0

  constructor(options: PlainNodeOptions) {
    super(options)
    this.#options = options
    this.#timer = setInterval(() => void this.probe(), PROBE_MS).unref()
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  get playerCount(): number {
    return this.#playerCount
  }

  /** Asks how many players it has, which also tells whether it is there. Never rejects. */
  async probe(): Promise<void> {
    try {
      const stats = Stats.parse(await callNode(this.#options, 'GET', '/v4/stats', { withinMs: PROBE_MS }))
      this.#playerCount = stats.players
      this.#failedProbes = 0
      if (this.#isAlive) return
      this.#localAddress = await localAddressTo(this.#options.url)
      this.#onBack()
    } catch (err) {
      this.log.debug({ err }, 'audio node not reached')
      if (++this.#failedProbes >= MAX_FAILED_PROBES) this.#onLost()
    }
  }

  async join({ channelId, ...ref }: JoinOptions): Promise<void> {
    const { botId, guildId } = ref
    await this.#sessionOf(botId)
    const known = this.#players.get(guildKey(ref))
    const player = known ?? this.#createPlayer({ botId, guildId })
    await player.join(channelId)
  }

  async leave(ref: PlayerRef): Promise<void> {
    const player = this.#players.get(guildKey(ref))
    if (!player) return
    this.#players.delete(guildKey(ref))
    player.moveTo(null)
    if (this.#isAlive) await this.#request(ref, 'DELETE')
  }

  async play({ playId, playable, positionMs, endMs, botId, guildId, ...sound }: PlayOptions): Promise<void> {
    const ref = { botId, guildId }
    const player = this.#get(ref)
    const patch = toPatch(this.id, sound)
    const track = this.#options.toRemote(playable, this.#localAddress)
    const identifier = track.kind === 'file' ? track.path : track.url
    const answer = await callNode(this.#options, 'GET', `/v4/loadtracks?identifier=${encodeURIComponent(identifier)}`)
    const loaded = Loaded.safeParse(answer)
    if (!loaded.success) throw new Fault('upstream_failed', `The audio node ${this.id} cannot play this track.`)
    const { encoded } = loaded.data.data
    player.began(playId, positionMs, sound.paused)
    const end = endMs === undefined ? {} : { endTime: Math.round(endMs) }
    const position = Math.round(positionMs)
    await this.#request(ref, 'PATCH', { ...patch, track: { encoded, userData: { playId } }, position, ...end })
  }

  async stop(ref: PlayerRef): Promise<void> {
    this.#players.get(guildKey(ref))?.ended()
    if (this.#isAlive && this.#players.has(guildKey(ref)))
      await this.#request(ref, 'PATCH', { track: { encoded: null } })
  }

  async setSound(ref: PlayerRef, sound: Sound): Promise<void> {
    const patch = toPatch(this.id, sound)
    this.#get(ref).pause(sound.paused)
    await this.#request(ref, 'PATCH', patch)
  }

  async seek(ref: PlayerRef, positionMs: number): Promise<void> {
    await this.#request(ref, 'PATCH', { position: Math.round(positionMs) })
    this.#get(ref).measure(positionMs)
  }

  async setEnd(ref: PlayerRef, _: number, endMs: number | null): Promise<void> {
    await this.#request(ref, 'PATCH', { endTime: endMs === null ? null : Math.round(endMs) })
  }

  /** The next track starts when this one is over, with a short gap. */
  async prepare(): Promise<void> {}

  /** Parts of a video that the guild skips are heard. */
  async setSegments(): Promise<void> {}

  async addLayer(): Promise<void> {
    throw cannot(this.id, 'layers')
  }

  async setLayer(): Promise<void> {
    throw cannot(this.id, 'layers')
  }

  async removeLayer(): Promise<void> {}

  async layers(): Promise<readonly never[]> {
    return []
  }

  async listen(): Promise<() => void> {
    throw cannot(this.id, 'live audio')
  }

  async open(): Promise<void> {
    throw cannot(this.id, 'external players')
  }

  async connectVoice(): Promise<void> {
    throw cannot(this.id, 'external players')
  }

  async position(ref: PlayerRef): Promise<number> {
    return this.#get(ref).positionMs
  }

  async snapshot(ref: PlayerRef) {
    return this.#get(ref).snapshot
  }

  async snapshots(botId: string) {
    return [...this.#players].filter(([key]) => key.startsWith(`${botId} `)).map(([, { snapshot }]) => snapshot)
  }

  async stats(): Promise<NodeStats> {
    const none = { cacheBytes: 0, cacheEntries: 0, rejoins: {}, lagMs: 0, utilization: 0 }
    return { ...createCounters(), ...none, players: this.#players.size }
  }

  async trace(): Promise<null> {
    return null
  }

  voiceStateUpdate(ref: PlayerRef, data: unknown): void {
    this.#players.get(guildKey(ref))?.onStateUpdate(data as Parameters<PlainPlayer['onStateUpdate']>[0])
  }

  voiceServerUpdate(ref: PlayerRef, data: unknown): void {
    this.#players.get(guildKey(ref))?.onServerUpdate(data as Parameters<PlainPlayer['onServerUpdate']>[0])
  }

  /** Its players wait for Discord without a limit once they have joined. */
  joinHeld(): void {}

  dropBot(botId: string): void {
    for (const key of this.#players.keys()) if (key.startsWith(`${botId} `)) this.#players.delete(key)
    this.#sessions.get(botId)?.close()
    this.#sessions.delete(botId)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#isAlive = false
    for (const session of this.#sessions.values()) session.close()
    this.#sessions.clear()
  }

  #createPlayer(ref: PlayerRef): PlainPlayer {
    const player = new PlainPlayer({
      ref,
      emit: (event) => this.emit(event),
      sendVoice: (voice) => this.#request(ref, 'PATCH', { voice }),
    })
    this.#players.set(guildKey(ref), player)
    return player
  }

  /** @throws {Fault} when the player is still to join. */
  #get(ref: PlayerRef): PlainPlayer {
    const player = this.#players.get(guildKey(ref))
    if (player) return player
    const message = 'The bot is rejoining its voice channel. Try again in a moment.'
    throw new Fault('service_unavailable', message, { retryAfterMs: 1000 })
  }

  async #sessionOf(botId: string): Promise<string> {
    const there = this.#sessions.get(botId)
    if (there) return there.ready
    const session = new PlainSession(this.#options, botId, {
      log: this.log,
      message: (message) => this.#players.get(guildKey({ botId, guildId: message.guildId }))?.onMessage(message),
      close: () => this.#sessions.get(botId) === session && this.#onSessionLost(botId),
    })
    this.#sessions.set(botId, session)
    return session.ready
  }

  async #request({ botId, guildId }: PlayerRef, method: 'PATCH' | 'DELETE', body?: object): Promise<unknown> {
    const sessionId = await this.#sessionOf(botId)
    return callNode(this.#options, method, `/v4/sessions/${sessionId}/players/${guildId}`, { body })
  }

  /** Its players ended with it: they move, or join again where the node is there all the same. */
  #onSessionLost(botId: string): void {
    this.#sessions.delete(botId)
    if (!this.#isAlive) return
    // A node that is stopped closes its sockets before it is gone.
    this.#onLost()
    void this.probe()
  }

  #onBack(): void {
    this.#isAlive = true
    this.log.info({ url: this.#options.url }, 'audio node connected')
    this.emitRestarted()
  }

  #onLost(): void {
    if (!this.#isAlive) return
    this.#isAlive = false
    this.#players.clear()
    for (const session of this.#sessions.values()) session.close()
    this.#sessions.clear()
    this.log.warn({}, 'audio node lost')
    this.emitAway()
  }
}
