import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSameSong } from '../../../upstream/music/title-matching.ts'

interface Named {
  readonly title: string
  readonly author: string
  /** `m:ss`; `0:00` where unknown. */
  readonly length: string
  readonly isrc?: string
}

/** A song of a catalogue, an upload of a site that plays, and whether it is that recording. */
interface Pair {
  readonly same: boolean
  readonly kind: string
  readonly wanted: Named
  readonly found: Named
}

interface Score {
  readonly pairs: number
  /** Share of right answers, 0 to 1. */
  readonly right: number
  readonly wrong: readonly Pair[]
}

/** Asks the mirror's matching about each pair of the public set. */
export function scoreMatches(): Score {
  const pairs = JSON.parse(readFileSync(join(import.meta.dirname, 'pairs.json'), 'utf8')) as readonly Pair[]
  const wrong = pairs.filter(({ same, wanted, found }) => isSameSong(toTrack(wanted), toTrack(found)) !== same)
  return { pairs: pairs.length, right: 1 - wrong.length / pairs.length, wrong }
}

function toTrack({ title, author, length, isrc = null }: { isrc?: string | null } & Omit<Named, 'isrc'>) {
  const [minutes = 0, seconds = 0] = length.split(':').map(Number)
  return { title, author, lengthMs: (minutes * 60 + seconds) * 1000, isStream: false, isrc }
}
