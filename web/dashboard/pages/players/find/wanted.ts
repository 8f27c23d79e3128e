import { z } from 'zod'

export const KINDS = ['track', 'album', 'artist', 'playlist', 'podcast'] as const

/** The search in the address; invalid values fall back to defaults. */
export const TrackSearch = z.object({
  q: z.string().trim().max(200).catch(''),
  kind: z.enum(KINDS).catch('track'),
  source: z.string().max(50).catch(''),
  artist: z.string().trim().max(200).catch(''),
  offset: z.coerce.number().int().min(0).max(10_000).catch(0),
})
export type TrackSearch = z.output<typeof TrackSearch>
