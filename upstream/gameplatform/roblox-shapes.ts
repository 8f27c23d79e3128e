import { z } from 'zod'

/** An id may outgrow what a number holds exactly: in our answers it is text. */
export const id = z.union([z.number(), z.string()]).transform(String)
/** Fractions of a second come with up to seven digits. */
export const instant = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .transform((text) => new Date(text).toISOString())
export const words = z
  .string()
  .nullish()
  .transform((text) => text ?? '')
export const count = z
  .number()
  .nullish()
  .transform((number) => number ?? 0)

export const User = z.object({
  name: z.string(),
  displayName: z.string(),
  description: words,
  created: instant,
  /** Null if the platform does not provide it. */
  isBanned: z.boolean().nullable(),
  hasVerifiedBadge: z.boolean().nullable().default(false),
})
export const Group = z.object({
  name: z.string(),
  description: words,
  memberCount: count,
  owner: z.object({ userId: id, username: z.string(), displayName: z.string() }).nullish(),
  shout: z.object({ body: z.string(), updated: instant }).nullish(),
  hasVerifiedBadge: z.boolean().default(false),
  publicEntryAllowed: z.boolean().default(false),
})
export const Game = z.object({
  id,
  rootPlaceId: id,
  name: z.string(),
  description: words,
  creator: z.object({ id, name: z.string(), type: z.string() }),
  price: z.number().nullish(),
  playing: count,
  visits: count,
  maxPlayers: count,
  created: instant,
  updated: instant,
  genre: words,
  favoritedCount: z.number().nullish(),
})

export type RobloxUser = z.output<typeof User>
export type RobloxGroup = z.output<typeof Group>
export type RobloxGame = z.output<typeof Game>
export interface RobloxVotes {
  readonly upVotes: number
  readonly downVotes: number
}
