import { Fault } from '../../errors.ts'
import type { Egress } from '../../upstream/egress.ts'
import type { Playable } from '../sources/source.ts'
import { openFileBytes, type Bytes } from './bytes.ts'
import type { FfmpegInput, LeadIn, MixedIn } from './ffmpeg.ts'
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
  /** Another track that this one follows without a seam; `startSamples` is less than 0, by that much of it. */
  readonly after?: { readonly playable: Playable; readonly fromSamples: number }
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

/** Whether the packets of a track may go out as they are, as far as anyone can tell without opening it. */
export function canPassThrough(playable: Playable, timbre: Timbre): boolean {
  return playable.codec !== 'other' && timbre.graph === '' && !timbre.layers
}

/** As it is where that is possible, else by way of ffmpeg. */
async function start(means: Means, playable: Playable, wish: FrameWish): Promise<FrameSource> {
  const { startSamples, timbre } = wish
  if (canPassThrough(playable, timbre) && !wish.after) {
    const bytes = await openBytes(means, playable, wish)
    const source = await passThrough({ bytes, container: playable.codec as 'ogg-opus' | 'webm-opus', startSamples })
    if (source) return source
  }
  const { input, onClose } = await inputOf(means, playable, wish)
  const lead = input.from === 'pipe' ? null : await leadOf(means, wish)
  if (!lead) {
    const layers = await layersOf(means, wish, onClose)
    return transcode({ input, startSamples: wish.after ? 0 : startSamples, timbre, ...layers })
  }
  const closeBoth = () => {
    lead.onClose()
    onClose()
  }
  return transcode({ input, startSamples, timbre, lead: lead.lead, onClose: closeBoth })
}

/** The layers as ffmpeg reads them, and how to free them together with the track. */
async function layersOf(means: Means, wish: FrameWish, closeTrack: () => void) {
  const opened: { input: FfmpegInput; onClose: () => void }[] = []
  const onClose = () => {
    for (const one of opened) one.onClose()
    closeTrack()
  }
  try {
    const layers: MixedIn[] = []
    for (const { playable, gain, fromSamples, delaySamples } of wish.timbre.layers ?? []) {
      const one = await inputOf(means, playable, { ...wish, onTitle: () => undefined })
      opened.push(one)
      const { input } = one
      if (input.from === 'pipe') throw new Fault('upstream_failed', 'A stream without ranges cannot be a layer.')
      layers.push({ input, startSeconds: fromSamples / 48_000, delaySamples, gain })
    }
    return { layers, onClose }
  } catch (cause) {
    onClose()
    throw cause
  }
}

/** Null where there is none, or where it cannot be entered near its end: then the tracks meet at a frame. */
async function leadOf(means: Means, wish: FrameWish): Promise<{ lead: LeadIn; onClose: () => void } | null> {
  if (!wish.after) return null
  const { playable, fromSamples } = wish.after
  const { input, onClose } = await inputOf(means, playable, { ...wish, onTitle: () => undefined })
  if (input.from !== 'pipe') {
    const samples = Math.round(-wish.startSamples)
    return { lead: { input, startSeconds: fromSamples / 48_000, samples }, onClose }
  }
  onClose()
  return null
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
