import { createFfmpeg } from '../../bot/audio/ffmpeg/ffmpeg.ts'
import { createFrameOpener, type OpenFrames } from '../../bot/audio/input/open-frames.ts'
import { createEgress } from '../../upstream/egress/egress-guard.ts'
import { trackAccess } from './track-access.ts'
import { eventually } from './service.ts'

/**
 * Opens tracks as long as the `describe` lasts that it is called in. Time in tests of decks may pass faster than ffmpeg
 * works, so that so many frames are there before a track counts as open.
 */
export function useOpener(aheadFrames: number) {
  const egress = createEgress({ allowHosts: ['127.0.0.1'] })
  const ffmpeg = createFfmpeg()
  const opener = createFrameOpener(trackAccess(egress), { ffmpeg })
  before(() => ffmpeg.warmUp())
  let asked = 0
  let answered = 0
  after(async () => {
    await opener.close()
    await egress.close()
  })
  const open: OpenFrames = async (track, wish, signal) => {
    asked++
    try {
      const source = await opener.open(track, wish, signal)
      await source.ready(aheadFrames)
      return source
    } finally {
      answered++
    }
  }
  return {
    open,
    /** Opens tracks like the service, with nothing ahead. */
    openAtOnce: opener.open,
    /** Whether a track is being opened now. */
    isOpening: () => asked > answered,
    /** Resolves when no track is being opened any more, refused ones included. */
    settled: () =>
      eventually(
        () => asked - answered,
        (pending) => pending === 0,
        15_000,
      ),
  }
}
