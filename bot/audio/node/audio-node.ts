import { Fault } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/log.ts'
import { createQuarantine } from '../../../lib/workers/quarantine.ts'
import { monotonicNow } from '../../../lib/clock.ts'
import { FrameListeners } from '../playback/frame-listeners.ts'
import { Watchdog } from '../watchdog/watchdog.ts'
import { startInline, startWorkerThread, type WorkerHandle } from './audio-thread.ts'
import type { AudioNodeOptions } from './options.ts'
import { TIMINGS, type Timings } from './timings.ts'
import type {
  AudioEvent,
  AudioNode,
  FrameListener,
  LayerRequest,
  NextTrack,
  PlayerRef,
  PlayOptions,
  SharedTime,
} from './protocol.ts'
import {
  PendingCalls,
  unpackFault,
  withRemoteMethods,
  type AudioMethods,
  type FromThread,
  type HlsQuestion,
} from './rpc.ts'

/**
 * Starts an audio thread. Resolves when it answers.
 * @throws {Fault} when it ends or does not answer; nothing of it is left then.
 */
export async function createAudioNode(options: AudioNodeOptions): Promise<AudioNode> {
  const node = new ThreadNode(options)
  try {
    await node.start()
    return withRemoteMethods<ThreadNode, AudioMethods>(node, (name, args) => node.call(name, args))
  } catch (cause) {
    await node.end()
    throw new Fault('service_unavailable', `The audio thread ${options.id} did not start. See the log for the cause.`, {
      cause,
    })
  }
}

