/** The position at which the current track of a restored player resumes, until it is opened. */
interface Returning {
  readonly positionMs: number
  readonly paused: boolean
}

interface Joining {
  readonly at: 'joining'
  readonly channelId: string
  readonly returns?: Returning
}

/** The player is in the channel with nothing to play, or nothing yet. */
interface Idle {
  readonly at: 'idle'
  readonly channelId: string
  readonly sinceMs: number
  readonly returns?: Returning
}

/** A track is being opened; its first frame is not ready yet. */
interface Loading {
  readonly at: 'loading'
  readonly channelId: string
  readonly playId: number
  readonly positionMs: number
  /** Whether the track waits at its first frame instead of playing. */
  readonly paused: boolean
}

interface Playing {
  readonly at: 'playing'
  readonly channelId: string
  readonly playId: number
  /** The position at `measuredAtMs`; it has moved on since. */
  readonly positionMs: number
  readonly measuredAtMs: number
}

interface Paused {
  readonly at: 'paused'
  readonly channelId: string
  readonly playId: number
  readonly positionMs: number
}

/** The state of a player with a working voice connection. */
export type ActivePhase = Idle | Loading | Playing | Paused

/** The state of a player. Only `next` computes a new one. */
export type Phase =
  | Joining
  | ActivePhase
  /** Voice is reconnecting; `after` continues afterwards. Positions stand still meanwhile. */
  | { readonly at: 'restoring'; readonly after: ActivePhase }
  | { readonly at: 'closed'; readonly why: 'idle' | 'disconnected' }

/** An event of a player. Events with a `playId` concern that play only and are ignored when they come late. */
export type PlayerEvent =
  | ({ readonly type: 'returns' } & Returning)
  | { readonly type: 'voiceReady'; readonly channelId: string }
  | { readonly type: 'voiceRestoring' }
  | { readonly type: 'moved'; readonly channelId: string }
  | { readonly type: 'loading'; readonly playId: number; readonly positionMs: number; readonly paused: boolean }
  | { readonly type: 'started'; readonly playId: number }
  | { readonly type: 'measured'; readonly playId: number; readonly positionMs: number }
  | { readonly type: 'paused' }
  | { readonly type: 'resumed' }
  /** The track is over; the one after it is at its beginning, and not opened yet. */
  | { readonly type: 'left' }
  /** Nothing is left to play. */
  | { readonly type: 'emptied' }
  | { readonly type: 'closed'; readonly why: 'idle' | 'disconnected' }

/** Positions arrive every second; without one for longer, the player and its position are stuck. */
const LONGEST_GUESS_MS = 1500

/** The phase after an event; the same object if the event does not matter. A pure function. */
export function next(phase: Phase, happening: PlayerEvent, nowMs: number): Phase {
  if (phase.at === 'closed') return phase
  switch (happening.type) {
    case 'closed':
      return { at: 'closed', why: happening.why }
    case 'returns': {
      const { positionMs, paused } = happening
      return phase.at === 'joining' ? { ...phase, returns: { positionMs, paused } } : phase
    }
    case 'voiceReady':
      return afterVoiceReady(phase, happening.channelId, nowMs)
    case 'voiceRestoring':
      return phase.at === 'joining' || phase.at === 'restoring'
        ? phase
        : { at: 'restoring', after: rebase(phase, nowMs) }
    case 'moved':
      return moveTo(phase, happening.channelId)
    case 'loading':
    case 'started':
    case 'measured':
    case 'paused':
    case 'resumed':
    case 'left':
    case 'emptied':
      return withinVoice(phase, happening, nowMs)
  }
}

/** The position at this moment, guessed onward from the last one measured. A `tempo` of 2 is twice as fast. */
export function positionAt(phase: Phase, nowMs: number, tempo = 1): number {
  if (phase.at === 'restoring') return heldPositionOf(phase.after)
  if (phase.at === 'playing') {
    return phase.positionMs + Math.min(Math.max(nowMs - phase.measuredAtMs, 0), LONGEST_GUESS_MS) * tempo
  }
  return phase.at === 'closed' ? 0 : heldPositionOf(phase)
}

function heldPositionOf(phase: Joining | ActivePhase): number {
  return 'positionMs' in phase ? phase.positionMs : (phase.returns?.positionMs ?? 0)
}

/** The current activity, or the one after voice is restored; null before the first join and after the end. */
function settled(phase: Phase): ActivePhase | null {
  if (phase.at === 'joining' || phase.at === 'closed') return null
  return phase.at === 'restoring' ? phase.after : phase
}

