import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { ffmpegOnce } from './made-once.ts'

export interface AudioFile {
  readonly seconds?: number
  readonly tags?: Readonly<Record<string, string>>
  /** The beginnings of its chapters, in seconds, by title. */
  readonly chapters?: Readonly<Record<string, number>>
  /** Output options of ffmpeg, such as `-c:a libopus`. */
  readonly options?: readonly string[]
}

/** Makes an audio file with ffmpeg; its extension says of what kind. Folders are made as needed. */
export function makeAudio(path: string, { seconds = 1, tags = {}, chapters, options = [] }: AudioFile = {}): string {
  mkdirSync(dirname(path), { recursive: true })
  const tone = `sine=frequency=440:sample_rate=48000:duration=${seconds}`
  const metadata = Object.entries(tags).flatMap(([name, value]) => ['-metadata', `${name}=${value}`])
  const input = ['-f', 'lavfi', '-i', tone]
  const marks = chapters ? ['-f', 'ffmetadata', '-i', 'pipe:0', '-map_chapters', '1'] : []
  const text = chapters ? ffmetadataOf(chapters, seconds) : ''
  ffmpegOnce([...input, ...marks, '-map', '0:a', '-ac', '2', ...metadata, ...options], path, text)
  return path
}

function ffmetadataOf(chapters: Readonly<Record<string, number>>, seconds: number): string {
  const all = Object.entries(chapters)
  const blocks = all.map(([title, start], index) => {
    const end = all[index + 1]?.[1] ?? seconds
    return `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start * 1000}\nEND=${end * 1000}\ntitle=${title}\n`
  })
  return `;FFMETADATA1\n${blocks.join('')}`
}
