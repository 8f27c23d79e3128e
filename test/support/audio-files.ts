import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

export interface AudioFile {
  readonly seconds?: number
  readonly tags?: Readonly<Record<string, string>>
  /** Output options of ffmpeg, such as `-c:a libopus`. */
  readonly options?: readonly string[]
}

/** Makes an audio file with ffmpeg; its extension says of what kind. Folders are made as needed. */
export function makeAudio(path: string, { seconds = 1, tags = {}, options = [] }: AudioFile = {}): string {
  mkdirSync(dirname(path), { recursive: true })
  const tone = `sine=frequency=440:sample_rate=48000:duration=${seconds}`
  const metadata = Object.entries(tags).flatMap(([name, value]) => ['-metadata', `${name}=${value}`])
  const input = ['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', tone]
  execFileSync('ffmpeg', [...input, '-ac', '2', ...metadata, ...options, path])
  return path
}
