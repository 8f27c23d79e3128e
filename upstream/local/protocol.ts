import type { Detected } from '../translation/schemas.ts'
import type { Country, Holiday } from '../holidays/schemas.ts'

/** A language that a text may be in. */
export type Candidate = Detected['candidates'][number]

export interface HolidayPlace {
  readonly country: string
  readonly state: string | null
  readonly region: string | null
}

/** What the thread can be asked: work on data of our own that takes too long for the main thread. */
export type LocalTask =
  | { readonly task: 'detect'; readonly text: string; readonly model: DetectionModel }
  | { readonly task: 'countries' }
  | { readonly task: 'holidays'; readonly place: HolidayPlace; readonly year: number; readonly language: string }
  | { readonly task: 'timeZone'; readonly place: HolidayPlace }
  | { readonly task: 'books'; readonly names: readonly string[]; readonly languages: readonly string[] }

export interface TaskResults {
  /** Best first; empty when nothing can be said. */
  readonly detect: Candidate[]
  readonly countries: readonly Country[]
  readonly holidays: readonly Holiday[]
  readonly timeZone: string
  /** OSIS codes; null for what is no book. */
  readonly books: readonly (string | null)[]
}

/** How much of the n-gram data to load: larger is more often right and takes more memory. */
export const DETECTION_MODELS = ['large', 'medium', 'small', 'extrasmall'] as const
export type DetectionModel = (typeof DETECTION_MODELS)[number]
