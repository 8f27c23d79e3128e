import { Fault } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/log.ts'
import { createQuarantine } from '../../../lib/workers/quarantine.ts'
import { monotonicNow } from '../../../lib/clock.ts'
import { FrameListeners, type FrameListener } from '../playback/frame-listeners.ts'
import type { Trace } from './flight-recorder.ts'
import { Watchdog } from './watchdog.ts'
import { startInline, startWorkerThread, type WorkerHandle } from './worker-handle.ts'
import type { AudioNodeOptions } from './options.ts'
import { PendingCalls } from './pending-calls.ts'
import { TIMINGS, type Timings } from './timings.ts'
import type {
  AudioEvent,
  AudioNode,
  JoinOptions,
  LayerPosition,
  LayerRequest,
  NextTrack,
  NodeStats,
  PlayerRef,
  PlayOptions,
  Sound,
} from './protocol.ts'
import {
  unpackFault,
  type Call,
  type CallName,
  type Calls,
  type FromThread,
  type HlsQuestion,
  type ToThread,
} from './rpc.ts'

/**
 * Starts an audio thread. Resolves when it answers.
 * @throws {Fault} when it ends or does not answer; nothing of it is left then.
 */
export async function createAudioNode(options: AudioNodeOptions): Promise<AudioNode> {
  const node = new ThreadNode(options)
  try {
    await node.start()
    return node
  } catch (cause) {
    await node.end()
    throw new Fault('service_unavailable', `The audio thread ${options.id} did not start; the log says why.`, { cause })
  }
}

class ThreadNode implements AudioNode {
  readonly id: string
  readonly #options: AudioNodeOptions
  readonly #timings: Timings
  readonly #log: Logger
  readonly #watchdog: Watchdog
  readonly #calls = new PendingCalls(() => this.#watchdog.isSilent)
  readonly #eventListeners: ((event: AudioEvent) => void)[] = []
  readonly #restartListeners: (() => void)[] = []
  readonly #ears = new FrameListeners()
  #life: WorkerHandle | null = null
  /** The present life has answered once. */
  #hasAnswered = false
  #failures = 0
  #isClosing = false
  #restartTimer: NodeJS.Timeout | undefined

  constructor(options: AudioNodeOptions) {
    this.id = options.id
    this.#options = options
    this.#timings = { ...TIMINGS, ...options.timings }
    this.#log = options.log.child({ nodeId: options.id })
    const { quarantine = createQuarantine() } = options
    this.#watchdog = new Watchdog({ timings: this.#timings, log: this.#log, quarantine })
  }

  get isAlive(): boolean {
    return this.#life !== null && this.#hasAnswered
  }

