import { createOggWriter } from 'bandstand-sandbox/voice'

/** Frames as an Ogg file that ffmpeg decodes. Its header makes decoders drop the first 80 ms. */
export function toOgg(frames: readonly Buffer[]): Buffer {
  const writer = createOggWriter(1)
  return Buffer.concat([writer.header(), writer.pages(frames.map((bytes) => ({ bytes, samples: 960 })))])
}
