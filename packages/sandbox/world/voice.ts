import { randomBytes } from 'node:crypto'
import { ChannelType, GatewayDispatchEvents, type APIVoiceState } from 'discord-api-types/v10'
import { may, Permission } from './permissions.ts'
import { tell, type Channel, type Guild, type Member, type Voice, type VoiceChannel, type World } from './world.ts'

export interface Joining {
  readonly userId: string
  readonly channelId: string
  /** Gateway session that requested it; the voice state ends with it. */
  readonly sessionId: string
  readonly selfMute?: boolean
  readonly selfDeaf?: boolean
}

/** The voice state as Discord sends it: with session and flags, without the secret. */
export function describeVoice(guild: Guild, voice: Voice) {
  const member = guild.members.get(voice.userId)
  return {
    guild_id: guild.id,
    channel_id: voice.channelId as string | null,
    user_id: voice.userId,
    ...(member ? { member } : {}),
    session_id: voice.sessionId,
    deaf: member?.deaf ?? false,
    mute: member?.mute ?? false,
    self_deaf: voice.selfDeaf,
    self_mute: voice.selfMute,
    self_stream: false,
    self_video: false,
    suppress: voice.suppress,
    request_to_speak_timestamp: voice.requestedToSpeakAt,
  } satisfies APIVoiceState
}

export function isVoice(channel: Channel | undefined): channel is VoiceChannel {
  return channel?.type === ChannelType.GuildVoice || channel?.type === ChannelType.GuildStageVoice
}

/** Whether Discord lets someone in: they see the channel, may connect, and it has room or they may move members. */
function mayEnter(guild: Guild, channel: VoiceChannel, userId: string): boolean {
  if (!may(guild, userId, Permission.Connect, channel)) return false
  const limit = channel.user_limit ?? 0
  if (limit === 0 || guild.voice.get(userId)?.channelId === channel.id) return true
  const present = [...guild.voice.values()].filter((voice) => voice.channelId === channel.id).length
  return present < limit || may(guild, userId, Permission.MoveMembers, channel)
}

/**
 * A user's own request (op 4): join, move, or change their own mute and deafness.
 * Without the permission to enter, nothing happens and no event is sent, as in Discord.
 * A request without changes renews the secret: clients rejoin this way after losing their voice session.
 */
export function enterVoice(world: World, guild: Guild, joining: Joining): Voice | null {
  const channel = guild.channels.get(joining.channelId)
  if (!isVoice(channel) || !guild.members.has(joining.userId)) return null
  if (!mayEnter(guild, channel, joining.userId)) return null
  const from = guild.voice.get(joining.userId) ?? null
  const { selfMute = from?.selfMute ?? false, selfDeaf = from?.selfDeaf ?? false } = joining
  const stays = from !== null && from.channelId === joining.channelId && from.sessionId === joining.sessionId
  const isChange = from?.selfMute !== selfMute || from?.selfDeaf !== selfDeaf
  if (stays && isChange && world.hasVoiceClient(guild.id, joining.userId)) {
    return changeFlags(world, guild, from, { selfMute, selfDeaf })
  }
  const to: Voice = {
    guildId: guild.id,
    userId: joining.userId,
    channelId: channel.id,
    sessionId: joining.sessionId,
    token: createSecret(),
    selfMute,
    selfDeaf,
    suppress: stays ? from.suppress : mustListen(guild, channel, joining.userId),
    requestedToSpeakAt: stays ? from.requestedToSpeakAt : null,
  }
  // A user's own move needs no close code: the client expects the end of its old connection.
  place(world, guild, { from, to, closeCode: null })
  return to
}

/** Puts someone who is in voice into another channel, as a moderator does. */
export function moveInVoice(world: World, guild: Guild, userId: string, channelId: string): Voice | null {
  const from = guild.voice.get(userId)
  const channel = guild.channels.get(channelId)
  if (!from || !isVoice(channel)) return null
  if (from.channelId === channelId) return from
  const suppress = mustListen(guild, channel, userId)
  const to = { ...from, channelId, token: createSecret(), suppress, requestedToSpeakAt: null }
  place(world, guild, { from, to, closeCode: world.rules.moveCloseCode })
  return to
}

/** Out of voice: by their own wish (`closeCode` null) or by force. False when they were not in. */
export function removeFromVoice(world: World, guild: Guild, userId: string, closeCode: number | null): boolean {
  const from = guild.voice.get(userId)
  if (!from) return false
  guild.voice.delete(userId)
  const d = { ...describeVoice(guild, from), channel_id: null }
  tell(world, guild.id, { t: GatewayDispatchEvents.VoiceStateUpdate, d })
  world.notices.emit('voice', { from, to: null, closeCode })
  return true
}

