import type { FrameSource } from '../../../bot/audio/playback/frame-buffer.ts'

/** Takes all frames of a source, or as many as told, and closes it. @throws its failure */
export async function drain(source: FrameSource, most = Infinity): Promise<Buffer[]> {
  const frames: Buffer[] = []
  while (frames.length < most) {
    await source.ready(1)
    const frame = source.take()
    if (!frame) break
    frames.push(Buffer.from(frame))
  }
  const { failure } = source
  source.close()
  if (failure) throw failure
  return frames
}
