import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'

/** The tone of a second of Stairs tells which second it is. */
export const FIRST_STEP_HZ = 400
export const STEP_HZ = 40
export const TONE_HZ = 500

const STAIRS = `0.3*sin(2*PI*t*(${FIRST_STEP_HZ}+${STEP_HZ}*floor(t)))`
const TONE = `0.3*sin(2*PI*t*${TONE_HZ})`

/** Each with its length in seconds. */
const SONGS = {
  Stairs: { wave: STAIRS, seconds: 60 },
  Tone: { wave: TONE, seconds: 60 },
  Short: { wave: TONE, seconds: 2 },
} as const

export type Song = keyof typeof SONGS

/** Tagged Ogg Opus files, and a server of this machine that has them. */
export interface Songs {
  urlOf(song: Song): string
  close(): Promise<void>
}

export function makeSongs(folder: string): void {
  for (const [title, { wave, seconds }] of Object.entries(SONGS)) {
    const input = ['-v', 'error', '-y', '-f', 'lavfi', '-i', `aevalsrc=${wave}:s=48000:d=${seconds}`]
    const output = ['-ac', '2', '-c:a', 'libopus', '-b:a', '96k', '-metadata', `title=${title}`]
    execFileSync('ffmpeg', [...input, ...output, join(folder, `${title.toLowerCase()}.ogg`)])
  }
}

export async function serveSongs(folder: string): Promise<Songs> {
  const server = createServer((incoming, outgoing) => {
    const file = join(folder, basename(incoming.url ?? ''))
    if (!existsSync(file)) return void outgoing.writeHead(404).end()
    const bytes = readFileSync(file)
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(incoming.headers.range ?? '') ?? []
    const from = Number(first ?? 0)
    const until = Math.min(bytes.length, last ? Number(last) + 1 : bytes.length)
    const type = { 'content-type': 'audio/ogg', 'accept-ranges': 'bytes', 'content-length': until - from }
    if (first === undefined) outgoing.writeHead(200, type)
    else outgoing.writeHead(206, { ...type, 'content-range': `bytes ${from}-${until - 1}/${bytes.length}` })
    outgoing.end(incoming.method === 'HEAD' ? undefined : bytes.subarray(from, until))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    urlOf: (song) => `http://127.0.0.1:${port}/${song.toLowerCase()}.ogg`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
