import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { extname, join } from 'node:path'
import { createLog } from '../../lib/log.ts'
import { DEMO_TRACKS, ensureDemoTracks } from '../../service/demo/demo-tracks.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const CACHE = join(ROOT, 'node_modules', '.cache', 'made-for-tests')

/** A folder that `make` fills, made once for all tests and kept beside the packages; `key` is all that it depends on. */
export async function madeOnce(key: string, make: (folder: string) => unknown): Promise<string> {
  const folder = folderOf(key)
  if (existsSync(folder)) return folder
  const draft = openDraft()
  try {
    await make(draft)
  } catch (error) {
    rmSync(draft, { recursive: true })
    throw error
  }
  keepDraft(draft, folder)
  return folder
}

/** Writes what ffmpeg makes of these arguments to `path`; a copy where it has made the same before. */
export function ffmpegOnce(args: readonly string[], path: string, input = ''): void {
  const name = `made${extname(path)}`
  const folder = folderOf(JSON.stringify([ffmpegVersion(), args, name, input]))
  if (!existsSync(folder)) {
    const draft = openDraft()
    try {
      execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...args, join(draft, name)], { input })
    } catch (error) {
      rmSync(draft, { recursive: true })
      throw error
    }
    keepDraft(draft, folder)
  }
  copyFileSync(join(folder, name), path)
}

let version: string | undefined

function ffmpegVersion(): string {
  return (version ??= execFileSync('ffmpeg', ['-version']).toString())
}

function folderOf(key: string): string {
  return join(CACHE, createHash('sha256').update(key).digest('hex').slice(0, 16))
}

function openDraft(): string {
  mkdirSync(CACHE, { recursive: true })
  return mkdtempSync(join(CACHE, 'draft-'))
}

function keepDraft(draft: string, folder: string): void {
  try {
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true })
    // Another process may have been faster.
    if (!existsSync(folder)) throw error
  }
}

/** The folder with the demo tracks, made by the product's own code, and again when that changes. */
export function demoTracks(): Promise<string> {
  const sources = ['demo-tracks.ts', 'demo-music.ts', 'composer.ts'].map((name) =>
    readFileSync(join(ROOT, 'service', 'demo', name), 'utf8'),
  )
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
