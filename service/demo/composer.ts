import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { assetFile } from '../../lib/installation.ts'
import { childEnv, withMemoryLimit } from '../../lib/workers/child-process.ts'
import { render, SAMPLE_RATE } from './demo-music.ts'
import { CONCERT, DEMO_TRACKS, missingTracks, type DemoTrack } from './demo-tracks.ts'

// The process that makes the demo tracks of a folder: `composer FOLDER`.

/** Far above what a busy machine takes. */
const ENCODE_MS = 60_000
const MEMORY_MIB = 512
const COVER_PIXELS = 320
/** A block of FLAC's that holds the front cover, which is how Ogg has pictures, too. */
const FRONT_COVER = 3

// It ends with the service.
process.once('disconnect', () => process.exit())

const [, , folder = ''] = process.argv
let encoding = Promise.resolve()
for (const track of await missingTracks(folder)) {
  // One is composed while the one before it is encoded.
  const samples = render(track)
  await encoding
  encoding = make(track, samples).catch((error: Error) => void process.send?.(`${track.title}: ${error.message}`))
}
await encoding
process.disconnect()

/** Writes the track under a name that no search finds until it is complete. */
async function make(track: DemoTrack, samples: Float32Array<ArrayBuffer>): Promise<void> {
  const part = join(folder, `.${track.file}.part`)
  const picture = join(folder, `.${track.file}.jpg`)
  try {
    const cover = await drawCover(track)
    if (cover) await writeFile(picture, cover)
    await encode(track, samples, { path: part, cover, picture })
    await rename(part, join(folder, track.file))
  } finally {
    await Promise.all([part, picture].map((path) => rm(path, { force: true })))
  }
}

/** Null where the library that draws is not installed: the track has no cover then. */
async function drawCover({ file }: DemoTrack): Promise<Buffer | null> {
  const name = file.slice(2).replace(/\..*/, '.svg')
  const drawing = await readFile(assetFile('service', 'demo', 'covers', name))
  const library = await import('sharp').catch(() => null)
  return library ? library.default(drawing).resize(COVER_PIXELS).jpeg({ quality: 84 }).toBuffer() : null
}

interface Target {
  readonly path: string
  readonly cover: Buffer | null
  /** The file of the cover. */
  readonly picture: string
}

async function encode(track: DemoTrack, samples: Float32Array<ArrayBuffer>, target: Target): Promise<void> {
  const ffmpeg = spawn(...withMemoryLimit(MEMORY_MIB, 'ffmpeg', argsOf(track, target)), {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: childEnv(),
    timeout: ENCODE_MS,
  })
  let complaint = ''
  ffmpeg.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-2000)))
  const ended = once(ffmpeg, 'close') as Promise<[number | null]>
  ffmpeg.stdin.end(Buffer.from(samples.buffer))
  // Why writing failed is what ffmpeg says.
  await Promise.all([ended, finished(ffmpeg.stdin).catch(() => {})])
  const [code] = await ended
  if (code !== 0) throw new Error(`ffmpeg failed: ${complaint.trim()}`)
}

function argsOf(track: DemoTrack, { path, cover, picture }: Target): string[] {
  const { title, artist, encoding: codec } = track
  const number = DEMO_TRACKS.indexOf(track) + 1
  const isOgg = codec.includes('ogg')
  const facts = { title, artist, album: CONCERT, album_artist: 'Bandstand', track: `${number}/${DEMO_TRACKS.length}` }
  const tags = { ...facts, ...(isOgg && cover && { METADATA_BLOCK_PICTURE: pictureBlock(cover) }) }
  const input = ['-f', 'f32le', '-ar', String(SAMPLE_RATE), '-ac', '2', '-i', 'pipe:0']
  const attached = ['-i', picture, '-map', '0:a', '-map', '1:v', '-c:v', 'copy', '-disposition:v', 'attached_pic']
  const metadata = Object.entries(tags).flatMap(([name, text]) => ['-metadata', `${name}=${text}`])
  return ['-v', 'error', '-nostdin', '-y', ...input, ...(cover && !isOgg ? attached : []), ...metadata, ...codec, path]
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** https://www.rfc-editor.org/rfc/rfc9639#name-picture, in Base64. */
function pictureBlock(cover: Buffer): string {
  const type = Buffer.from('image/jpeg')
  const size = [COVER_PIXELS, COVER_PIXELS, 24, 0].map(number)
  const parts = [number(FRONT_COVER), number(type.length), type, number(0), ...size, number(cover.length), cover]
  return Buffer.concat(parts).toString('base64')
}