/** The voice channel; null once closed. */
export function channelOf(phase: Phase): string | null {
  if (phase.at === 'closed') return null
  return phase.at === 'restoring' ? phase.after.channelId : phase.channelId
}

export function playOf(phase: Phase): number | null {
  const now = settled(phase)
  return now === null || now.at === 'idle' ? null : now.playId
}

export function isPaused(phase: Phase): boolean {
  const now = phase.at === 'joining' ? phase : settled(phase)
  if (now?.at === 'joining' || now?.at === 'idle') return now.returns?.paused ?? false
  return now?.at === 'paused' || (now?.at === 'loading' && now.paused)
}

type TrackHappening = Extract<
  PlayerEvent,
  { readonly type: 'loading' | 'started' | 'measured' | 'paused' | 'resumed' | 'left' | 'emptied' }
>
type Open = Exclude<Phase, { readonly at: 'closed' }>

function afterVoiceReady(phase: Open, channelId: string, nowMs: number): Phase {
  switch (phase.at) {
    case 'joining':
      return { ...phase, at: 'idle', channelId, sinceMs: nowMs }
    case 'restoring': {
      const back = { ...phase.after, channelId }
      return back.at === 'playing' ? { ...back, measuredAtMs: nowMs } : back
    }
    case 'idle':
    case 'loading':
    case 'playing':
    case 'paused':
      return moveTo(phase, channelId)
  }
}

function moveTo(phase: Open, channelId: string): Phase {
  if (channelOf(phase) === channelId) return phase
  return phase.at === 'restoring' ? { ...phase, after: { ...phase.after, channelId } } : { ...phase, channelId }
}

function withinVoice(phase: Open, happening: TrackHappening, nowMs: number): Phase {
  if (phase.at === 'joining') return phase
  if (phase.at !== 'restoring') return withTrack(phase, happening, nowMs)
  // The track's clock stood still until this moment.
  const before = phase.after.at === 'playing' ? { ...phase.after, measuredAtMs: nowMs } : phase.after
  const after = withTrack(before, happening, nowMs)
  return after === before ? phase : { ...phase, after }
}

/** Applies a track event to a player whose voice works. */
function withTrack(now: ActivePhase, happening: TrackHappening, nowMs: number): ActivePhase {
  const { channelId } = now
  switch (happening.type) {
    case 'loading': {
      const { playId, positionMs, paused } = happening
      return { at: 'loading', channelId, playId, positionMs, paused }
    }
    case 'started': {
      if (now.at !== 'loading' || now.playId !== happening.playId) return now
      const { playId, positionMs } = now
      return now.paused
        ? { at: 'paused', channelId, playId, positionMs }
        : { at: 'playing', channelId, playId, positionMs, measuredAtMs: nowMs }
    }
    case 'measured':
      if ((now.at !== 'playing' && now.at !== 'paused') || now.playId !== happening.playId) return now
      return now.at === 'playing'
        ? { ...now, positionMs: happening.positionMs, measuredAtMs: nowMs }
        : { ...now, positionMs: happening.positionMs }
    case 'paused':
      return pause(now, nowMs)
    case 'resumed':
      if (now.at === 'loading') return now.paused ? { ...now, paused: false } : now
      if (now.at !== 'paused') return now
      return { at: 'playing', channelId, playId: now.playId, positionMs: now.positionMs, measuredAtMs: nowMs }
    case 'left':
      return now.at === 'idle'
        ? noLongerReturning(now)
        : { at: 'loading', channelId, playId: now.playId, positionMs: 0, paused: isPaused(now) }
    case 'emptied':
      return now.at === 'idle' ? noLongerReturning(now) : { at: 'idle', channelId, sinceMs: nowMs }
  }
}

/** Drops the position to resume at: its track is not the current one any more. */
function noLongerReturning(now: Idle): Idle {
  const { returns, ...idle } = now
  return returns ? idle : now
}

function pause(now: ActivePhase, nowMs: number): ActivePhase {
  if (now.at === 'loading') return now.paused ? now : { ...now, paused: true }
  if (now.at !== 'playing') return now
  return { at: 'paused', channelId: now.channelId, playId: now.playId, positionMs: positionAt(now, nowMs) }
}

/** Stores the running position, to freeze it. */
function rebase(now: ActivePhase, nowMs: number): ActivePhase {
  return now.at === 'playing' ? { ...now, positionMs: positionAt(now, nowMs), measuredAtMs: nowMs } : now
}
