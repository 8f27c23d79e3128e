import { Fault } from '../../errors.ts'
import { MalformedError } from './demuxer.ts'
import { runFfmpeg, type FfmpegInput, type FfmpegRun } from './ffmpeg.ts'
import { FrameWindow, type FrameSource } from './frames.ts'
import { OggOpusDemuxer } from './ogg.ts'
import { LIBOPUS_PRE_SKIP, SAMPLES_PER_FRAME } from './opus.ts'
import type { Timbre } from './timbre.ts'

/** Decoders and the encoder need a moment after a jump: so many frames are made and thrown away. */
const RUN_UP_FRAMES = 5

export interface TranscodeOptions {
  readonly input: FfmpegInput
  readonly startSamples: number
  readonly timbre: Timbre
  /** Frees the input. */
  readonly onClose: () => void
}

/** Frames by way of ffmpeg, from exactly that sample on. */
export function transcode({ input, startSamples, timbre, onClose }: TranscodeOptions): FrameSource {
  const isLive = input.from === 'pipe' && input.isLive
  const { graph, tempo } = timbre
  const samplesPerFrame = SAMPLES_PER_FRAME * tempo
  const runUpFrames = isLive ? 0 : Math.min(RUN_UP_FRAMES, Math.floor(startSamples / samplesPerFrame))
  const startSeconds = (startSamples - runUpFrames * samplesPerFrame) / 48_000
  const run = runFfmpeg({ input, startSeconds, graph })
  const window = new FrameWindow({
    startSamples,
    preSkip: LIBOPUS_PRE_SKIP,
    tempo,
    onClose: () => {
      run.kill()
      onClose()
    },
  })
  void pump(run, window, runUpFrames)
  return window
}

async function pump(run: FfmpegRun, window: FrameWindow, runUpFrames: number): Promise<void> {
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
    window.end(failure ? { failure } : {})
  } catch (cause) {
    // A killed process breaks its pipe; then nobody listens any more.
    const why = cause instanceof MalformedError ? cause.message : 'ffmpeg broke off'
    window.end({ failure: new Fault('upstream_failed', `The track cannot be decoded: ${why}.`, { cause }) })
  }
}
