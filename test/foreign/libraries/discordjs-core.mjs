import { once } from 'node:events'
import { Client, GatewayDispatchEvents as Event } from '@discordjs/core'
import { REST } from '@discordjs/rest'
import { joinVoiceChannel } from '@discordjs/voice'
import { WebSocketManager } from '@discordjs/ws'
import { COMMANDS, EPHEMERAL, FORM, INTENTS, PANEL } from './script.mjs'
import { createAdapters, speakAndListen } from './voice.mjs'

export async function start({ url, token, tell }) {
  const rest = new REST({ api: `${url}/api` }).setToken(token)
  const gateway = new WebSocketManager({ token, intents: INTENTS, rest })
  const client = new Client({ rest, gateway })
  const { api } = client
  client.on(Event.GuildCreate, ({ data }) => tell('guild', data.name))
  client.on(Event.MessageCreate, async ({ data }) => {
    tell('message', data.content)
    if (data.content !== '!ping') return
    await api.channels.createMessage(data.channel_id, { content: 'pong', message_reference: { message_id: data.id } })
  })
  client.on(Event.MessageReactionAdd, ({ data }) => tell('reaction', data.emoji.name))
  client.on(Event.InteractionCreate, ({ data }) => answer(api, data))
  const adapters = createAdapters((_guildId, payload) => gateway.send(0, payload))
  client.on(Event.VoiceServerUpdate, ({ data }) => adapters.onServer(data))
  client.on(Event.VoiceStateUpdate, ({ data }) => adapters.onState(data))
  const ready = once(client, Event.Ready)
  await gateway.connect()
  const [{ data }] = await ready
  let connection
  return {
    userId: data.user.id,
    register: async () =>
      void (await api.applicationCommands.bulkOverwriteGlobalCommands(data.application.id, COMMANDS)),
    say: async (channelId, content) => (await api.channels.createMessage(channelId, { content })).id,
    edit: async (channelId, id, content) => void (await api.channels.editMessage(channelId, id, { content })),
    react: (channelId, id, emoji) => api.channels.addMessageReaction(channelId, id, emoji),
    remove: (channelId, id) => api.channels.deleteMessage(channelId, id),
    async upload(channelId, name, base64) {
      const files = [{ name, data: Buffer.from(base64, 'base64') }]
      return (await api.channels.createMessage(channelId, { files })).id
    },
    async join(guildId, channelId, { ogg }) {
      const adapterCreator = adapters.creatorFor(guildId)
      connection = joinVoiceChannel({ guildId, channelId, adapterCreator, selfDeaf: false })
      await speakAndListen(connection, ogg, tell)
    },
    leave: () => connection.destroy(),
    close: () => gateway.destroy(),
  }
}

async function answer(api, { id, token, application_id: applicationId, type, data }) {
  const { interactions } = api
  if (type === 2 && data.name === 'echo') await interactions.reply(id, token, { content: data.options[0].value })
  else if (type === 2 && data.name === 'panel')
    await interactions.reply(id, token, { content: 'Choose.', components: PANEL })
  else if (type === 2) {
    await interactions.defer(id, token)
    await interactions.editReply(applicationId, token, { content: 'done' })
  } else if (type === 3 && data.custom_id === 'press')
    await interactions.updateMessage(id, token, { content: 'pressed', components: [] })
  else if (type === 3 && data.custom_id === 'form') await interactions.createModal(id, token, FORM)
  else if (type === 3) await interactions.reply(id, token, { content: `you chose ${data.values[0]}`, flags: EPHEMERAL })
  else if (type === 5)
    await interactions.reply(id, token, { content: `hello ${data.components[0].components[0].value}` })
}
