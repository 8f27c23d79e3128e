import { readFileSync } from 'node:fs'
import { createDecoder } from 'libopus-wasm'
import type { Sandbox } from 'bandstand-sandbox'
import { connectMember, type MemberVoice } from 'bandstand-sandbox/voice'
import { enterVoice, type Guild } from 'bandstand-sandbox/world'
import { readOggPackets } from '../../packages/sandbox/test/voice/ogg-reader.ts'
import { eventually } from './service.ts'

/** A frame of the track that a member received, and its time. */
export interface Heard {
  readonly frame: number
  readonly atMs: number
}

export interface Listener {
  readonly member: MemberVoice
  readonly heard: readonly Heard[]
}

/** The frames of an Ogg file by what is in them; no two may be the same. */
export type Frames = ReadonlyMap<string, number>

export function framesOf(path: string): Frames {
  return new Map(readOggPackets(readFileSync(path)).map(({ bytes }, at) => [bytes.toString('base64'), at]))
}

export interface Seat {
  readonly sandbox: Sandbox
  readonly guild: Guild
  readonly userId: string
  readonly channelId: string
  readonly frames: Frames
}

/** Lets a member sit in a channel with a voice client of their own. */
export async function sitIn({ sandbox, guild, userId, channelId }: Omit<Seat, 'frames'>): Promise<MemberVoice> {
  const voice = enterVoice(sandbox.world, guild, { userId, channelId, sessionId: `session-${userId}` })
  if (!voice) throw new Error('The member was not let in.')
  const { token, sessionId } = voice
  const { endpoint } = sandbox.voice
  const { certificate } = sandbox
  const place = { userId, guildId: guild.id, channelId }
  return connectMember({ endpoint, certificate, token, sessionId, ...place })
}

/** Joins like `sitIn`, and records the received frames. */
export async function listenFrom({ frames, ...seat }: Seat): Promise<Listener> {
  const member = await sitIn(seat)
  const heard: Heard[] = []
  member.onOpus((_, opus) => {
    const frame = frames.get(opus.toString('base64'))
    if (frame !== undefined) heard.push({ frame, atMs: performance.now() })
  })
  return { member, heard }
}

/** Resolves when so many frames of the track were heard. */
export async function hear(heard: readonly Heard[], count: number): Promise<void> {
  await eventually(
    () => heard.length,
    (length) => length >= count,
  )
}

export interface Silence {
  readonly lengthMs: number
  /** Distance in the track between the frames around the silence; negative after a jump back. */
  readonly skippedMs: number
}

const FRAME_MS = 20

/** Since then, with the last one before. */
function heardSince(heard: readonly Heard[], sinceMs: number): readonly Heard[] {
  return heard.slice(
    Math.max(
      0,
      heard.findLastIndex(({ atMs }) => atMs < sinceMs),
    ),
  )
}

/** The longest time without a frame since then, up to the last frame. */
export function longestSilence(heard: readonly Heard[], sinceMs: number): Silence {
  const all = heardSince(heard, sinceMs)
  const silences = all.slice(1).map((next, at) => {
    const before = all[at] ?? next
    return { lengthMs: next.atMs - before.atMs, skippedMs: (next.frame - before.frame) * FRAME_MS }
  })
  return silences.toSorted((a, b) => b.lengthMs - a.lengthMs)[0] ?? { lengthMs: Infinity, skippedMs: 0 }
}

/** Counts the jumps back in the track: two voices at a time would cause them all the time. */
export function countRewinds(heard: readonly Heard[], sinceMs: number): number {
  const all = heardSince(heard, sinceMs)
  return all.slice(1).filter((next, at) => next.frame < (all[at]?.frame ?? 0)).length
}

/** The loudness of each frame that a member hears from now on: root mean squares, the latest last. */
export async function measureLoudness(member: MemberVoice): Promise<{ levels: number[]; close(): void }> {
  const decoder = await createDecoder({ sampleRate: 48_000, channels: 2 })
  const levels: number[] = []
  const stop = member.onOpus((_, opus) => {
    const values = decoder.decodeFloat(opus)
    levels.push(Math.sqrt(values.reduce((sum, one) => sum + one * one, 0) / values.length))
  })
  return {
    levels,
    close() {
      stop()
      decoder.free()
    },
  }
}
