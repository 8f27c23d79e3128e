import { z } from 'zod'
import { createUpstream, notFoundInJson, urlPath, type UpstreamContext } from '../http/client.ts'
import { count, instant, words, type RobloxGroup, type RobloxUser } from './roblox-shapes.ts'

const User = z.object({ name: z.string(), displayName: z.string(), about: words, createTime: instant })
const Group = z.object({
  displayName: z.string(),
  description: words,
  memberCount: count,
  owner: z.string().nullish(),
  publicEntryAllowed: z.boolean().default(false),
  verified: z.boolean().default(false),
})

/** The same look-ups with the operator's key, which Roblox still answers where it refuses those without an account. */
export type OpenCloud = ReturnType<typeof createOpenCloud>

export function createOpenCloud(
  context: UpstreamContext,
  { baseUrl, key, timeoutMs }: { readonly baseUrl: string; readonly key: string; readonly timeoutMs: number },
) {
  const headers = { 'x-api-key': key }
  const api = createUpstream(context, { name: 'The game platform', id: 'roblox-cloud', baseUrl, timeoutMs, headers })
  const user = (id: string) => api.find({ path: urlPath`/cloud/v2/users/${id}`, shape: User, absent: notFoundInJson })

  return {
    async findUser(userId: string): Promise<RobloxUser | null> {
      const found = await user(userId)
      if (!found) return null
      const { name, displayName, about: description, createTime: created } = found
      // The API says neither who is banned nor who has the badge.
      return { name, displayName, description, created, isBanned: null, hasVerifiedBadge: null }
    },
    async findGroup(groupId: string): Promise<RobloxGroup | null> {
      const found = await api.find({ path: urlPath`/cloud/v2/groups/${groupId}`, shape: Group, absent: notFoundInJson })
      if (!found) return null
      const { displayName: name, description, memberCount, publicEntryAllowed, verified: hasVerifiedBadge } = found
      const userId = /^users\/(\d+)$/.exec(found.owner ?? '')?.[1]
      const owner = userId === undefined ? null : await user(userId)
      return {
        name,
        description,
        memberCount,
        owner: userId !== undefined && owner ? { userId, username: owner.name, displayName: owner.displayName } : null,
        shout: null,
        hasVerifiedBadge,
        publicEntryAllowed,
      }
    },
  }
}
