import { Fault } from '../../../lib/errors.ts'
import type { TrackMarks } from '../plugins/track-marks.ts'
import { counted } from '../../../lib/text.ts'

/** Limit per session. Most guilds never have any, and a client may create them for guilds without a player. */
const MAX_MARKS = 5000

/** Segments, chapters and lyrics that the plug-ins report for the tracks of a session, by guild. */
export class SessionMarks {
  readonly #create: (guildId: string) => TrackMarks
  readonly #all = new Map<string, TrackMarks>()

  constructor(create: (guildId: string) => TrackMarks) {
    this.#create = create
  }

  find(guildId: string): TrackMarks | null {
    return this.#all.get(guildId) ?? null
  }

  /** @throws {Fault} `rate_limited` at the bound of a session */
  ensure(guildId: string): TrackMarks {
    const there = this.#all.get(guildId)
    if (there) return there
    if (this.#all.size >= MAX_MARKS) {
      throw new Fault(
        'rate_limited',
        `Limit reached: a session can follow the tracks of ${counted(MAX_MARKS, 'server')}.`,
      )
    }
    const marks = this.#create(guildId)
    this.#all.set(guildId, marks)
    return marks
  }

  /** No-op where there are none. */
  drop(guildId: string): void {
    this.#all.get(guildId)?.close()
    this.#all.delete(guildId)
  }

  close(): void {
    for (const marks of this.#all.values()) marks.close()
    this.#all.clear()
  }
}