/** Starts, watches and replaces the audio thread; calls of its methods go through a proxy. */
class ThreadNode {
  readonly id: string
  readonly isRemote = false
  readonly isLimited = false
  readonly isDraining = false
  readonly playerCount = 0
  readonly #options: AudioNodeOptions
  readonly #timings: Timings
  readonly #log: Logger
  readonly #watchdog: Watchdog
  readonly #calls = new PendingCalls(() => this.#watchdog.isSilent)
  readonly #remote = withRemoteMethods<object, AudioMethods>({}, (name, args) => this.call(name, args))
  readonly #eventListeners: ((event: AudioEvent) => void)[] = []
  readonly #restartListeners: (() => void)[] = []
  readonly #listeners = new FrameListeners()
  #worker: WorkerHandle | null = null
  /** The current worker has answered at least once. */
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
    return this.#worker !== null && this.#hasAnswered
  }

  async start(): Promise<void> {
    const { inThread, sound, decoders, voiceTimings, voiceHosts, readHlsWindow, execArgv } = this.#options
    const { certificates, egress } = this.#options
    const marked = this.#watchdog.begin()
    const worker: WorkerHandle = (inThread ? startWorkerThread : startInline)({
      setup: { certificates, egress, sound, decoders, voice: voiceTimings, voiceHosts, marked },
      execArgv,
      readHlsWindow,
      onMessage: (message) => this.#worker === worker && this.#receive(message),
      onEnd: (error) => this.#onEnd(worker, error),
    })
    this.#worker = worker
    this.#hasAnswered = false
    await this.call('ping', [], this.#timings.startMs)
    this.#hasAnswered = true
    const onHang = () => {
      // Does not wait for the end, which can take as long as the hang.
      this.#onEnd(worker, null)
      void worker.end()
    }
    if (this.#worker === worker && inThread) this.#watchdog.watch(() => this.#remote.ping(), onHang)
  }

  async leave(player: PlayerRef): Promise<void> {
    this.#watchdog.left(player)
    // A thread that is gone has left every channel.
    if (this.isAlive) await this.#remote.leave(player)
  }

  async play(options: PlayOptions): Promise<void> {
    const playable = this.#watchdog.admit(options.playable)
    this.#watchdog.began(options, options.playable)
    await this.#remote.play({ ...options, playable })
  }

  async prepare(player: PlayerRef, next: NextTrack | null): Promise<void> {
    await this.#remote.prepare(player, next && { ...next, playable: this.#watchdog.admit(next.playable) })
  }

  async addLayer(player: PlayerRef, layer: LayerRequest): Promise<void> {
    await this.#remote.addLayer(player, { ...layer, playable: this.#watchdog.admit(layer.playable) })
  }

  async stop(player: PlayerRef): Promise<void> {
    this.#watchdog.left(player)
    if (this.isAlive) await this.#remote.stop(player)
  }

  listen(player: PlayerRef, listener: FrameListener): Promise<() => void> {
    return this.#listeners.add(player, listener, (isOpen) => this.#remote.tee(player, isOpen))
  }

  voiceStateUpdate(player: PlayerRef, data: unknown): void {
    this.#notify('voiceStateUpdate', player, data)
  }

  voiceServerUpdate(player: PlayerRef, data: unknown): void {
    this.#notify('voiceServerUpdate', player, data)
  }

  joinHeld(player: PlayerRef, isHeld: boolean): void {
    this.#notify('joinHeld', player, isHeld)
  }

  dropBot(botId: string): void {
    this.#notify('dropBot', botId)
  }

  holdUntil(untilMs: number, orUntilMs: SharedTime | null): void {
    this.#notify('holdUntil', untilMs, orUntilMs)
  }

  onEvent(listener: (event: AudioEvent) => void): void {
    this.#eventListeners.push(listener)
  }

  onRestarted(listener: () => void): void {
    this.#restartListeners.push(listener)
  }

  /** A thread that ends is back in a moment. */
  onAway(): void {}

  async close(): Promise<void> {
    if (this.#isClosing) return
    this.#isClosing = true
    try {
      if (this.isAlive) await this.#remote.close()
    } catch (err) {
      this.#log.warn({ err }, 'audio thread close timed out')
    }
    await this.end()
  }

  /** Ends the thread without a word to it. */
  async end(): Promise<void> {
    this.#isClosing = true
    this.#watchdog.stop()
    clearTimeout(this.#restartTimer)
    await this.#worker?.end()
    this.#worker = null
    this.#refuseAll()
  }

  /** Asks the thread. @throws {Fault} `service_unavailable` when it is gone or silent. */
  call(name: keyof AudioMethods, args: readonly unknown[], withinMs = this.#timings.callMs): Promise<unknown> {
    const worker = this.#worker
    if (!worker) return Promise.reject(gone())
    return this.#calls.make((id) => worker.post({ kind: 'call', id, name, args }), withinMs)
  }

  /** Calls a method of the thread without waiting for a result. Ignored if the thread is gone. */
  #notify<Name extends keyof AudioMethods>(name: Name, ...args: Parameters<AudioMethods[Name]>): void {
    this.#worker?.post({ kind: 'call', id: null, name, args })
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
        for (const listener of this.#eventListeners) this.#deliver(listener, message.event)
        return
      case 'sound':
        this.#listeners.onBatch(message.player, message.batch)
        return
      case 'log':
        this.#log[message.level](message.fields, message.text)
    }
  }

  #deliver(listener: (event: AudioEvent) => void, event: AudioEvent): void {
    try {
      listener(event)
    } catch (err) {
      this.#log.error({ err, type: event.type }, 'audio event handler failed')
    }
  }

  #onEnd(worker: WorkerHandle, err: Error | null): void {
    if (this.#worker !== worker) return
    this.#worker = null
    this.#watchdog.stop()
    this.#refuseAll()
    if (this.#isClosing) return
    const { firstRestartMs, lastRestartMs, healthyMs } = this.#timings
    const livedMs = monotonicNow() - worker.startedAtMs
    this.#watchdog.ended(livedMs)
    if (livedMs > healthyMs) this.#failures = 0
    const delayMs = Math.min(lastRestartMs, firstRestartMs * 2 ** this.#failures++)
    this.#log.error({ err, delayMs }, 'audio thread exited')
    this.#restartTimer = setTimeout(() => void this.#restart(), delayMs)
  }

  async #restart(): Promise<void> {
    try {
      await this.start()
    } catch (err) {
      // Its end arrives as an event and starts the next one.
      this.#log.error({ err }, 'audio thread failed to start')
      await this.#worker?.end()
      return
    }
    this.#log.info({}, 'audio thread restarted')
    for (const listener of this.#restartListeners) listener()
  }

  #refuseAll(): void {
    this.#listeners.endAll()
    this.#calls.rejectAll(gone())
  }
}

function gone(): Fault {
  const message = 'The audio thread restarts. Try again in a moment.'
  return new Fault('service_unavailable', message, { retryAfterMs: 1000 })
}