/** Ends what a gateway session held: without it no one answers for that presence any more. */
export function endVoiceOfSession(world: World, sessionId: string): void {
  for (const guild of world.guilds.values()) {
    for (const voice of guild.voice.values()) {
      if (voice.sessionId === sessionId) removeFromVoice(world, guild, voice.userId, 4014)
    }
  }
}

type Flags = Partial<Pick<Voice, 'selfMute' | 'selfDeaf' | 'suppress' | 'requestedToSpeakAt'>>

export function changeFlags(world: World, guild: Guild, voice: Voice, flags: Flags): Voice {
  const to = { ...voice, ...flags }
  guild.voice.set(to.userId, to)
  tellState(world, guild, to)
  return to
}

/** A moderator's mute or deafening, which belongs to the member and outlasts their stay in a channel. */
export function setServerMute(
  world: World,
  guild: Guild,
  member: Member,
  { mute = member.mute, deaf = member.deaf }: { mute?: boolean | undefined; deaf?: boolean | undefined },
): void {
  if (mute === member.mute && deaf === member.deaf) return
  member.mute = mute
  member.deaf = deaf
  const voice = guild.voice.get(member.user.id)
  if (voice) tellState(world, guild, voice)
}

/** The voice server of a guild goes away; every bot in it gets a null endpoint and waits. */
export function takeVoiceAway(world: World, guild: Guild): void {
  guild.voiceAway = true
  for (const voice of guild.voice.values()) {
    tellServer(world, guild, voice)
    world.notices.emit('voice', { from: voice, to: voice, closeCode: null })
  }
}

/** Ends an outage of the voice server: every bot receives a new secret and the endpoint. */
export function giveVoiceBack(world: World, guild: Guild): void {
  guild.voiceAway = false
  for (const from of guild.voice.values()) {
    const to = { ...from, token: createSecret() }
    guild.voice.set(to.userId, to)
    world.notices.emit('voice', { from, to, closeCode: null })
    tellServer(world, guild, to)
  }
}

/** On a stage everyone begins in the audience, moderators too; elsewhere only those who may not speak are silent. */
function mustListen(guild: Guild, channel: VoiceChannel, userId: string): boolean {
  return channel.type === ChannelType.GuildStageVoice || !may(guild, userId, Permission.Speak, channel)
}

/** Whether others hear what someone says. */
export function isHeard(guild: Guild | undefined, userId: string): boolean {
  return guild?.voice.get(userId)?.suppress === false && guild.members.get(userId)?.mute !== true
}

/** Whether a member receives the sound of others: Discord sends nothing to those who are deafened, by themselves or others. */
export function canHear(guild: Guild | undefined, userId: string): boolean {
  return guild?.voice.get(userId)?.selfDeaf !== true && guild?.members.get(userId)?.deaf !== true
}

export type Admission = { readonly channelId: string; readonly inClear: boolean } | { readonly refuse: number }

/** Whether a voice client may connect: 4006 for a session that is not the current one, 4004 for a wrong secret. */
export function admitVoice(
  world: World,
  who: { guildId: string; userId: string; sessionId: string; token: string },
): Admission {
  const guild = world.guilds.get(who.guildId)
  const voice = guild?.voice.get(who.userId)
  if (!voice || voice.sessionId !== who.sessionId) return { refuse: 4006 }
  if (voice.token !== who.token) return { refuse: 4004 }
  const { channelId } = voice
  return { channelId, inClear: guild?.channels.get(channelId)?.type === ChannelType.GuildStageVoice }
}

export function createSecret(): string {
  return randomBytes(8).toString('hex')
}

function place(world: World, guild: Guild, change: { from: Voice | null; to: Voice; closeCode: number | null }): void {
  guild.voice.set(change.to.userId, change.to)
  const { voiceOrder } = world.rules
  const stateFirst = voiceOrder === 'random' ? Math.random() < 0.5 : voiceOrder === 'state-first'
  const steps = [() => tellState(world, guild, change.to), () => tellServer(world, guild, change.to)]
  for (const step of stateFirst ? steps : steps.toReversed()) step()
  world.notices.emit('voice', change)
}

function tellState(world: World, guild: Guild, voice: Voice): void {
  tell(world, guild.id, { t: GatewayDispatchEvents.VoiceStateUpdate, d: describeVoice(guild, voice) })
}

/** Only the bot itself learns its secret. Members have no gateway session: their client is handed its facts. */
function tellServer(world: World, guild: Guild, voice: Voice): void {
  if (!world.applications.has(voice.userId)) return
  const endpoint = guild.voiceAway ? null : world.voiceEndpoint
  const d = { token: voice.token, guild_id: guild.id, endpoint }
  tell(world, guild.id, { t: GatewayDispatchEvents.VoiceServerUpdate, d }, voice.userId)
}
