import type { FrameSource } from './frame-buffer.ts'

/** Titles of an internet radio come with its bytes, some seconds before they are heard: they wait here for their frame. */
export class TitleQueue {
  #waiting: { title: string; atFrame: number }[] = []
  #source: FrameSource | null = null
  #takenFrames = 0

  /** Follows a source: new titles apply after its buffered frames. */
  follow(source: FrameSource): void {
    this.#source = source
  }

  push(title: string): void {
    const atFrame = this.#takenFrames + (this.#source?.buffered ?? 0)
    // Only the last of several titles for one frame is visible.
    if (this.#waiting.at(-1)?.atFrame === atFrame) this.#waiting.pop()
    this.#waiting.push({ title, atFrame })
  }

  /** The title that is due when that many frames were taken, or null. */
  take(takenFrames: number): string | null {
    this.#takenFrames = takenFrames
    let title: string | null = null
    while (this.#waiting[0] && this.#waiting[0].atFrame <= takenFrames) title = this.#waiting.shift()!.title
    return title
  }
}
