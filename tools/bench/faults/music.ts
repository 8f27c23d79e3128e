import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOggPackets } from '../../../packages/sandbox/test/voice/ogg-reader.ts'

/** Frame numbers of the noise track by the bytes of a packet: noise never repeats itself. */
export type Frames = ReadonlyMap<string, number>

/** Tracks to play, by the query that finds them. */
export const TRACKS = {
  /** Opus, which passes through untouched: anyone who hears it knows where in the track it is. 5 min. */
  noise: 'pink noise',
  /** An mp3 of 10 min, which ffmpeg has to decode and encode. */
  tone: 'long tone',
  /** An mp3 of 2 s. */
  short: 'short tone',
} as const

/** Makes the tracks in a folder. @returns the frames of the noise. */
export function makeLibrary(folder: string): Frames {
  mkdirSync(folder, { recursive: true })
  const path = (name: string) => join(folder, name)
  makeSound('anoisesrc=color=pink:sample_rate=48000:duration=300:seed=1', '-c:a', 'libopus', path('pink-noise.opus'))
  makeSound('sine=frequency=440:sample_rate=48000:duration=600', '-b:a', '64k', path('long-tone.mp3'))
  makeSound('sine=frequency=880:sample_rate=48000:duration=2', path('short-tone.mp3'))
  const packets = readOggPackets(readFileSync(path('pink-noise.opus')))
  return new Map(packets.map(({ bytes }, at) => [bytes.toString('base64'), at]))
}

function makeSound(source: string, ...rest: string[]): void {
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, '-ac', '2', ...rest])
}
