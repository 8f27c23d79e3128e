import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createLog } from '../../lib/log.ts'
import { DEMO_TRACKS, ensureDemoTracks } from '../../scripts/demo-tracks.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const CACHE = join(ROOT, 'node_modules', '.cache', 'made-for-tests')

/** A folder that `make` fills, made once for all tests and kept beside the packages; `key` is all that it depends on. */
export async function madeOnce(key: string, make: (folder: string) => unknown): Promise<string> {
  const folder = join(CACHE, createHash('sha256').update(key).digest('hex').slice(0, 16))
  if (existsSync(folder)) return folder
  mkdirSync(CACHE, { recursive: true })
  const draft = mkdtempSync(join(CACHE, 'draft-'))
  try {
    await make(draft)
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true })
    // Another process may have been faster.
    if (!existsSync(folder)) throw error
  }
  return folder
}

/** The folder with the demo tracks, made by the product's own code, and again when that changes. */
export function demoTracks(): Promise<string> {
  const sources = ['demo-tracks.ts', 'demo-music.ts'].map((name) => readFileSync(join(ROOT, 'scripts', name), 'utf8'))
  return madeOnce(sources.join(''), async (folder) => {
    await ensureDemoTracks(folder, createLog('silent'))
    if (readdirSync(folder).length < DEMO_TRACKS.length) throw new Error('ffmpeg could not make the demo tracks.')
  })
}

const NOISE = 'anoisesrc=color=pink:sample_rate=48000:duration=60:seed=1'

/** A minute of noise in stereo, Ogg Opus, of which no two frames are the same. */
export async function pinkNoise(): Promise<string> {
  const args = ['-v', 'error', '-f', 'lavfi', '-i', NOISE, '-ac', '2', '-c:a', 'libopus']
  const folder = await madeOnce(args.join(' '), (draft) => execFileSync('ffmpeg', [...args, join(draft, 'noise.opus')]))
  return join(folder, 'noise.opus')
}
