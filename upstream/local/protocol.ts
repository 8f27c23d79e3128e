/** A language that a text may be in. */
export interface Candidate {
  /** ISO 639-1, or `und`. */
  readonly language: string
  /** 0 to 1, relative to the other candidates. */
  readonly confidence: number
}

export interface Region {
  readonly code: string
  readonly name: string
}

export interface State extends Region {
  readonly regions: readonly Region[]
}

export interface Country extends Region {
  readonly states: readonly State[]
}

export const HOLIDAY_TYPES = ['public', 'bank', 'school', 'optional', 'observance'] as const
export type HolidayType = (typeof HOLIDAY_TYPES)[number]

export interface Holiday {
  /** The calendar day there: `2026-01-01`. */
  readonly date: string
  readonly name: string
  /** In the language of the country. */
  readonly localName: string
  readonly type: HolidayType
  /** When it begins and ends there, as instants; the day of the sun calendars may begin the evening before. */
  readonly start: string
  readonly end: string
}

export interface HolidayPlace {
  readonly country: string
  readonly state: string | null
  readonly region: string | null
}

/** What the thread can be asked: work on data of our own that takes too long for the main thread. */
export type Task =
  | { readonly task: 'detect'; readonly text: string; readonly model: DetectionModel }
  | { readonly task: 'countries' }
  | { readonly task: 'holidays'; readonly place: HolidayPlace; readonly year: number; readonly language: string }
  | { readonly task: 'timeZone'; readonly place: HolidayPlace }
  | { readonly task: 'books'; readonly names: readonly string[] }

export interface TaskResults {
  /** Best first; empty when nothing can be said. */
  readonly detect: readonly Candidate[]
  readonly countries: readonly Country[]
  readonly holidays: readonly Holiday[]
  readonly timeZone: string
  /** OSIS codes; null for what is no book. */
  readonly books: readonly (string | null)[]
}

/** How much of the n-gram data to load: larger is more often right and takes more memory. */
export const DETECTION_MODELS = ['large', 'medium', 'small', 'extrasmall'] as const
export type DetectionModel = (typeof DETECTION_MODELS)[number]

export interface TaskMessage {
  readonly id: number
  readonly task: Task
}

export type ResultMessage =
  | { readonly id: number; readonly result: TaskResults[Task['task']] }
  | { readonly id: number; readonly error: string }
