import type { APIGuildForumTag } from 'discord-api-types/v10'
import { DiscordError } from '../../world/errors.ts'
import type { World } from '../../world/world.ts'
import type { TagDraft } from './channel-body.ts'

/** The tags of a forum as they are to be: those named by id are changed, the others new; what is left out goes. */
export function withTagIds(
  world: World,
  known: readonly APIGuildForumTag[],
  drafts: readonly TagDraft[],
): APIGuildForumTag[] {
  const names = drafts.map(({ name }) => name.toLowerCase())
  if (new Set(names).size < names.length) throw new DiscordError('tagNamesNotUnique')
  return drafts.map(({ id, name, emoji_id, emoji_name, moderated }) => {
    const before = known.find((tag) => tag.id === id)
    if (id && !before) throw new DiscordError('unknownTag')
    return {
      id: before?.id ?? world.nextId(),
      name,
      moderated: moderated ?? before?.moderated ?? false,
      emoji_id: emoji_id ?? null,
      emoji_name: emoji_name ?? null,
    }
  })
}
