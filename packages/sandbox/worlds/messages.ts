import { DiscordError } from '../world/errors.ts'
import { messagesOf, postMessage } from '../world/messages.ts'
import type { Channel, Guild, World } from '../world/world.ts'
import type { Names } from './names.ts'
import type { WorldProblem } from './read.ts'
import type { MessageFile } from './schema.ts'

interface Place {
  readonly world: World
  readonly guild: Guild
  readonly people: Names<{ readonly id: string }>
  readonly note: (problem: WorldProblem) => void
}

/** A message that was written before the sandbox started. */
export function postFromFile(
  { world, guild, people, note }: Place,
  { channel, message: file }: { channel: Channel; message: MessageFile },
  path: string,
): void {
  const author = world.users.get(people.find(file.author, `${path}.author`)?.id ?? '')
  if (!author) return
  const { content, embeds, components, pinned, id, at } = file
  const draft = { content, embeds, components } as Parameters<typeof postMessage>[2]['draft']
  try {
    const message = postMessage(world, { guild, channelId: channel.id }, { author, draft })
    if (at !== undefined) message.timestamp = new Date(at).toISOString()
    if (id !== undefined) {
      const all = messagesOf(world, channel.id)
      all.delete(message.id)
      message.id = id
      all.set(id, message)
      if ('last_message_id' in channel) channel.last_message_id = id
    }
    if (!pinned) return
    message.pinned = true
    const pins = world.pins.get(channel.id) ?? new Map<string, number>()
    world.pins.set(channel.id, pins.set(message.id, Date.parse(message.timestamp)))
  } catch (error) {
    if (!(error instanceof DiscordError)) throw error
    note({ path, message: `${error.message} ${JSON.stringify(error.errors ?? {})}` })
  }
}
