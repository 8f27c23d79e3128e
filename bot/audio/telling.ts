import type { DeckNews, DeckOptions } from './deck-options.ts'
import type { Loaded } from './loaded.ts'
import { FRAME_MS } from './opus.ts'

const TELL_FRAMES = 1000 / FRAME_MS

/** Tells the life of the tracks on a deck, but nothing more of one that is about to be replaced. */
export class Telling {
  readonly #tell: DeckOptions['tell']
  /** Frames sent of the track; tells when to tell. */
  #playedFrames = 0
  #title: string | null = null

  constructor(tell: DeckOptions['tell']) {
    this.#tell = tell
  }

  /** Another track is on. */
  begin(): void {
    this.#playedFrames = 0
    this.#title = null
  }

  news({ playId, isRetired }: Loaded, news: DeckNews): void {
    if (!isRetired) this.#tell({ playId, ...news })
  }

  position(loaded: Loaded | null): void {
    if (loaded) this.news(loaded, { type: 'position', positionMs: loaded.positionMs })
  }

  /** A frame of it was taken. */
  frame(loaded: Loaded): void {
    if (this.#playedFrames++ === 0) this.news(loaded, { type: 'trackStarted' })
    else if (this.#playedFrames % TELL_FRAMES === 0) this.position(loaded)
    const title = loaded.takeTitle()
    if (title === null || title === this.#title) return
    this.#title = title
    this.news(loaded, { type: 'streamTitle', title })
  }
}
