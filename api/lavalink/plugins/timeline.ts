/** An item that begins at a position of a track. */
interface Mark {
  readonly startMs: number
}

interface PassedMark<T extends Mark> {
  readonly mark: T
  /** Index among the marks, from 0. */
  readonly index: number
  /** A jump led over it, or behind its beginning. */
  readonly isSkipped: boolean
}

/** Positions come each second: what was passed longer ago than that was not heard. */
const LATE_MS = 1500
/** Limit of marks that one jump passes; earlier ones are of no use. */
const MOST_PASSED = 100

/** The marks of a track in order, and which of them the position has passed. */
export class Timeline<T extends Mark> {
  readonly #marks: readonly T[]
  #passed = 0

  constructor(marks: readonly T[]) {
    this.#marks = marks.toSorted((a, b) => a.startMs - b.startMs)
  }

  /** Marks that begin between the last position and this one, in order. After a jump back, the current mark. */
  moveTo(positionMs: number): readonly PassedMark<T>[] {
    const before = this.#passed
    const isAhead = ({ startMs }: T) => startMs > positionMs
    const next = this.#marks.findIndex(isAhead)
    const passed = next < 0 ? this.#marks.length : next
    this.#passed = passed
    const first = passed < before ? passed - 1 : Math.max(before, passed - MOST_PASSED)
    return this.#marks.slice(Math.max(0, first), passed).map((mark, at) => {
      const isSkipped = positionMs - mark.startMs > LATE_MS
      return { mark, index: Math.max(0, first) + at, isSkipped }
    })
  }

  /** Distance from a position to the next mark. */
  distanceToNext(positionMs: number): number {
    const next = this.#marks[this.#passed]
    return next ? Math.max(0, next.startMs - positionMs) : Infinity
  }
}
