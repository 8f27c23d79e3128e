import { ChannelType, ForumLayoutType, OverwriteType, SortOrderType, VideoQualityMode } from 'discord-api-types/v10'
import { z } from 'zod'
import { AutoArchive, Bits, Id, Slowmode } from '../form.ts'

/** Permissions that one channel allows or denies to a role or a member. */
const Overwrite = z.object({
  id: Id,
  type: z.enum(OverwriteType),
  allow: Bits.nullish().transform((bits) => bits ?? '0'),
  deny: Bits.nullish().transform((bits) => bits ?? '0'),
})

export const TagDraft = z.object({
  id: Id.nullish(),
  name: z.string().min(1).max(20),
  emoji_id: Id.nullish(),
  emoji_name: z.string().max(100).nullish(),
  moderated: z.boolean().nullish(),
})
export type TagDraft = z.infer<typeof TagDraft>

/** Null sets it back, to nothing or to what is usual. */
const orElse = <T>(schema: z.ZodType<T>, usual: T) =>
  schema.nullish().transform((value) => (value === null ? usual : value))

const SETTINGS = {
  topic: z.string().max(4096).nullish(),
  nsfw: orElse(z.boolean(), false),
  rate_limit_per_user: orElse(Slowmode, 0),
  bitrate: orElse(z.int().min(8000).max(384_000), 64_000),
  user_limit: orElse(z.int().min(0).max(99), 0),
  rtc_region: z.string().nullish(),
  video_quality_mode: orElse(z.enum(VideoQualityMode), VideoQualityMode.Auto),
  default_auto_archive_duration: orElse<number>(AutoArchive, 4320),
  default_thread_rate_limit_per_user: orElse(Slowmode, 0),
  default_reaction_emoji: z
    .object({
      emoji_id: Id.nullish().transform((id) => id ?? null),
      emoji_name: z
        .string()
        .nullish()
        .transform((name) => name ?? null),
    })
    .nullish(),
  default_sort_order: z.enum(SortOrderType).nullish(),
  default_forum_layout: orElse(z.enum(ForumLayoutType), ForumLayoutType.NotSet),
  available_tags: z.array(TagDraft).max(20).nullish(),
  flags: orElse(z.int().min(0), 0),
}

const TYPES = z.literal([
  ChannelType.GuildText,
  ChannelType.GuildVoice,
  ChannelType.GuildCategory,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildStageVoice,
  ChannelType.GuildForum,
  ChannelType.GuildMedia,
])
const PLACE = {
  position: z
    .int()
    .min(0)
    .nullish()
    .transform((position) => position ?? undefined),
  parent_id: Id.nullish(),
  permission_overwrites: z
    .array(Overwrite)
    .max(100)
    .nullish()
    .transform((list) => list ?? undefined),
}

export const NewChannel = z.object({
  ...SETTINGS,
  ...PLACE,
  name: z.string().min(1).max(100),
  type: orElse(TYPES, ChannelType.GuildText).transform((type) => type ?? ChannelType.GuildText),
})

export const ChannelChange = z.object({
  ...SETTINGS,
  ...PLACE,
  name: z.string().min(1).max(100).optional(),
  type: TYPES.nullish().transform((type) => type ?? undefined),
})

export const ThreadChange = z.object({
  name: z
    .string()
    .min(1)
    .max(100)
    .nullish()
    .transform((name) => name ?? undefined),
  archived: orElse(z.boolean(), false),
  locked: orElse(z.boolean(), false),
  invitable: orElse(z.boolean(), true),
  auto_archive_duration: AutoArchive.nullish().transform((minutes) => minutes ?? undefined),
  rate_limit_per_user: orElse(Slowmode, 0),
  flags: orElse(z.int().min(0), 0),
  applied_tags: orElse(z.array(Id).max(5), []),
})

const NEW_THREAD = {
  name: z.string().min(1).max(100),
  auto_archive_duration: AutoArchive.nullish(),
  rate_limit_per_user: Slowmode.nullish(),
}

export const ThreadOfMessage = z.object(NEW_THREAD)
export const NewThread = z.object({
  ...NEW_THREAD,
  type: z.literal([ChannelType.AnnouncementThread, ChannelType.PublicThread, ChannelType.PrivateThread]).nullish(),
  invitable: z.boolean().nullish(),
})
export const NewPost = z.object({
  ...NEW_THREAD,
  applied_tags: z.array(Id).max(5).nullish(),
  message: z.looseObject({}),
})
