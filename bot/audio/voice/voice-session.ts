import type { GatewayVoiceServerUpdateDispatchData, GatewayVoiceStateUpdateDispatchData } from 'discord-api-types/v10'
import { Fault } from '../../../lib/errors.ts'
import type { FrameOutlet } from '../playback/track-player-options.ts'
import type { PlayerRef, VoiceLoss } from '../node/protocol.ts'
import { VoiceLink } from './voice-link.ts'
import { backOff, lossOf, MAX_JOINS, reactionTo, refusal, silence } from './close-codes.ts'
import { VOICE_TIMINGS, type VoiceTimings } from './voice-timings.ts'

/** Discord says nothing at all when a channel is full or closed to us: the second silence is an answer. */
const MAX_SILENT_JOINS = 2

interface VoiceEvents {
  /** Sends a payload to the main gateway. */
  payload(payload: unknown): void
  ready(channelId: string): void
  restoring(closeCode: number | null): void
  /** Not after a join that failed: that one throws. */
  lost(loss: VoiceLoss): void
  privacyCode(code: string | null): void
  error(error: unknown): void
}

/** A player's voice from joining to giving up; what is done about each loss stands in close-codes.ts. */
export class Voice implements FrameOutlet {
  readonly #player: PlayerRef
  readonly #events: VoiceEvents
  readonly #timings: VoiceTimings
  readonly #isHeld: () => boolean
  #phase: 'closed' | 'joining' | 'ready' | 'restoring' = 'closed'
  #link: VoiceLink | null = null
  #channelId: string | null = null
  /** Joins and resumes since the connection was last stable. */
  #joins = 0
  #resumes = 0
  #wasReady = false
  #closeCode: number | null = null
  #timer: NodeJS.Timeout | undefined
  #stableTimer: NodeJS.Timeout | undefined
  readonly #waiters = new JoinWaiters()

  /** @param isHeld whether this service may speak for the bot now: another may have taken over while it was stopped. */
  constructor(
    player: PlayerRef,
    events: VoiceEvents,
    { timings = {}, isHeld = () => true }: { timings?: Partial<VoiceTimings>; isHeld?: () => boolean } = {},
  ) {
    this.#isHeld = isHeld
    this.#timings = { ...VOICE_TIMINGS, ...timings }
    this.#player = player
    this.#events = events
  }

  get isSendable(): boolean {
    return this.#phase === 'ready' && this.#link !== null && this.#link.isSendable && this.#isHeld()
  }

  get isConnected(): boolean {
    return this.#link?.isOpen ?? false
  }

  get pingMs(): number | null {
    return this.#link?.pingMs ?? null
  }

