import type { GatewayVoiceServerUpdateDispatchData, GatewayVoiceStateUpdateDispatchData } from 'discord-api-types/v10'
import { Fault, unprocessable } from '../../../lib/errors.ts'
import type { FrameOutlet } from '../playback/track-player-options.ts'
import type { PlayerRef, VoiceLoss } from '../node/protocol.ts'
import { VoiceLink } from './voice-link.ts'
import { backOff, lossOf, MAX_JOINS, reactionTo } from './close-codes.ts'

export const VOICE_TIMINGS = {
  /** One join: both gateway events, the voice socket, IP discovery (which the library never repeats) and the keys. */
  attemptMs: 4000,
  /** All of a first join or a move; callers wait for it. */
  joinMs: 9000,
  /** After a close that may be a move: how long to wait for the new voice server. */
  moveMs: 5000,
  /** Discord takes a broken voice server away and names the next one when it has it. */
  serverGoneMs: 15_000,
  /** Held so long, a connection has recovered, and the next loss counts from zero. */
  stableMs: 10_000,
  /** The longest that a join is held back for Discord's limit: that of 2,500 guilds, which one connection may have. */
  heldMs: 1_800_000,
  /** Before the second join after a loss; each further wait is twice as long. */
  backOffMs: 500,
  /** Lavalink gives a track up that no voice connection took a frame of for this long. */
  cleanupMs: 60_000,
} as const

export type VoiceTimings = { readonly [Name in keyof typeof VOICE_TIMINGS]: number }

/** Discord says nothing at all when a channel is full or closed to us: the second silence is an answer. */
const MAX_SILENT_JOINS = 2

export interface VoiceEvents {
  /** For the main gateway. */
  payload(payload: unknown): void
  ready(channelId: string): void
  restoring(closeCode: number | null): void
  /** Not after a join that failed: that one throws. */
  lost(loss: VoiceLoss): void
  privacyCode(code: string | null): void
  error(error: unknown): void
}

interface Waiter {
  readonly channelId: string
  readonly resolve: () => void
  readonly reject: (fault: Fault) => void
}

/** A player's voice from joining to giving up; what is done about each loss stands in voice-policy.ts. */
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
  #waiters: Waiter[] = []

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
    // With the first frame, what closed the connection before is over.
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
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiters.push({ channelId, resolve, reject })
    const deadline = setTimeout(() => this.#onSilence(), this.#timings.joinMs)
    this.#channelId = channelId
    this.#joins = 0
    this.#ask()
    try {
      await promise
    } finally {
      clearTimeout(deadline)
    }
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
    return new VoiceLink(
      { ...this.#player, channelId },
      {
        payload: (payload) => this.#events.payload(payload),
        ready: () => this.#onReady(),
        connecting: (closeCode) => this.#onConnecting(closeCode),
        closed: (closeCode) => this.#onClosed(closeCode),
        serverGone: () => this.#onServerGone(),
        privacyCode: (code) => this.#events.privacyCode(code),
        error: (error) => this.#events.error(error),
      },
    )
  }

  #onReady(): void {
    // What a caller asked for is no reaction to a loss, and counts as none.
    if (!this.#wasReady || this.#waiters.length > 0) this.#joins = 0
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
    const served = this.#waiters.filter((waiter) => waiter.channelId === channelId)
    this.#waiters = this.#waiters.filter((waiter) => waiter.channelId !== channelId)
    for (const { resolve } of served) resolve()
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
    if (this.#phase === 'ready') this.#restore(null)
    this.#arm(this.#timings.serverGoneMs, () => this.#joinAgain(null))
  }

  #onSilence(): void {
    const isMove = this.#phase === 'ready' && this.#waiters.length > 0
    if (!isMove && this.#joins < this.#joinLimit(null)) return this.#joinAgain(this.#closeCode)
    if (!isMove) return this.#lose({ why: 'unreachable', closeCode: this.#closeCode }, true)
    clearTimeout(this.#timer)
    this.#channelId = this.#link?.channelId ?? null
    this.#link?.stay()
    this.#refuse(silence())
  }

  #joinAgain(closeCode: number | null): void {
    if (this.#joins >= this.#joinLimit(closeCode)) return this.#lose({ why: lossOf(closeCode), closeCode }, true)
    const joins = this.#wasReady ? this.#joins : this.#joins - 1
    this.#arm(backOff(joins, this.#timings.backOffMs), () => this.#ask())
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
    this.#refuse(fault)
  }

  #refuse(fault: Fault): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const { reject } of waiters) reject(fault)
  }

  #arm(afterMs: number, run: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(run, afterMs)
  }
}

function silence(): Fault {
  const why = 'The bot could not join this voice channel. It may be full, or the bot lacks the permission to connect.'
  return unprocessable('channel_not_joinable', why)
}

function refusal({ why, closeCode }: VoiceLoss): Fault {
  if (closeCode === null && why === 'unreachable') return silence()
  if (why === 'kicked')
    return unprocessable('channel_not_joinable', 'Discord removed the bot from this voice channel at once.')
  const code = closeCode === null ? '' : ` (close code ${closeCode})`
  return new Fault('service_unavailable', `Discord's voice server refused the bot${code}. Try again later.`)
}
