import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import sharp from 'sharp'
import { createCoverAddresses } from '../../bot/covers/cover-addresses.ts'
import { createCovers } from '../../bot/covers/covers.ts'
import type { Sources } from '../../bot/sources/source.ts'
import { createCoverShrinker } from '../../jobs/images/covers.ts'
import { createImages } from '../../jobs/images/images.ts'
import { createLog } from '../../lib/log.ts'
import { startApi, type TestApi } from './api.ts'
import type { closing } from './closing.ts'
import { UNHURRIED_MS } from './pictures.ts'

/** Base URL of the addresses that tests make. */
export const COVERS_AT = 'https://music.example.org'
export const COVER_SECRET = Buffer.alloc(32, 7)

export const COVER_ADDRESSES = createCoverAddresses({ baseUrl: COVERS_AT, secrets: [COVER_SECRET] })

/** A picture of one colour. */
export async function plainPicture(colour: string, edge = 900, format: 'png' | 'jpeg' = 'jpeg'): Promise<Buffer> {
  const create = { width: edge, height: edge, channels: 3, background: colour } as const
  return sharp({ create }).toFormat(format).toBuffer()
}

/** An audio file with a picture in it, beside the one without: `a.mp3` gives `a with cover.mp3`. */
export function embedPicture(path: string, folder: string, picture: Buffer): string {
  const kind = extname(path)
  const [image, out] = [join(folder, '.picture.jpg'), path.replace(kind, ` with cover${kind}`)]
  writeFileSync(image, picture)
  const before = ['-v', 'error', '-nostdin', '-y', '-i', path]
  const attached = ['-i', image, '-map', '0:a', '-map', '1', '-c', 'copy', '-disposition:v:0', 'attached_pic']
  const tagged = ['-c', 'copy', '-metadata:s:a', `METADATA_BLOCK_PICTURE=${pictureBlock(picture)}`]
  execFileSync('ffmpeg', [...before, ...(kind === '.opus' ? tagged : attached), out])
  return out
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Picture block of FLAC and Ogg: the front cover, without a description (RFC 9639, 8.8). */
function pictureBlock(picture: Buffer): string {
  const type = Buffer.from('image/jpeg')
  const sizes = [900, 900, 24, 0].map(number)
  const parts = [number(3), number(type.length), type, number(0), ...sizes, number(picture.length), picture]
  return Buffer.concat(parts).toString('base64')
}

/** An API that serves the covers of some sources, with the real image processes behind it. */
export async function startCovers(own: ReturnType<typeof closing>, sources: Pick<Sources, 'cover'>): Promise<TestApi> {
  const log = createLog('silent')
  const egress = { open: () => Promise.reject(new Error('No picture comes from elsewhere.')) }
  const images = own(createImages({ log, egress, workers: 1, jobMs: UNHURRIED_MS, waitMs: UNHURRIED_MS }))
  const covers = createCovers({ addresses: COVER_ADDRESSES, sources, shrink: createCoverShrinker(images), log })
  return own(await startApi({ covers }))
}

/** Size and colour of what is behind an address. */
export async function fetchPicture(api: TestApi, url: string | null, query = ''): Promise<readonly [number, string]> {
  if (!url?.startsWith(`${COVERS_AT}/covers/`)) throw new Error(`No address of ours: ${url}`)
  const response = await fetch(url.replace(COVERS_AT, api.baseUrl) + query)
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.status !== 200) throw new Error(`${response.status}: ${bytes.toString('utf8')}`)
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const [red = 0, green = 0, blue = 0] = data
  const names = { red, green, blue }
  const [name] = Object.entries(names).toSorted(([, a], [, b]) => b - a)[0] ?? ['']
  return [info.width, name]
}
