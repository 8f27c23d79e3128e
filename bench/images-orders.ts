/** What `bench/images.ts` has its two other processes do: four at a time, each with the picture that came last. */
export const CONCURRENCY = 4

interface Picture {
  readonly picture: Uint8Array
}

export type CallerOrder = Picture | { readonly url: string; readonly key: string; readonly times: number }

export interface CallerReport {
  readonly failure: string | null
  readonly tookMs: number
  /** Of the last answer. */
  readonly bytes: number
}

/** The field's case: a photograph of 2000 × 1333 to a width of 500, JPEG in and out, once for each picture of a page. */
export const THUMBNAIL = 'thumbnail'

export type LibraryOrder = Picture | { readonly filter: string; readonly times: number }

export interface LibraryReport {
  /** Whether the library has an operation for it. */
  readonly isOwn: boolean
  readonly tookMs: number
  readonly cpuMs: number
  readonly bytes: number
}
