import { GatewayDispatchEvents, MessageReferenceType, MessageType, type APIMessage } from 'discord-api-types/v10'
import { DiscordError } from '../errors.ts'
import { announceUpdate, messagesOf, postMessage } from '../messages.ts'
import { tell, type Application, type Guild, type World } from '../world.ts'

const MAX_PINS = 250

export interface Pin {
  readonly message: APIMessage
  readonly pinnedAtMs: number
}

/** The pinned messages of a channel, the latest pin first. */
export function pinsOf(world: World, channelId: string): readonly Pin[] {
  const messages = messagesOf(world, channelId)
  return [...(world.pins.get(channelId) ?? [])]
    .flatMap(([id, pinnedAtMs]) => {
      const message = messages.get(id)
      return message?.pinned ? [{ message, pinnedAtMs }] : []
    })
    .toReversed()
}

/** A message and the application that pins or unpins it. */
export interface Pinning {
  readonly guild: Guild
  readonly message: APIMessage
  readonly by: Application
}

/** Pins a message, and writes in the channel who did. No-op for one that is pinned. */
export function pin(world: World, { guild, message, by }: Pinning): void {
  if (message.pinned) return
  const { channel_id: channelId } = message
  if (pinsOf(world, channelId).length >= MAX_PINS) throw new DiscordError('tooManyPins')
  const pins = world.pins.get(channelId) ?? new Map<string, number>()
  world.pins.set(channelId, pins.set(message.id, world.now()))
  message.pinned = true
  tellPins(world, guild, message)
  const notice = postMessage(
    world,
    { guild, channelId },
    { author: by.user, draft: {}, type: MessageType.ChannelPinnedMessage },
  )
  notice.message_reference = {
    type: MessageReferenceType.Default,
    message_id: message.id,
    channel_id: channelId,
    guild_id: guild.id,
  }
}

/** No-op for a message that is not pinned. */
export function unpin(world: World, { guild, message }: Omit<Pinning, 'by'>): void {
  if (!message.pinned) return
  world.pins.get(message.channel_id)?.delete(message.id)
  message.pinned = false
  tellPins(world, guild, message)
}

function tellPins(world: World, guild: Guild, message: APIMessage): void {
  const { channel_id: channelId } = message
  announceUpdate(world, { guild, channelId }, message)
  const latest = pinsOf(world, channelId)[0]
  const d = {
    guild_id: guild.id,
    channel_id: channelId,
    last_pin_timestamp: latest ? new Date(latest.pinnedAtMs).toISOString() : null,
  }
  tell(world, guild.id, { t: GatewayDispatchEvents.ChannelPinsUpdate, d })
}
