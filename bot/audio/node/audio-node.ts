import { Fault } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/log.ts'
import { createQuarantine } from '../../../lib/workers/quarantine.ts'
import { monotonicNow } from '../../../lib/clock.ts'
import { FrameListeners } from '../playback/frame-listeners.ts'
import { IdleThread } from '../watchdog/sleep.ts'
import { Watchdog } from '../watchdog/watchdog.ts'
import { startInline, startWorkerThread, type WorkerHandle } from './audio-thread.ts'
import { EventListeners } from './event-listeners.ts'
import type { AudioNodeOptions } from './options.ts'
import { TIMINGS, type Timings } from './timings.ts'
import type {
  AudioEvent,
  AudioNode,
  FrameListener,
  LayerRequest,
  NextTrack,
  NodeStats,
  PlayerRef,
  PlayOptions,
  SharedTime,
} from './protocol.ts'
import {
  gone,
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
    throw new Fault('service_unavailable', `The audio thread ${options.id} didn't start. See the log for the cause.`, {
      cause,
    })
  }
}

/** Starts, watches and replaces the audio thread, which sleeps without players; calls go through a proxy. */
class ThreadNode {
  readonly id: string
  readonly isRemote = false
  readonly isDraining = false
  readonly playerCount = 0
  readonly #options: AudioNodeOptions
  readonly #timings: Timings
  readonly #log: Logger
  readonly #watchdog: Watchdog
  readonly #calls = new PendingCalls(() => this.#watchdog.isSilent)
  readonly #remote = withRemoteMethods<object, AudioMethods>({}, (name, args) => this.call(name, args))
  readonly #events: EventListeners
  readonly #restartListeners: (() => void)[] = []
  readonly #listeners = new FrameListeners()
  readonly #sleep: IdleThread
  #worker: WorkerHandle | null = null
  #hasAnswered = false
  /** Last thread that went to sleep: it still reports when it has closed. */
  #retired: WorkerHandle | null = null
  #hold: Parameters<AudioMethods['holdUntil']> | null = null
  #failures = 0
  #isClosing = false
  #restartTimer: NodeJS.Timeout | undefined

  constructor(options: AudioNodeOptions) {
    this.id = options.id
    this.#options = options
    this.#timings = { ...TIMINGS, ...options.timings }
    this.#log = options.log.child({ nodeId: options.id })
    this.#events = new EventListeners(this.#log)
    const { quarantine = createQuarantine() } = options
    this.#watchdog = new Watchdog({ timings: this.#timings, log: this.#log, quarantine })
    const idleMs = options.inThread ? options.idleMs : undefined
    this.#sleep = new IdleThread({ idleMs, stats: () => this.stats(), start: () => this.#startAgain() })
  }

  get isAlive(): boolean {
    return this.#sleep.isAsleep || this.#sleep.waking !== null || (this.#worker !== null && this.#hasAnswered)
  }

  get isAsleep(): boolean {
    return this.#sleep.isAsleep
  }

