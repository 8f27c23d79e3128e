import { parseFromTokenizer, type IAudioMetadata } from 'music-metadata'
import { boundChapters, type FoundChapter } from '../../tracks/chapters.ts'
import { BytesTokenizer, type RandomAccessBytes } from '../http/random-access.ts'
import type { Sniffed } from '../http/sniff.ts'
import { readMatroskaChapters } from './matroska-chapters.ts'

type Audio = Extract<Sniffed, { kind: 'audio' }>

/**
 * The chapters that a file holds: Nero's and QuickTime's of MP4, those of Matroska, of ID3, and of Vorbis comments.
 * Empty if it has none, or where they cannot be read. Takes as long as its tags are long: for the reader's thread.
 */
export async function readFileChapters(bytes: RandomAccessBytes, found: Audio): Promise<readonly FoundChapter[]> {
  try {
    const isMatroska = found.probe === 'matroska/webm'
    return boundChapters(isMatroska ? await readMatroskaChapters(bytes) : await readTags(bytes, found.mimeType))
  } catch {
    return []
  }
}

async function readTags(bytes: RandomAccessBytes, mimeType: string): Promise<readonly FoundChapter[]> {
  const tokenizer = new BytesTokenizer(bytes, mimeType)
  try {
    const metadata = await parseFromTokenizer(tokenizer, { skipCovers: true, duration: false, includeChapters: true })
    return markedOf(metadata) ?? commentsOf(metadata)
  } finally {
    await tokenizer.close()
  }
}

function markedOf({ format }: IAudioMetadata): readonly FoundChapter[] | null {
  if (!format.chapters) return null
  return format.chapters.map(({ title, start, timeScale }) => ({ title, startMs: (start / (timeScale ?? 1)) * 1000 }))
}

/** `CHAPTER001=00:01:02.345` and `CHAPTER001NAME=Title`, as Ogg and FLAC files have them. */
function commentsOf({ native }: IAudioMetadata): readonly FoundChapter[] {
  const starts = new Map<string, number>()
  const titles = new Map<string, string>()
  for (const { id, value } of native['vorbis'] ?? []) {
    const [, number = '', name] = /^CHAPTER(\d{2,4})(NAME)?$/i.exec(id) ?? []
    if (number === '' || typeof value !== 'string') continue
    if (name) titles.set(number, value)
    else starts.set(number, toMs(value))
  }
  return [...starts].map(([number, startMs]) => ({ title: titles.get(number) ?? '', startMs }))
}

function toMs(text: string): number {
  const [, hours = '', minutes = '', seconds = ''] =
    /^(\d{1,3}):(\d{1,2}):(\d{1,2}(?:\.\d{1,9})?)$/.exec(text.trim()) ?? []
  return hours === '' ? NaN : (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
}
