import { z } from 'zod'
import { text } from '../../lib/validation/inputs.ts'

export const UserPath = z.object({
  user: text(1, 50).describe('User ID or name. Digits are an ID if one matches, else a name.'),
})

export const IdPath = z.object({ id: z.string().regex(/^[1-9]\d{0,18}$/, 'Must be a whole number.') })

const id = z.string().describe('Whole number as a string.')
const picture = z.string().nullable().describe("Null if there is none, or if it isn't ready yet.")
const count = z.number().nullable().describe('Null if unknown.')

export const PlatformUser = z
  .object({
    id,
    name: z.string(),
    displayName: z.string(),
    description: z.string(),
    createdAt: z.iso.datetime(),
    isBanned: z.boolean().nullable().describe("Null if the platform doesn't provide it."),
    hasVerifiedBadge: z.boolean().nullable(),
    profileUrl: z.string(),
    avatar: z.object({ headshot: picture, full: picture }),
    counts: z.object({ friends: count, followers: count, followings: count }),
  })
  .meta({ id: 'PlatformUser' })
export type PlatformUser = z.output<typeof PlatformUser>

export const PlatformAvatar = z
  .object({ id, name: z.string(), headshot: picture, bust: picture, full: picture })
  .meta({ id: 'PlatformAvatar' })
export type PlatformAvatar = z.output<typeof PlatformAvatar>

export const PlatformGroup = z
  .object({
    id,
    name: z.string(),
    description: z.string(),
    memberCount: z.number(),
    owner: z.object({ id, name: z.string(), displayName: z.string() }).nullable(),
    shout: z.object({ body: z.string(), updatedAt: z.iso.datetime() }).nullable(),
    hasVerifiedBadge: z.boolean(),
    publicEntryAllowed: z.boolean(),
    iconUrl: picture,
    url: z.string(),
  })
  .meta({ id: 'PlatformGroup' })
export type PlatformGroup = z.output<typeof PlatformGroup>

export const PlatformGame = z
  .object({
    id,
    placeId: id,
    name: z.string(),
    description: z.string(),
    creator: z.object({ id, name: z.string(), type: z.string() }),
    playing: z.number(),
    visits: z.number(),
    favorites: count,
    maxPlayers: z.number(),
    upVotes: count,
    downVotes: count,
    price: z.number().nullable(),
    genre: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    iconUrl: picture,
    url: z.string(),
  })
  .meta({ id: 'PlatformGame' })
export type PlatformGame = z.output<typeof PlatformGame>