  async start(): Promise<void> {
    const { inThread, certificates, egress, sound, decoders, voiceTimings, readHlsWindow, execArgv } = this.#options
    const marked = this.#watchdog.begin()
    const life: WorkerHandle = (inThread ? startWorkerThread : startInline)({
      setup: { certificates, egress, sound, decoders, voice: voiceTimings, marked },
      execArgv,
      readHlsWindow,
      onMessage: (message) => this.#life === life && this.#receive(message),
      onEnd: (error) => this.#onEnd(life, error),
    })
    this.#life = life
    this.#hasAnswered = false
    await this.#call({ name: 'ping', input: null }, this.#timings.startMs)
    this.#hasAnswered = true
    const ping = () => this.#call({ name: 'ping', input: null })
    const onHang = () => {
      // Not when it has ended: that may take as long as whatever hangs it.
      this.#onEnd(life, null)
      void life.end()
    }
    if (this.#life === life && inThread) this.#watchdog.watch(ping, onHang)
  }

  async join(options: JoinOptions): Promise<void> {
    await this.#call({ name: 'join', input: options })
  }

  async leave(player: PlayerRef): Promise<void> {
    this.#watchdog.left(player)
    // A thread that is gone has left every channel.
    if (this.isAlive) await this.#call({ name: 'leave', input: player })
  }

  async play(options: PlayOptions): Promise<void> {
    const playable = this.#watchdog.admit(options.playable)
    this.#watchdog.began(options, options.playable)
    await this.#call({ name: 'play', input: { ...options, playable } })
  }

  async prepare(player: PlayerRef, next: NextTrack | null): Promise<void> {
    const admitted = next && { ...next, playable: this.#watchdog.admit(next.playable) }
    await this.#call({ name: 'prepare', input: { player, next: admitted } })
  }

  async addLayer(player: PlayerRef, layer: LayerRequest): Promise<void> {
    const playable = this.#watchdog.admit(layer.playable)
    await this.#call({ name: 'addLayer', input: { player, layer: { ...layer, playable } } })
  }

  async setLayer(player: PlayerRef, layerId: string, volume: number): Promise<void> {
    await this.#call({ name: 'setLayer', input: { player, layerId, volume } })
  }

  async removeLayer(player: PlayerRef, layerId: string): Promise<void> {
    await this.#call({ name: 'removeLayer', input: { player, layerId } })
  }

  layers(player: PlayerRef): Promise<readonly LayerPosition[]> {
    return this.#call({ name: 'layers', input: player })
  }

  async stop(player: PlayerRef): Promise<void> {
    this.#watchdog.left(player)
    if (this.isAlive) await this.#call({ name: 'stop', input: player })
  }

  async setSound(player: PlayerRef, sound: Sound): Promise<void> {
    await this.#call({ name: 'setSound', input: { player, sound } })
  }

  async seek(player: PlayerRef, positionMs: number): Promise<void> {
    await this.#call({ name: 'seek', input: { player, positionMs } })
  }

  position(player: PlayerRef): Promise<number> {
    return this.#call({ name: 'position', input: player })
  }

  stats(): Promise<NodeStats> {
    return this.#call({ name: 'stats', input: null })
  }

  trace(player: PlayerRef): Promise<Trace | null> {
    return this.#call({ name: 'trace', input: player })
  }

  listen(player: PlayerRef, ear: FrameListener): Promise<() => void> {
    return this.#ears.add(player, ear, (isOpen) => this.#call({ name: 'tap', input: { player, isOpen } }))
  }

  voiceStateUpdate(player: PlayerRef, data: unknown): void {
    this.#life?.post({ kind: 'voiceState', player, data })
  }

  voiceServerUpdate(player: PlayerRef, data: unknown): void {
    this.#life?.post({ kind: 'voiceServer', player, data })
  }

  dropBot(botId: string): void {
    this.#life?.post({ kind: 'dropBot', botId })
  }

  onEvent(listener: (event: AudioEvent) => void): void {
    this.#eventListeners.push(listener)
  }

  onRestarted(listener: () => void): void {
    this.#restartListeners.push(listener)
  }

  async close(): Promise<void> {
    if (this.#isClosing) return
    this.#isClosing = true
    try {
      if (this.isAlive) await this.#call({ name: 'close', input: null })
    } catch (err) {
      this.#log.warn({ err }, 'audio thread did not close by itself')
    }
    await this.end()
  }

  /** Ends the thread without a word to it. */
  async end(): Promise<void> {
    this.#isClosing = true
    this.#watchdog.stop()
    clearTimeout(this.#restartTimer)
    await this.#life?.end()
    this.#life = null
    this.#refuseAll()
  }

  #call<C extends Call>(call: C, withinMs?: number): Promise<Calls[C['name']]['output']>
  #call(call: Call, withinMs = this.#timings.callMs): Promise<Calls[CallName]['output']> {
    const life = this.#life
    if (!life) return Promise.reject(gone())
    const post = (id: number) => life.post({ kind: 'call', id, call } satisfies ToThread)
    return this.#calls.make(post, withinMs) as Promise<Calls[CallName]['output']>
  }

  #receive(message: Exclude<FromThread, HlsQuestion>): void {
    this.#watchdog.heard()
    switch (message.kind) {
      case 'answer':
        this.#calls.settle(message.id)?.resolve(message.value)
        return
      case 'refusal':
        this.#calls.settle(message.id)?.reject(unpackFault(message.fault))
        return
      case 'event':
        for (const listener of this.#eventListeners) this.#hear(listener, message.event)
        return
      case 'sound':
        this.#ears.hear(message.player, message.batch)
        return
      case 'log':
        this.#log[message.level](message.fields, message.text)
    }
  }

  #hear(listener: (event: AudioEvent) => void, event: AudioEvent): void {
    try {
      listener(event)
    } catch (err) {
      this.#log.error({ err, type: event.type }, 'audio event was not handled')
    }
  }

  #onEnd(life: WorkerHandle, err: Error | null): void {
    if (this.#life !== life) return
    this.#life = null
    this.#watchdog.stop()
    this.#refuseAll()
    if (this.#isClosing) return
    const { firstRestartMs, lastRestartMs, healthyMs } = this.#timings
    const livedMs = monotonicNow() - life.startedAtMs
    this.#watchdog.ended(livedMs)
    if (livedMs > healthyMs) this.#failures = 0
    const delayMs = Math.min(lastRestartMs, firstRestartMs * 2 ** this.#failures++)
    this.#log.error({ err, delayMs }, 'audio thread ended')
    this.#restartTimer = setTimeout(() => void this.#restart(), delayMs)
  }

  async #restart(): Promise<void> {
    try {
      await this.start()
    } catch (err) {
      // Its end comes by itself and starts the next one.
      this.#log.error({ err }, 'audio thread did not start')
      await this.#life?.end()
      return
    }
    this.#log.info({}, 'audio thread restarted')
    for (const listener of this.#restartListeners) listener()
  }

  #refuseAll(): void {
    this.#ears.endAll()
    this.#calls.rejectAll(gone())
  }
}

function gone(): Fault {
  const message = 'The audio thread has stopped and is being started again; try again in a moment.'
  return new Fault('service_unavailable', message, { retryAfterMs: 1000 })
}
