import { hasIndexBehind } from '../containers/index-behind.ts'
import { withoutLeadingId3 } from '../containers/leading-id3.ts'
import { isChainedOgg } from '../containers/ogg-seek.ts'
import { SAMPLES_PER_MS } from '../containers/opus.ts'
import type { FfmpegInput } from '../ffmpeg/ffmpeg-process.ts'
import { isLive } from '../ffmpeg/filter-graph.ts'
import type { Audible } from '../node/protocol.ts'
import { openTrackBytes, type TrackAccess } from './open-bytes.ts'
import type { RangeServer } from './range-server.ts'
import type { WholeTracks } from './whole-tracks.ts'
import type { TrackBytes } from './bytes.ts'

const RUN_UP_MS = 200

export interface InputMeans {
  readonly access: TrackAccess
  readonly relay: RangeServer
  readonly wholeTracks: WholeTracks
}

/** Input of ffmpeg for a track, and the function that frees it. */
interface Input {
  readonly input: FfmpegInput
  readonly onClose: () => void
}

/** Opens a track and returns the input for it. */
export async function inputOf(means: InputMeans, track: Audible): Promise<Input> {
  return inputFrom(means, track, { bytes: await openTrackBytes(means.access, track), startSamples: 0 })
}

/** Returns the input for the bytes of a track, which it owns. */
export async function inputFrom(
  means: InputMeans,
  track: Audible,
  { bytes, startSamples }: { bytes: TrackBytes; startSamples: number },
): Promise<Input> {
  // Each link of a chained stream restarts its count, so a decoder that jumps finds no time.
  const isChained = startSamples > 0 && (await isChainedOgg(bytes))
  if (!bytes.isSeekable || isChained) return pipedFrom(means, track, bytes, startSamples)
  if (track.kind === 'file') return { input: { from: 'file', path: track.path }, onClose: () => bytes.close() }
  return offered(means, bytes)
}

async function pipedFrom(means: InputMeans, track: Audible, bytes: TrackBytes, startSamples: number): Promise<Input> {
  // Decoders need pre-roll before the requested position.
  const fromMs = Math.max(0, startSamples / SAMPLES_PER_MS - RUN_UP_MS)
  const entered = (await bytes.readFromTime?.(fromMs)) ?? { fromMs: 0, bytes: bytes.read(0) }
  const isLiveTrack = isLive(track)
  const read = isLiveTrack
    ? { isBehind: false, bytes: entered.bytes }
    : await hasIndexBehind(withoutLeadingId3(entered.bytes))
  if (read.isBehind) return offered(means, await means.wholeTracks.keep(read.bytes, bytes))
  const { fromMs: enteredMs, ...sound } = { ...entered, bytes: read.bytes }
  const input = { from: 'pipe', ...sound, fromSeconds: enteredMs / 1000, isLive: isLiveTrack } as const
  return { input, onClose: () => bytes.close() }
}

async function offered({ relay }: InputMeans, bytes: TrackBytes): Promise<Input> {
  const { url, progress, withdraw } = await relay.offer(bytes).catch((error: unknown) => {
    bytes.close()
    throw error
  })
  return {
    input: { from: 'http', url, progress },
    onClose: () => {
      withdraw()
      bytes.close()
    },
  }
}
