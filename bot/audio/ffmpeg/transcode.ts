import { Fault } from '../../../lib/errors.ts'
import { MalformedError } from '../containers/demuxer.ts'
import type { FfmpegInput } from './ffmpeg-process.ts'
import type { Ffmpeg, FfmpegRun, LeadIn, MixedIn } from './ffmpeg.ts'
import { FrameWindow, type FrameSource } from '../playback/frame-buffer.ts'
import { OggOpusDemuxer } from '../containers/ogg.ts'
import { LIBOPUS_PRE_SKIP, SAMPLES_PER_FRAME } from '../containers/opus.ts'
import type { FilterGraph } from './filter-graph.ts'

/** Decoders and the encoder need a moment after a jump: so many frames are made and thrown away. */
const RUN_UP_FRAMES = 5

export interface TranscodeOptions {
  readonly ffmpeg: Ffmpeg
  readonly input: FfmpegInput
  /** Less than 0 with a lead, by its length. */
  readonly startSamples: number
  readonly lead?: LeadIn
  readonly layers?: readonly MixedIn[]
  readonly filterGraph: FilterGraph
  readonly gainDb: number
  /** Frees the input. */
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
  const startSeconds = Math.max(0, firstSample) / 48_000
  const sound = { gainDb, graph, layers: layersFrom(layers, runUpFrames) }
  const job = { input, startSeconds, ...sound, ...(lead && { lead }) }
  const run = await ffmpeg.run(job).catch((cause: unknown) => {
    onClose()
    throw cause
  })
  const window = new FrameWindow({
    startSamples,
    preSkip: LIBOPUS_PRE_SKIP,
    tempo,
    gainDb,
    onClose: () => {
      run.kill()
      onClose()
    },
  })
  void pump({ run, window, runUpFrames, endOf: (samples) => (isLive ? null : firstSample + samples * tempo) })
  return window
}

/** The frames that are thrown away hold nothing of the layers. */
function layersFrom(layers: readonly MixedIn[], runUpFrames: number): readonly MixedIn[] {
  return layers.map((layer) => ({ ...layer, delaySamples: layer.delaySamples + runUpFrames * SAMPLES_PER_FRAME }))
}

interface Pumping {
  readonly run: FfmpegRun
  readonly window: FrameWindow
  readonly runUpFrames: number
  /** Where the track ends when ffmpeg made that many samples. */
  readonly endOf: (samples: number) => number | null
}

async function pump({ run, window, runUpFrames, endOf }: Pumping): Promise<void> {
  const demuxer = new OggOpusDemuxer()
  let dropFrames = runUpFrames
  let isYielding = false
  try {
    for await (const chunk of run.output as AsyncIterable<Buffer>) {
      const frames = demuxer.push(chunk)
      for (const frame of frames.slice(dropFrames)) window.push(frame)
      dropFrames -= Math.min(dropFrames, frames.length)
      if (!isYielding && window.buffered > 0) run.yield()
      isYielding ||= window.buffered > 0
      await window.room()
      if (window.isClosed) return
    }
    const failure = await run.ended
    const { endSample, head } = demuxer
    const endSamples = endSample === null ? null : endOf(endSample - (head?.preSkip ?? 0))
    window.end(failure ? { failure } : { endSamples })
  } catch (cause) {
    // A killed process breaks its pipe, after the last reader is gone.
    const why = cause instanceof MalformedError ? cause.message : 'ffmpeg exited early'
    window.end({ failure: new Fault('upstream_failed', `The service cannot decode this track: ${why}.`, { cause }) })
  }
}
