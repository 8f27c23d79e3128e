import { z } from 'zod'

export const KINDS = ['track', 'album', 'artist', 'playlist', 'podcast'] as const

/** What is looked for, as it is in the address; what no page of ours says is left out. */
export const TrackSearch = z.object({
  q: z.string().trim().max(200).catch(''),
  kind: z.enum(KINDS).catch('track'),
  source: z.string().max(50).catch(''),
  artist: z.string().trim().max(200).catch(''),
  offset: z.coerce.number().int().min(0).max(10_000).catch(0),
})
export type TrackSearch = z.output<typeof TrackSearch>