  async start(): Promise<void> {
    const { inThread, sound, decoders, voiceTimings, voiceHosts, readHlsWindow, execArgv } = this.#options
    const { certificates, egress } = this.#options
    const marked = this.#watchdog.begin()
    const worker: WorkerHandle = (inThread ? startWorkerThread : startInline)({
      setup: { certificates, egress, sound, decoders, voice: voiceTimings, voiceHosts, marked },
      execArgv,
      readHlsWindow,
      onMessage: (message) => (this.#worker === worker || this.#retired === worker) && this.#receive(message),
      onEnd: (error) => this.#onEnd(worker, error),
    })
    this.#worker = worker
    this.#hasAnswered = false
    if (this.#hold) this.#notify('holdUntil', ...this.#hold)
    await this.#ask('ping', [], this.#timings.startMs)
    this.#hasAnswered = true
    const onHang = () => {
      // Does not wait for the end, which can take as long as the hang.
      this.#onEnd(worker, null)
      void worker.end()
    }
    if (this.#worker !== worker || !inThread) return
    this.#watchdog.watch(() => this.#remote.ping(), onHang)
    this.#sleep.watch((last) => this.#retire(worker, last))
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

  stats(): Promise<NodeStats> {
    return this.#sleep.statsWith(() => this.#remote.stats())
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
    this.#hold = [untilMs, orUntilMs]
    this.#notify('holdUntil', untilMs, orUntilMs)
  }

  onEvent(listener: (event: AudioEvent) => void): void {
    this.#events.add(listener)
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
      if (this.#worker && this.#hasAnswered) await this.#remote.close()
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
    await Promise.all([this.#worker?.end(), this.#sleep.close()])
    this.#worker = null
    this.#refuseAll()
  }

  /** Asks the thread, which is started for it if it sleeps. @throws {Fault} `service_unavailable` when it is gone or silent. */
  async call(name: keyof AudioMethods, args: readonly unknown[]): Promise<unknown> {
    if (this.#sleep.answers(name)) return this.#sleep.answerOf(name)
    const waking = this.#sleep.wakeFor(name)
    if (waking) await waking
    return this.#ask(name, args)
  }

  #ask(name: keyof AudioMethods, args: readonly unknown[], withinMs = this.#timings.callMs): Promise<unknown> {
    const worker = this.#worker
    if (!worker) return Promise.reject(gone())
    return this.#calls.make((id) => worker.post({ kind: 'call', id, name, args }), withinMs)
  }

  /** Calls a method of the thread without waiting for a result. Ignored if the thread is gone. */
  #notify<Name extends keyof AudioMethods>(name: Name, ...args: Parameters<AudioMethods[Name]>): void {
    this.#worker?.post({ kind: 'call', id: null, name, args })
  }

  #retire(worker: WorkerHandle, last: NodeStats): void {
    if (this.#worker !== worker || this.#isClosing) return
    this.#watchdog.stop()
    this.#worker = null
    this.#retired = worker
    this.#log.info({}, 'audio thread asleep until the next player')
    const close = (id: number) => worker.post({ kind: 'call', id, name: 'close', args: [] })
    const closed = this.#calls.make(close, this.#timings.callMs)
    this.#sleep.begin(
      last,
      closed.catch(() => undefined).then(() => worker.end()),
    )
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
      case 'events':
        for (const event of message.events) this.#events.tell(event)
        return
      case 'sound':
        this.#listeners.onBatch(message.player, message.batch)
        return
      case 'log':
        this.#log[message.level](message.fields, message.text)
    }
  }

  #onEnd(worker: WorkerHandle, err: Error | null): void {
    if (this.#worker !== worker) return
    this.#worker = null
    this.#watchdog.stop()
    this.#sleep.stop()
    this.#refuseAll()
    if (this.#isClosing) return
    const { firstRestartMs, lastRestartMs, healthyMs } = this.#timings
    const livedMs = monotonicNow() - worker.startedAtMs
    this.#watchdog.ended(livedMs)
    if (livedMs > healthyMs) this.#failures = 0
    const delayMs = Math.min(lastRestartMs, firstRestartMs * 2 ** this.#failures++)
    this.#log.error({ err, delayMs }, 'audio thread exited')
    const restart = () => this.#startAgain().then(() => this.#restarted())
    this.#restartTimer = setTimeout(() => void restart().catch(() => undefined), delayMs)
  }

  /** @throws {Fault} when it does not answer: then it is ended, and its end starts the next one. */
  async #startAgain(): Promise<void> {
    try {
      await this.start()
    } catch (err) {
      if (!this.#isClosing) this.#log.error({ err }, 'audio thread failed to start')
      await this.#worker?.end()
      throw gone()
    }
  }

  #restarted(): void {
    this.#log.info({}, 'audio thread restarted')
    for (const listener of this.#restartListeners) listener()
  }

  #refuseAll(): void {
    this.#listeners.endAll()
    this.#calls.rejectAll(gone())
  }
}
