/** Kinds of parts of a video that SponsorBlock knows by these names, and that can be passed over. */
export const SEGMENT_CATEGORIES = [
  'sponsor',
  'selfpromo',
  'interaction',
  'intro',
  'outro',
  'preview',
  'music_offtopic',
  'filler',
] as const

export type SegmentCategory = (typeof SEGMENT_CATEGORIES)[number]

/** Returns the known categories of a list, each once, in canonical order: a later version may have written others. */
export function knownCategories(names: readonly unknown[]): readonly SegmentCategory[] {
  return SEGMENT_CATEGORIES.filter((category) => names.includes(category))
}
