import { createDecoder } from 'libopus-wasm'
import type { Sandbox } from 'bandstand-sandbox'
import { connectMember } from 'bandstand-sandbox/voice'
import { enterVoice, getGuild, removeFromVoice } from 'bandstand-sandbox/world'

const RATE = 48_000
const FRAMES_KEPT = 25
/** Levels below this are codec noise in silence. */
const QUIET = 0.003

/** Sound that a member hears at the moment, decrypted and decoded. */
interface Sound {
  /** Frequency of a pure tone; 0 in silence. */
  readonly hz: number
  /** Root mean square; a full-scale sine has 0.7. */
  readonly loudness: number
  /** Duration of the sound: less than half a second right after it began. */
  readonly ms: number
}

export interface Ear {
  /** The last half second of what came within it. */
  sound(): Sound
  /** Number of frames with sound so far, and the longest time between two since `reset`. */
  readonly frames: number
  longestGapMs(): number
  reset(): void
  /** Counters of the voice client, for an error. */
  report(): object
  /** Whether what comes is encrypted end to end. */
  readonly isEncrypted: boolean
  leave(): void
}

/** A member of the demo guild with a voice client of their own. */
export async function listenIn(sandbox: Sandbox, userId: string, channelId: string): Promise<Ear> {
  const guild = getGuild(sandbox.world, sandbox.demo.guildId)
  const seat = enterVoice(sandbox.world, guild, { userId, channelId, sessionId: `ear-${userId}` })
  if (!seat) throw new Error('The member was not let in.')
  const { token, sessionId } = seat
  const { endpoint } = sandbox.voice
  const certificate = sandbox.certificate
  const member = await connectMember({ endpoint, certificate, token, sessionId, userId, guildId: guild.id, channelId })
  const decoder = await createDecoder({ sampleRate: RATE, channels: 2 })
  let recent: { readonly atMs: number; readonly left: Float32Array }[] = []
  let [frames, longest, lastMs, isEncrypted] = [0, 0, 0, false]
  member.onOpus((_, opus, info) => {
    // Silence, which players send at the end of sound, is no sound.
    if (opus.length <= 3) return
    const nowMs = performance.now()
    if (lastMs > 0) longest = Math.max(longest, nowMs - lastMs)
    lastMs = nowMs
    frames++
    isEncrypted = info.encrypted
    const values = decoder.decodeFloat(opus)
    recent = [...recent.slice(1 - FRAMES_KEPT), { atMs: nowMs, left: values.filter((_value, i) => i % 2 === 0) }]
  })
  return {
    sound() {
      const since = performance.now() - 500
      return analyse(recent.filter(({ atMs }) => atMs > since).map(({ left }) => left))
    },
    get frames() {
      return frames
    },
    longestGapMs: () => longest,
    reset() {
      longest = 0
      lastMs = 0
      recent = []
    },
    report: () => ({ ...member.report, failures: member.report.failures.slice(-2) }),
    get isEncrypted() {
      return isEncrypted
    },
    leave() {
      member.close()
      decoder.free()
      removeFromVoice(sandbox.world, guild, userId, null)
    },
  }
}

function analyse(parts: readonly Float32Array[]): Sound {
  const samples = parts.flatMap((part) => [...part])
  const loudness = Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / Math.max(1, samples.length))
  const ms = (samples.length / RATE) * 1000
  if (loudness < QUIET) return { hz: 0, loudness, ms }
  let crossings = 0
  for (let i = 1; i < samples.length; i++) if (samples[i - 1]! < 0 && samples[i]! >= 0) crossings++
  return { hz: (crossings * 1000) / ms, loudness, ms }
}
