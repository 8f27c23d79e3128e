import type { Egress } from '../../upstream/egress.ts'
import type { Playable } from '../sources/source.ts'
import { openFileBytes, type Bytes } from './bytes.ts'
import type { FfmpegInput } from './ffmpeg.ts'
import type { FrameSource } from './frames.ts'
import { openHttpBytes } from './http-bytes.ts'
import { passThrough } from './passthrough.ts'
import { createRelay, type Relay } from './relay.ts'
import type { Timbre } from './timbre.ts'
import { transcode } from './transcode.ts'

/** What is wanted of a track: from where, and how it sounds. */
export interface FrameWish {
  readonly startSamples: number
  readonly timbre: Timbre
  /** An internet radio told what it plays; its frames come later. */
  readonly onTitle: (title: string) => void
}

/** Opens a track. @throws {Fault} when not even its first frame could be had. */
export type OpenFrames = (playable: Playable, wish: FrameWish, signal: AbortSignal) => Promise<FrameSource>

export interface FrameOpener {
  readonly open: OpenFrames
  close(): Promise<void>
}

export function createFrameOpener(egress: Egress): FrameOpener {
  const relay = createRelay()
  return {
    open: (playable, wish, signal) => open({ egress, relay }, playable, wish, signal),
    close: () => relay.close(),
  }
}

interface Means {
  readonly egress: Egress
  readonly relay: Relay
}

async function open(means: Means, playable: Playable, wish: FrameWish, signal: AbortSignal): Promise<FrameSource> {
  const source = await start(means, playable, wish)
  const close = () => source.close()
  signal.addEventListener('abort', close, { once: true })
  if (signal.aborted) close()
  await source.ready(1)
  signal.removeEventListener('abort', close)
  if (source.buffered === 0 && source.failure) {
    source.close()
    throw source.failure
  }
  return source
}

/** As it is where that is possible, else by way of ffmpeg. */
async function start(means: Means, playable: Playable, wish: FrameWish): Promise<FrameSource> {
  const { startSamples, timbre } = wish
  if (playable.codec !== 'other' && timbre.graph === '') {
    const bytes = await openBytes(means, playable, wish)
    const source = await passThrough({ bytes, container: playable.codec, startSamples })
    if (source) return source
  }
  const { input, onClose } = await inputOf(means, playable, wish)
  return transcode({ input, startSamples, timbre, onClose })
}

function openBytes({ egress }: Means, playable: Playable, { onTitle }: FrameWish): Promise<Bytes> {
  if (playable.kind === 'file') return openFileBytes(playable.path)
  return openHttpBytes({ egress, url: playable.url, isStream: playable.isStream, onTitle })
}

async function inputOf(
  means: Means,
  playable: Playable,
  wish: FrameWish,
): Promise<{ input: FfmpegInput; onClose: () => void }> {
  if (playable.kind === 'file') return { input: { from: 'file', path: playable.path }, onClose: () => undefined }
  const bytes = await openBytes(means, playable, wish)
  if (!bytes.isSeekable)
    return { input: { from: 'pipe', bytes: bytes.read(0), isLive: playable.isStream }, onClose: () => bytes.close() }
  const { url, withdraw } = await means.relay.offer(bytes)
  return {
    input: { from: 'http', url },
    onClose: () => {
      withdraw()
      bytes.close()
    },
  }
}
