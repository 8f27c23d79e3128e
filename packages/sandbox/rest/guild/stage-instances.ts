import { ChannelType, StageInstancePrivacyLevel } from 'discord-api-types/v10'
import { z } from 'zod'
import { DiscordError, mustFind } from '../../world/errors.ts'
import { closeStage, editStage, openStage } from '../../world/guild/stages.ts'
import { may, Permission } from '../../world/permissions.ts'
import { getChannel, type Channel, type Guild } from '../../world/world.ts'
import { Id, parseBody } from '../form.ts'
import { actorOf, channelOf, noContent, ok, type Call, type Route } from '../route.ts'

/** Permissions of a stage moderator: all three, in its channel. */
const MODERATOR = Permission.ManageChannels | Permission.MuteMembers | Permission.MoveMembers

const topic = z.string().min(1).max(120)
const NewStage = z.object({
  channel_id: Id,
  topic,
  privacy_level: z.enum(StageInstancePrivacyLevel).nullish(),
  send_start_notification: z.boolean().nullish(),
  guild_scheduled_event_id: Id.nullish(),
})
const StageChange = z.object({ topic: topic.optional(), privacy_level: z.enum(StageInstancePrivacyLevel).nullish() })

function demandModerator(call: Call, guild: Guild, channel: Channel): void {
  if (!guild.members.has(call.me.id) || !may(guild, call.me.id, Permission.ViewChannel, channel)) {
    throw new DiscordError('missingAccess')
  }
  if (!may(guild, call.me.id, MODERATOR, channel)) throw new DiscordError('missingPermissions')
}

function create(call: Call) {
  const { channel_id: channelId, topic: about, ...rest } = parseBody(NewStage, call.body)
  const { guild, channel } = getChannel(call.world, channelId)
  if (channel.type !== ChannelType.GuildStageVoice) throw new DiscordError('wrongChannelType')
  demandModerator(call, guild, channel)
  const eventId = rest.guild_scheduled_event_id ?? null
  if (eventId !== null && !guild.scheduledEvents.has(eventId)) throw new DiscordError('unknownScheduledEvent')
  return ok(openStage(call.world, guild, { channelId, topic: about, eventId }, actorOf(call)))
}

function stageOf(call: Call) {
  const { guild, channel } = channelOf(call)
  const stage = mustFind(guild.stages.get(channel.id), 'unknownStageInstance')
  return { guild, channel, stage }
}

function edit(call: Call) {
  const { guild, channel, stage } = stageOf(call)
  demandModerator(call, guild, channel)
  const { topic: about } = parseBody(StageChange, call.body)
  if (about !== undefined) editStage(call.world, guild, stage, { topic: about, by: actorOf(call) })
  return ok(stage)
}

function remove(call: Call) {
  const { guild, channel } = stageOf(call)
  demandModerator(call, guild, channel)
  closeStage(call.world, guild, channel.id, actorOf(call))
  return noContent
}

export const STAGE_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/stage-instances', handle: create },
  { method: 'GET', path: '/stage-instances/{channelId}', handle: (call) => ok(stageOf(call).stage) },
  { method: 'PATCH', path: '/stage-instances/{channelId}', handle: edit },
  { method: 'DELETE', path: '/stage-instances/{channelId}', handle: remove },
]