  get blockedBy(): string {
    const code = this.#closeCode === null ? '' : ` (close code ${this.#closeCode})`
    if (this.#phase !== 'ready') return `the voice connection was reconnecting${code}`
    const keys = 'the end-to-end encryption was exchanging keys'
    return code ? `${keys} after a reconnect of the voice connection${code}` : keys
  }

  send(frame: Buffer): void {
    if (!this.#isHeld()) return
    // The first frame clears the close code of the previous connection.
    this.#closeCode = null
    this.#link?.send(frame)
  }

  stopSpeaking(): void {
    this.#link?.stopSpeaking()
  }

  /** Whether the join that was asked for waits to be sent, as many do after a loss that met many players. */
  holdJoin(isHeld: boolean): void {
    if (this.#phase !== 'closed') this.#arm(this.#timings[isHeld ? 'heldMs' : 'attemptMs'], () => this.#onSilence())
  }

  /** Resolves when frames can be sent there. */
  async join(channelId: string): Promise<void> {
    if (this.#phase === 'ready' && this.#link?.channelId === channelId) return
    const joined = this.#waiters.add(channelId, this.#timings.joinMs, () => this.#onSilence())
    this.#channelId = channelId
    this.#joins = 0
    this.#ask()
    await joined
  }

  onStateUpdate(data: GatewayVoiceStateUpdateDispatchData): void {
    const link = this.#link
    if (!link) return
    // The farewell of an earlier stay may arrive after we asked to come back.
    const isStale = data.channel_id === null && link.channelId === null
    if (isStale) return
    if (data.channel_id === null) return this.#lose({ why: 'kicked', closeCode: this.#closeCode }, false)
    this.#channelId = data.channel_id
    link.onStateUpdate(data)
    if (this.#phase === 'ready') this.#settle()
  }

  onServerUpdate(data: GatewayVoiceServerUpdateDispatchData): void {
    this.#link?.onServerUpdate(data)
  }

  leave(): void {
    this.#close({ leave: true, fault: new Fault('conflict', 'The player closed while joining.') })
  }

  /** The main gateway is gone: voice state can be neither read nor changed. */
  drop(): void {
    if (this.#phase !== 'closed') this.#lose({ why: 'unreachable', closeCode: null }, false)
  }

  /** Sends one join request and watches that it leads somewhere. */
  #ask(): void {
    if (this.#channelId === null) return
    this.#joins++
    if (this.#phase === 'closed') this.#phase = 'joining'
    this.#arm(this.#timings.attemptMs, () => this.#onSilence())
    if (this.#link) this.#link.join(this.#channelId)
    else this.#link = this.#connect(this.#channelId)
  }

  #connect(channelId: string): VoiceLink {
    // A link that was replaced may still report.
    const current = (run: () => void) => this.#link === link && run()
    const link: VoiceLink = new VoiceLink(
      { ...this.#player, channelId },
      {
        payload: (payload) => this.#events.payload(payload),
        ready: () => void current(() => this.#onReady()),
        connecting: (closeCode) => void current(() => this.#onConnecting(closeCode)),
        closed: (closeCode) => void current(() => this.#onClosed(closeCode)),
        serverGone: () => void current(() => this.#onServerGone()),
        privacyCode: (code) => void current(() => this.#events.privacyCode(code)),
        error: (error) => this.#events.error(error),
      },
    )
    return link
  }

  #onReady(): void {
    // Joins requested by a caller do not count as reactions to a loss.
    if (!this.#wasReady || !this.#waiters.isEmpty) this.#joins = 0
    this.#phase = 'ready'
    this.#wasReady = true
    clearTimeout(this.#timer)
    clearTimeout(this.#stableTimer)
    this.#stableTimer = setTimeout(() => {
      this.#joins = 0
      this.#resumes = 0
    }, this.#timings.stableMs)
    this.#settle()
  }

  /** Answers those who wait for the channel we are in. */
  #settle(): void {
    const channelId = this.#link?.channelId
    if (!channelId) return
    this.#events.ready(channelId)
    this.#waiters.serve(channelId)
  }

  #onConnecting(closeCode: number | null): void {
    if (this.#phase === 'ready') this.#restore(closeCode)
    if (this.#phase !== 'restoring') return
    // A server that lets us resume and hangs up again, over and over, needs a new session.
    if (closeCode !== null && ++this.#resumes > MAX_JOINS) this.#joinAgain(closeCode)
    else this.#arm(this.#timings.attemptMs, () => this.#onSilence())
  }

  #onClosed(closeCode: number): void {
    if (this.#phase === 'closed') return
    if (this.#phase === 'ready') this.#restore(closeCode)
    this.#closeCode = closeCode
    const reaction = reactionTo(closeCode)
    if (reaction.act === 'rejoin') this.#joinAgain(closeCode)
    else if (reaction.act === 'end') this.#lose({ why: lossOf(closeCode), closeCode }, true)
    else this.#arm(this.#timings.moveMs, () => this.#lose({ why: lossOf(closeCode), closeCode }, true))
  }

  #onServerGone(): void {
    if (this.#phase === 'closed') return
    if (this.#phase === 'ready') this.#restore(null)
    this.#arm(this.#timings.serverGoneMs, () => this.#joinAgain(null))
  }

  #onSilence(): void {
    const isMove = this.#phase === 'ready' && !this.#waiters.isEmpty
    if (!isMove && this.#joins < this.#joinLimit(null)) return this.#joinAgain(this.#closeCode)
    if (!isMove) return this.#lose({ why: 'unreachable', closeCode: this.#closeCode }, true)
    clearTimeout(this.#timer)
    this.#channelId = this.#link?.channelId ?? null
    this.#link?.stay()
    this.#waiters.refuse(silence())
  }

  #joinAgain(closeCode: number | null): void {
    if (this.#joins >= this.#joinLimit(closeCode)) return this.#lose({ why: lossOf(closeCode), closeCode }, true)
    this.#arm(backOff(this.#wasReady ? this.#joins : this.#joins - 1, this.#timings.backOffMs), () => this.#ask())
  }

  /** The very first join is no reaction to a loss, so that it does not use up the only one there may be. */
  #joinLimit(closeCode: number | null): number {
    if (closeCode === null && !this.#wasReady) return MAX_SILENT_JOINS
    const reaction = reactionTo(closeCode)
    const joins = reaction.act === 'rejoin' ? reaction.joins : 0
    return Math.min(MAX_JOINS, this.#wasReady ? joins : joins + 1)
  }

  #restore(closeCode: number | null): void {
    this.#phase = 'restoring'
    this.#closeCode = closeCode
    clearTimeout(this.#stableTimer)
    this.#events.restoring(closeCode)
  }

  #lose(loss: VoiceLoss, leave: boolean): void {
    const wasReady = this.#wasReady
    this.#close({ leave, fault: refusal(loss) })
    if (wasReady) this.#events.lost(loss)
  }

  #close({ leave, fault }: { leave: boolean; fault: Fault }): void {
    this.#phase = 'closed'
    this.#wasReady = false
    this.#joins = 0
    this.#resumes = 0
    this.#closeCode = null
    clearTimeout(this.#timer)
    clearTimeout(this.#stableTimer)
    this.#link?.destroy(leave)
    this.#link = null
    this.#waiters.refuse(fault)
  }

  #arm(afterMs: number, run: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(run, afterMs)
  }
}

interface Waiter {
  readonly channelId: string
  readonly resolve: () => void
  readonly reject: (fault: Fault) => void
}

/** Callers that wait until frames can be sent to a channel. */
class JoinWaiters {
  #waiting: readonly Waiter[] = []

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** Resolves with `serve`, rejects with `refuse`. @param onLate is called once where neither came in `withinMs`. */
  async add(channelId: string, withinMs: number, onLate: () => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting = [...this.#waiting, { channelId, resolve, reject }]
    const deadline = setTimeout(onLate, withinMs)
    try {
      await promise
    } finally {
      clearTimeout(deadline)
    }
  }

  serve(channelId: string): void {
    const served = this.#waiting.filter((waiter) => waiter.channelId === channelId)
    this.#waiting = this.#waiting.filter((waiter) => waiter.channelId !== channelId)
    for (const { resolve } of served) resolve()
  }

  refuse(fault: Fault): void {
    const refused = this.#waiting
    this.#waiting = []
    for (const { reject } of refused) reject(fault)
  }
}
