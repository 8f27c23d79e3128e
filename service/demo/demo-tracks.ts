import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { programFile } from '../../lib/installation.ts'
import { childEnv, setNice } from '../../lib/workers/child-process.ts'
import type { Logger } from '../../lib/log.ts'
import type { Score } from './demo-music.ts'

/**
 * A piece for trying out the service. Each has a tone of its own on either side that lasts from beginning to end and is
 * at least 10 dB above anything else there, so that a test can hear which piece plays, and whether the sides are right.
 */
export interface DemoTrack extends Score {
  /** A search text that finds this track and no other. */
  readonly query: string
  readonly title: string
  readonly artist: string
  readonly file: string
  /** ffmpeg's options for codec and container; rates at which the tones keep their level. */
  readonly encoding: readonly string[]
}

const MP3 = ['-c:a', 'libmp3lame', '-b:a', '192k', '-f', 'mp3']
const FLAC = ['-c:a', 'flac', '-sample_fmt', 's16', '-f', 'flac']
const OPUS = ['-c:a', 'libopus', '-b:a', '128k', '-f', 'ogg']
const AAC = ['-c:a', 'aac', '-b:a', '192k', '-movflags', '+faststart', '-f', 'ipod']

/** The album that they are, in this order. */
export const CONCERT = 'Seaside Concert'

export const DEMO_TRACKS: readonly DemoTrack[] = [
  {
    query: 'harbour lights',
    title: 'Harbour Lights',
    artist: 'The Quiet Pier',
    file: '1-harbour-lights.mp3',
    encoding: MP3,
    leftHz: 220,
    rightHz: 330,
    lengthMs: 72_000,
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
    file: '2-paper-lanterns.flac',
    encoding: FLAC,
    leftHz: 294,
    rightHz: 440,
    lengthMs: 66_667,
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
    file: '3-snowfall-waltz.opus',
    encoding: OPUS,
    leftHz: 196,
    rightHz: 523,
    lengthMs: 75_000,
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
    file: '4-desert-bloom.m4a',
    encoding: AAC,
    leftHz: 349,
    rightHz: 262,
    lengthMs: 87_273,
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
    file: '5-tin-robot-lullaby.opus',
    encoding: OPUS,
    leftHz: 247,
    rightHz: 370,
    lengthMs: 62_222,
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

/** Files of earlier versions: shorter, and without covers. */
const EARLIER = DEMO_TRACKS.map(({ file }) => file.slice(2))

/** Far above what a busy machine takes. */
const COMPOSE_MS = 120_000
/** Sound and requests come first where the processor is short. */
const NICE = 5

/**
 * Makes those demo tracks that the folder does not have, in a process of their own. Without ffmpeg there are none, and
 * the service continues.
 */
export async function ensureDemoTracks(folder: string, log: Logger, signal?: AbortSignal): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await Promise.all(EARLIER.map((file) => rm(join(folder, file), { force: true })))
    const missing = await missingTracks(folder)
    if (missing.length === 0) return
    await compose(folder, log, signal)
    const made = missing.length - (await missingTracks(folder)).length
    if (made > 0) log.info({ folder, made }, 'demo tracks written')
  } catch (err) {
    if (signal?.aborted) return
    log.warn({ folder, err }, 'demo tracks failed')
  }
}

export async function missingTracks(folder: string): Promise<readonly DemoTrack[]> {
  const files = new Set(await readdir(folder))
  return DEMO_TRACKS.filter(({ file }) => !files.has(file))
}

/** The process sends what went wrong with a track. */
async function compose(folder: string, log: Logger, signal: AbortSignal | undefined): Promise<void> {
  const options = { env: childEnv(), execArgv: [], timeout: COMPOSE_MS, ...(signal && { signal }) }
  const child = fork(programFile('service/demo/composer'), [folder], options)
  setNice(child.pid, NICE)
  child.on('message', (complaint) => log.warn({ folder, complaint }, 'demo track failed'))
  await once(child, 'exit')
}
