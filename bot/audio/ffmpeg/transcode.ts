import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicNow } from '../../../lib/clock.ts'
import { Fault } from '../../../lib/errors.ts'
import { MalformedError, LIBOPUS_PRE_SKIP, SAMPLES_PER_FRAME } from '../containers/opus.ts'
import type { FfmpegInput } from './ffmpeg-process.ts'
import type { Ffmpeg, FfmpegJob, FfmpegRun, LeadIn, MixedIn } from './ffmpeg.ts'
import { FrameWindow, type FrameSource } from '../playback/frame-buffer.ts'
import { OggOpusDemuxer } from '../containers/ogg.ts'
import type { FilterGraph } from './filter-graph.ts'
import { RATE } from './sample-format.ts'

/** Decoders and the encoder need a moment after a jump: so many frames are made and thrown away. */
const RUN_UP_FRAMES = 5
/** Minimum interval between two starts of a decoder; many tiny files would otherwise saturate the machine. */
const LEAST_BETWEEN_MS = 1000

interface TranscodeOptions {
  readonly ffmpeg: Ffmpeg
  readonly input: FfmpegInput
  /** Less than 0 with a lead, by its length. */
  readonly startSamples: number
  readonly lead?: LeadIn
  readonly layers?: readonly MixedIn[]
  readonly filterGraph: FilterGraph
  readonly gainDb: number
  readonly onClose: () => void
}

/** Frames transcoded by ffmpeg, from exactly this sample. @throws {Fault} if ffmpeg cannot be started. */
export async function transcode(options: TranscodeOptions): Promise<FrameSource> {
  const { ffmpeg, input, startSamples, lead, layers = [], filterGraph, gainDb, onClose } = options
  const isLive = input.from === 'pipe' && input.isLive
  const { graph, tempo } = filterGraph
  const samplesPerFrame = SAMPLES_PER_FRAME * tempo
  const canRunUp = !isLive && startSamples > 0
  const runUpFrames = canRunUp ? Math.min(RUN_UP_FRAMES, Math.floor(startSamples / samplesPerFrame)) : 0
  const firstSample = startSamples - runUpFrames * samplesPerFrame
  const startSeconds = Math.max(0, firstSample) / RATE
  const sound = { gainDb, graph, layers: layersFrom(layers, runUpFrames) }
  const job = { input, startSeconds, ...sound, ...(lead && { lead }) }
  const runs = new Runs(ffmpeg, job)
  await runs.begin().catch((cause: unknown) => {
    onClose()
    throw cause
  })
  const window = new FrameWindow({
    startSamples,
    preSkip: LIBOPUS_PRE_SKIP,
    tempo,
    gainDb,
    onClose: () => {
      runs.close()
      onClose()
    },
  })
  void pump({ runs, window, runUpFrames, endOf: (samples) => (isLive ? null : firstSample + samples * tempo) })
  return window
}

/** The frames that are thrown away hold nothing of the layers. */
function layersFrom(layers: readonly MixedIn[], runUpFrames: number): readonly MixedIn[] {
  return layers.map((layer) => ({ ...layer, delaySamples: layer.delaySamples + runUpFrames * SAMPLES_PER_FRAME }))
}

/** The decoders of a track: one, or for each of its files another. */
class Runs {
  readonly #ffmpeg: Ffmpeg
  readonly #job: FfmpegJob
  readonly #closing = new AbortController()
  #current: FfmpegRun | null = null
  #startedMs = 0

  constructor(ffmpeg: Ffmpeg, job: FfmpegJob) {
    this.#ffmpeg = ffmpeg
    this.#job = job
  }

  async begin(): Promise<void> {
    await this.#start(this.#job)
  }

  /** The current one, or null once closed. */
  get current(): FfmpegRun | null {
    return this.#closing.signal.aborted ? null : this.#current
  }

  /** Starts the decoder of the next file. @returns whether there is one. */
  async advance(samples: number): Promise<boolean> {
    const { input, layers } = this.#job
    const bytes = input.from === 'pipe' ? await input.following?.() : null
    if (input.from !== 'pipe' || !bytes) return false
    const { signal } = this.#closing
    const delayMs = this.#startedMs + LEAST_BETWEEN_MS - monotonicNow()
    if (delayMs > 0) await sleep(delayMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return false
    const { lead: _lead, ...rest } = this.#job
    await this.#start({
      ...rest,
      input: { ...input, bytes, fromSeconds: 0 },
      startSeconds: 0,
      layers: layers.map((layer) => layerAfter(layer, samples)),
    })
    return true
  }

  close(): void {
    this.#closing.abort()
    this.#current?.kill()
  }

  async #start(job: FfmpegJob): Promise<void> {
    this.#startedMs = monotonicNow()
    this.#current = await this.#ffmpeg.run(job)
    if (this.#closing.signal.aborted) this.#current.kill()
  }
}

/** Returns the rest of a layer after so many samples. */
function layerAfter(layer: MixedIn, samples: number): MixedIn {
  const heard = Math.max(0, samples - layer.delaySamples)
  const delaySamples = Math.max(0, layer.delaySamples - samples)
  return { ...layer, delaySamples, startSeconds: layer.startSeconds + heard / RATE }
}

interface Pumping {
  readonly runs: Runs
  readonly window: FrameWindow
  readonly runUpFrames: number
  /** Returns the end of the track, given the number of samples that ffmpeg made. */
  readonly endOf: (samples: number) => number | null
}

async function pump({ runs, window, runUpFrames, endOf }: Pumping): Promise<void> {
  let samples: number | null = 0
  let dropFrames = runUpFrames
  try {
    do {
      const made = await pumpOne(runs, window, dropFrames)
      if (made === 'closed') return
      dropFrames = made.dropFrames
      samples = made.samples === null || samples === null ? null : samples + made.samples
    } while (await runs.advance(samples ?? 0))
    window.end({ endSamples: samples === null ? null : endOf(samples) })
  } catch (cause) {
    if (cause instanceof Fault) return window.end({ failure: cause })
    // A killed process breaks its pipe, after the last reader is gone.
    const why = cause instanceof MalformedError ? cause.message : 'ffmpeg exited early'
    window.end({ failure: new Fault('upstream_failed', `The service can't decode this track: ${why}.`, { cause }) })
  }
}

/** The frames of one file. @throws what keeps it from being decoded to its end. */
async function pumpOne(runs: Runs, window: FrameWindow, runUpFrames: number) {
  const run = runs.current
  if (!run) return 'closed'
  const demuxer = new OggOpusDemuxer()
  let dropFrames = runUpFrames
  let isYielding = false
  for await (const chunk of run.output as AsyncIterable<Buffer>) {
    const frames = demuxer.push(chunk)
    for (const frame of frames.slice(dropFrames)) window.push(frame)
    dropFrames -= Math.min(dropFrames, frames.length)
    if (!isYielding && window.buffered > 0) run.yield()
    isYielding ||= window.buffered > 0
    await window.room()
    if (window.isClosed) return 'closed'
  }
  const failure = await run.ended
  if (failure) throw failure
  const { endSample, head } = demuxer
  return { dropFrames, samples: endSample === null ? null : endSample - (head?.preSkip ?? 0) }
}
