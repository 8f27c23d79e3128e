import { GatewayDispatchEvents, GatewayOpcodes as Op } from 'discord-api-types/v10'
import { enterVoice, removeFromVoice } from '../world/voice.ts'
import type { Guild, World } from '../world/world.ts'
import type { ClientPayload } from './requests.ts'
import { dispatch, type Session } from './session.ts'

const CHUNK_MEMBERS = 1000

/** Handles a request of a logged-in bot. Guilds it is not in get no answer, as in Discord. */
export function answer(world: World, session: Session, payload: ClientPayload): void {
  switch (payload.op) {
    case Op.VoiceStateUpdate: {
      const guild = guildOf(world, session, payload.d.guild_id)
      if (!guild) return
      const { channel_id: channelId, self_mute: selfMute = false, self_deaf: selfDeaf = false } = payload.d
      const userId = session.application.id
      if (channelId === null) removeFromVoice(world, guild, userId, null)
      else enterVoice(world, guild, { userId, channelId, sessionId: session.id, selfMute, selfDeaf })
      return
    }
    case Op.RequestGuildMembers: {
      for (const guildId of payload.d.guild_id) {
        const guild = guildOf(world, session, guildId)
        if (guild) sendMembers(session, guild, payload.d)
      }
      return
    }
    case Op.RequestChannelInfo: {
      const guild = guildOf(world, session, payload.d.guild_id)
      if (guild) sendChannelInfo(session, guild)
      return
    }
    case Op.PresenceUpdate:
    case Op.RequestSoundboardSounds:
    case Op.Heartbeat:
    case Op.Identify:
    case Op.Resume:
      return
  }
}

function guildOf(world: World, session: Session, guildId: string): Guild | undefined {
  const guild = world.guilds.get(guildId)
  return guild?.members.has(session.application.id) && !guild.unavailable ? guild : undefined
}

type MembersRequest = Extract<ClientPayload, { op: Op.RequestGuildMembers }>['d']

function sendMembers(session: Session, guild: Guild, request: MembersRequest): void {
  const all = [...guild.members.values()]
  const asked = request.user_ids
  const prefix = request.query?.toLowerCase() ?? ''
  const fits = (name: string | null | undefined) => name?.toLowerCase().startsWith(prefix) ?? false
  const found = asked
    ? all.filter(({ user }) => asked.includes(user.id))
    : all.filter(({ user, nick }) => fits(user.username) || fits(user.global_name) || fits(nick))
  const limited = request.limit ? found.slice(0, request.limit) : found
  const chunks = Math.max(1, Math.ceil(limited.length / CHUNK_MEMBERS))
  for (let index = 0; index < chunks; index += 1) {
    const d = {
      guild_id: guild.id,
      members: limited.slice(index * CHUNK_MEMBERS, (index + 1) * CHUNK_MEMBERS),
      chunk_index: index,
      chunk_count: chunks,
      ...(asked ? { not_found: asked.filter((id) => !guild.members.has(id)) } : {}),
      ...(request.nonce === undefined ? {} : { nonce: request.nonce }),
    }
    dispatch(session, { t: GatewayDispatchEvents.GuildMembersChunk, d })
  }
}

function sendChannelInfo(session: Session, guild: Guild): void {
  const channels = [...guild.statuses].map(([id, status]) => ({ id, status }))
  dispatch(session, { t: GatewayDispatchEvents.ChannelInfo, d: { guild_id: guild.id, channels } })
}
