import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chord, stairs, stereo, tone, wave, type Shape } from '../sound/wave.ts'

/** 2 s of 440 Hz as MP3 frames of a constant size without a reservoir, which can be repeated without end. */
export const MP3_BYTES_PER_SECOND = 8_000

const SHAPES: Readonly<Record<string, Shape>> = { stereo, chord, stairs }
const CACHED = 12

export type Library = ReturnType<typeof openLibrary>

/** The files that checks play, made when they are asked for. */
export function openLibrary(folder = import.meta.dirname) {
  const waves = new Map<string, Buffer>()
  let mp3: Buffer | undefined
  return {
    mp3: (): Buffer => (mp3 ??= readFileSync(join(folder, 'tone.mp3'))),
    /** Seconds of `tone-440`, `stairs` and the like. */
    wave(name: string, seconds: number): Buffer | null {
      const [, hz] = /^tone-(\d{2,5})$/.exec(name) ?? []
      const shape = hz === undefined ? SHAPES[name] : tone(Number(hz))
      if (!shape) return null
      const key = `${name}/${seconds}`
      const made = waves.get(key) ?? wave(shape, seconds)
      waves.delete(key)
      waves.set(key, made)
      const [oldest] = waves.keys()
      if (waves.size > CACHED && oldest !== undefined) waves.delete(oldest)
      return made
    },
  }
}
