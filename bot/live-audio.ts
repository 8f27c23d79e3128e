import { PassThrough, type Readable } from 'node:stream'
import { monotonicNow } from '../lib/clock.ts'
import { OggWriter } from './audio/containers/ogg-writer.ts'
import { FRAME_MS, SILENCE } from './audio/containers/opus.ts'
import type { PlayerParts } from './player/player-parts.ts'

/** A reader that is so far behind has stopped to read: about half a minute. */
const MOST_WAITING_BYTES = 512 * 1024
const LOOK_EVERY_MS = 200
/** Sound comes in fifths of a second. What is later is a pause, which players wait through badly. */
const PATIENCE_MS = 600

/**
 * Streams the sound that a player sends to its channel, as Ogg Opus, while it plays and is read. Contains only the bot's
 * own sound: members of the channel are not recorded. Pauses are silence, so that browsers continue playing.
 */
export async function listenTo({ node, ref }: PlayerParts): Promise<Readable> {
  const ogg = new OggWriter()
  const sound = new PassThrough()
  const startedAtMs = monotonicNow()
  let writtenMs = 0
  sound.write(ogg.head())

  function write(frames: readonly Uint8Array[]): void {
    if (sound.writableEnded || sound.destroyed) return
    if (sound.writableLength > MOST_WAITING_BYTES) return void sound.destroy()
    sound.write(ogg.frames(frames))
    writtenMs += frames.length * FRAME_MS
  }

  const stop = await node.listen(ref, (frames) => (frames ? write(frames) : void sound.end()))
  const timer = setInterval(() => {
    const behindMs = monotonicNow() - startedAtMs - writtenMs
    if (behindMs > PATIENCE_MS) write(Array<Buffer>(Math.floor((behindMs - LOOK_EVERY_MS) / FRAME_MS)).fill(SILENCE))
  }, LOOK_EVERY_MS)
  sound.once('close', () => {
    clearInterval(timer)
    stop()
  })
  return sound
}
