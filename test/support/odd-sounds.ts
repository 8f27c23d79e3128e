import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeAudio } from './audio-files.ts'
import { madeOnce } from './made-once.ts'

export interface OddSound {
  readonly file: string
  /** Null: the file has none. */
  readonly title: string | null
  readonly seconds: number
}

const TAGS = { title: 'Süße Nacht' }
const BARE = ['-write_xing', '0', '-id3v2_version', '0']
const AAC = ['-c:a', 'aac', '-b:a', '160k']

/** Each larger than the first bytes that are looked at. */
const MADE: Readonly<Record<string, readonly [seconds: number, title: boolean, options: readonly string[]]>> = {
  'xing.mp3': [5, true, ['-b:a', '160k']],
  'constant.mp3': [5, false, ['-b:a', '160k', ...BARE]],
  'speech.mp3': [12, false, ['-ac', '1', '-ar', '24000', '-b:a', '64k', ...BARE]],
  'opus.opus': [5, true, ['-c:a', 'libopus', '-b:a', '200k', '-vbr', 'off']],
  'vorbis.ogg': [5, true, ['-c:a', 'libvorbis', '-b:a', '240k', '-minrate', '240k']],
  'flac.flac': [5, true, []],
  'wave.wav': [2, true, []],
  'adts.aac': [5, false, AAC],
  'front.m4a': [5, true, [...AAC, '-movflags', '+faststart']],
  'behind.m4a': [5, true, AAC],
  'fragments.m4a': [5, true, [...AAC, '-movflags', '+empty_moov', '-frag_duration', '1000000']],
}

export const ODD_SOUNDS: readonly OddSound[] = [
  ...Object.entries(MADE).map(([file, [seconds, hasTitle]]) => ({
    file,
    title: hasTitle ? TAGS.title : null,
    seconds,
  })),
  { file: 'cover.mp3', title: TAGS.title, seconds: 5 },
  { file: 'cover.flac', title: TAGS.title, seconds: 5 },
]

/** The folder with them, made once for all runs. */
export function oddSounds(): Promise<string> {
  return madeOnce(`odd sounds 1 ${JSON.stringify(MADE)}`, (folder) => {
    for (const [file, [seconds, hasTitle, options]] of Object.entries(MADE)) {
      makeAudio(join(folder, file), { seconds, options, ...(hasTitle && { tags: TAGS }) })
    }
    const bare = readFileSync(join(folder, 'constant.mp3'))
    writeFileSync(join(folder, 'cover.mp3'), Buffer.concat([id3(textFrame(TAGS.title), coverFrame(200_000)), bare]))
    writeFileSync(join(folder, 'cover.flac'), withPicture(readFileSync(join(folder, 'flac.flac')), 200_000))
  })
}

/** An ID3v2.3 tag. */
export function id3(...frames: readonly Buffer[]): Buffer {
  const body = Buffer.concat(frames)
  return Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), synchsafe(body.length), body])
}

export function textFrame(title: string): Buffer {
  return frame('TIT2', Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(title, 'utf16le')]))
}

export function coverFrame(bytes: number): Buffer {
  return frame('APIC', Buffer.concat([Buffer.from('\0image/jpeg\0\x03\0', 'latin1'), noPicture(bytes)]))
}

export function id3WithFooter(...frames: readonly Buffer[]): Buffer {
  const body = Buffer.concat(frames)
  const head = (mark: string) => Buffer.concat([Buffer.from(`${mark}\x04\0\x10`, 'latin1'), synchsafe(body.length)])
  return Buffer.concat([head('ID3'), body, head('3DI')])
}

/** An APE tag in front: header, one item and footer. */
export function apeTag(bytes: number): Buffer {
  const item = Buffer.concat([uint32le(bytes), uint32le(2), Buffer.from('Cover Art (Front)\0'), noPicture(bytes)])
  const end = (flags: number) =>
    Buffer.concat([
      Buffer.from('APETAGEX'),
      uint32le(2000),
      uint32le(item.length + 32),
      uint32le(1),
      uint32le(flags),
      Buffer.alloc(8),
    ])
  return Buffer.concat([end(0xa0000000), item, end(0x80000000)])
}

function uint32le(number: number): Buffer {
  const word = Buffer.alloc(4)
  word.writeUInt32LE(number)
  return word
}

function frame(name: string, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(name), words(data.length), Buffer.alloc(2), data])
}

/** Holds bytes that look like the beginning of frames. */
function noPicture(bytes: number): Buffer {
  const data = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at++) data[at] = (at * 31) % 256
  return Buffer.concat([Buffer.from('\xff\xd8\xff\xe0', 'latin1'), data]).subarray(0, bytes)
}

/** A picture block behind the first one, STREAMINFO. */
function withPicture(flac: Buffer, bytes: number): Buffer {
  const name = Buffer.from('image/jpeg')
  const data = noPicture(bytes)
  const block = Buffer.concat([words(3, name.length), name, words(0, 1, 1, 24, 0, data.length), data])
  const head = words(((6 << 24) | block.length) >>> 0)
  const infoEnd = 4 + 4 + 34
  return Buffer.concat([flac.subarray(0, infoEnd), head, block, flac.subarray(infoEnd)])
}

function words(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length)
  for (const [at, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * at)
  return bytes
}

function synchsafe(size: number): Buffer {
  return Buffer.from([21, 14, 7, 0].map((bits) => (size >>> bits) & 0x7f))
}
