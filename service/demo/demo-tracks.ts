import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { childEnv, withMemoryLimit } from '../../lib/workers/child-process.ts'
import type { Logger } from '../../lib/log.ts'
import { render, SAMPLE_RATE, type Score } from './demo-music.ts'

/**
 * A piece for trying out the service. Each has a tone of its own on either side that lasts from beginning to end and is
 * at least 10 dB above anything else there, so that a test can hear which piece plays, and whether the sides are right.
 */
interface DemoTrack extends Score {
  /** A search text that finds this track and no other. */
  readonly query: string
  readonly title: string
  readonly artist: string
  readonly file: string
  /** ffmpeg's options for codec and container; rates at which the tones keep their level. */
  readonly encoding: readonly string[]
}

const MP3 = ['-c:a', 'libmp3lame', '-b:a', '256k', '-f', 'mp3']
const FLAC = ['-c:a', 'flac', '-sample_fmt', 's16', '-f', 'flac']
const OPUS = ['-c:a', 'libopus', '-b:a', '160k', '-f', 'ogg']
const AAC = ['-c:a', 'aac', '-b:a', '256k', '-movflags', '+faststart', '-f', 'ipod']

export const DEMO_TRACKS: readonly DemoTrack[] = [
  {
    query: 'harbour lights',
    title: 'Harbour Lights',
    artist: 'The Quiet Pier',
    file: 'harbour-lights.mp3',
    encoding: MP3,
    leftHz: 220,
    rightHz: 330,
    lengthMs: 32_000,
    beatsPerMinute: 80,
    beatsPerBar: 4,
    chords: [
      [45, 57, 61, 66, 69],
      [42, 54, 61, 66, 69],
      [38, 57, 62, 66, 73],
      [40, 59, 62, 68, 71],
    ],
  },
  {
    query: 'paper lanterns',
    title: 'Paper Lanterns',
    artist: 'Clara Winterfeld',
    file: 'paper-lanterns.flac',
    encoding: FLAC,
    leftHz: 294,
    rightHz: 440,
    lengthMs: 26_000,
    beatsPerMinute: 72,
    beatsPerBar: 4,
    chords: [
      [38, 57, 62, 66, 69],
      [47, 59, 62, 66, 74],
      [43, 55, 59, 62, 66],
      [45, 57, 61, 64, 71],
    ],
  },
  {
    query: 'snowfall waltz',
    title: 'Snowfall Waltz',
    artist: 'Northern Parlour',
    file: 'snowfall-waltz.opus',
    encoding: OPUS,
    leftHz: 196,
    rightHz: 523,
    lengthMs: 40_000,
    beatsPerMinute: 96,
    beatsPerBar: 3,
    chords: [
      [48, 55, 60, 64, 67],
      [45, 57, 60, 64, 69],
      [41, 53, 57, 60, 65],
      [43, 55, 59, 62, 67],
    ],
  },
  {
    query: 'desert bloom',
    title: 'Desert Bloom',
    artist: 'Amber & Sage',
    file: 'desert-bloom.m4a',
    encoding: AAC,
    leftHz: 349,
    rightHz: 262,
    lengthMs: 45_000,
    beatsPerMinute: 66,
    beatsPerBar: 4,
    chords: [
      [41, 57, 60, 65, 67],
      [50, 57, 62, 65, 69],
      [46, 53, 58, 62, 65],
      [48, 55, 58, 62, 67],
    ],
  },
  {
    query: 'tin robot',
    title: 'Tin Robot Lullaby',
    artist: 'Miniature Machines',
    file: 'tin-robot-lullaby.opus',
    encoding: OPUS,
    leftHz: 247,
    rightHz: 370,
    lengthMs: 20_000,
    beatsPerMinute: 108,
    beatsPerBar: 4,
    chords: [
      [47, 59, 62, 66, 69],
      [43, 55, 59, 62, 66],
      [50, 57, 62, 66, 69],
      [45, 57, 61, 64, 69],
    ],
  },
]

/** Far above what a busy machine takes. */
const ENCODE_MS = 60_000
const MEMORY_MIB = 512

/**
 * Makes those demo tracks that the folder does not have. Without ffmpeg there are none, and the service continues.
 * Rendering keeps the calling thread busy for about a tenth of a second each.
 */
export async function ensureDemoTracks(folder: string, log: Logger): Promise<void> {
  await mkdir(folder, { recursive: true })
  const missing = await Promise.all(
    DEMO_TRACKS.map(async (track) => ((await exists(join(folder, track.file))) ? [] : [track])),
  )
  const outcomes = await Promise.allSettled(missing.flat().map((track) => make(track, folder)))
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') log.warn({ folder, err: outcome.reason }, 'demo track failed')
  }
  const made = outcomes.filter(({ status }) => status === 'fulfilled').length
  if (made > 0) log.info({ folder, made }, 'demo tracks written')
}

/** Writes the track under a name that no search finds until it is complete. */
async function make(track: DemoTrack, folder: string): Promise<void> {
  const path = join(folder, track.file)
  const part = join(folder, `.${track.file}.part`)
  try {
    await encode(track, part)
    await rename(part, path)
  } finally {
    await rm(part, { force: true })
  }
}

async function encode({ title, artist, encoding, ...score }: DemoTrack, path: string): Promise<void> {
  const input = ['-f', 'f32le', '-ar', String(SAMPLE_RATE), '-ac', '2', '-i', 'pipe:0']
  const tags = ['-metadata', `title=${title}`, '-metadata', `artist=${artist}`, '-metadata', 'album=Bandstand Demo']
  const options = ['-v', 'error', '-nostdin', '-y', ...input, ...tags, ...encoding, path]
  const ffmpeg = spawn(...withMemoryLimit(MEMORY_MIB, 'ffmpeg', options), {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: childEnv(),
    timeout: ENCODE_MS,
  })
  let complaint = ''
  ffmpeg.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-2000)))
  const ended = once(ffmpeg, 'close') as Promise<[number | null]>
  ffmpeg.stdin.end(Buffer.from(render(score).buffer))
  // Why writing failed is what ffmpeg says.
  await Promise.all([ended, finished(ffmpeg.stdin).catch(() => {})])
  const [code] = await ended
  if (code !== 0) throw new Error(`ffmpeg couldn't make ${title}: ${complaint.trim()}`)
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
