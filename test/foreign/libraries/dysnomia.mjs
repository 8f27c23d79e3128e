import { Client, Constants } from '@projectdysnomia/dysnomia'
import { COMMANDS, EPHEMERAL, FORM, INTENTS, PANEL } from './script.mjs'

const { InteractionTypes } = Constants

/** Uses the library's own voice stack. */
export async function start({ url, token, tell }) {
  const { hostname: domain, port } = new URL(url)
  const rest = { domain, port: Number(port), https: false }
  const client = new Client(`Bot ${token}`, { gateway: { intents: INTENTS }, rest })
  client.on('error', (error) => tell('error', String(error)))
  client.on('messageCreate', async (message) => {
    tell('message', message.content)
    if (message.content !== '!ping') return
    await client.createMessage(message.channel.id, { content: 'pong', messageReference: { messageID: message.id } })
  })
  client.on('messageReactionAdd', (_message, emoji) => tell('reaction', emoji.name))
  client.on('interactionCreate', (interaction) => answer(interaction).catch((error) => tell('error', error.stack)))
  const ready = new Promise((resolve) => client.once('ready', resolve))
  await client.connect()
  await ready
  for (const guild of client.guilds.values()) tell('guild', guild.name)
  let channel
  return {
    userId: client.user.id,
    register: async () => void (await client.bulkEditCommands(COMMANDS)),
    say: async (channelId, content) => (await client.createMessage(channelId, { content })).id,
    edit: async (channelId, id, content) => void (await client.editMessage(channelId, id, { content })),
    react: (channelId, id, emoji) => client.addMessageReaction(channelId, id, emoji),
    remove: (channelId, id) => client.deleteMessage(channelId, id),
    async upload(channelId, filename, base64) {
      const attachments = [{ filename, file: Buffer.from(base64, 'base64') }]
      return (await client.createMessage(channelId, { attachments })).id
    },
    async join(_guildId, channelId, { ogg }) {
      channel = channelId
      const connection = await client.joinVoiceChannel(channelId)
      connection.on('error', (error) => tell('error', String(error)))
      connection.receive('opus').on('data', (opus, userId) => opus.length > 3 && tell('heard', userId))
      connection.play(ogg, { format: 'ogg' })
    },
    leave: () => client.leaveVoiceChannel(channel),
    close: () => client.disconnect({ reconnect: false }),
  }
}

async function answer(interaction) {
  const { type, data } = interaction
  if (type === InteractionTypes.APPLICATION_COMMAND && data.name === 'echo')
    await interaction.createMessage(data.options[0].value)
  else if (type === InteractionTypes.APPLICATION_COMMAND && data.name === 'panel')
    await interaction.createMessage({ content: 'Choose.', components: PANEL })
  else if (type === InteractionTypes.APPLICATION_COMMAND) {
    await interaction.defer()
    await interaction.editOriginalMessage('done')
  } else if (type === InteractionTypes.MODAL_SUBMIT)
    await interaction.createMessage(`hello ${data.components[0].components[0].value}`)
  else if (data.custom_id === 'press') await interaction.editParent({ content: 'pressed', components: [] })
  else if (data.custom_id === 'form') await interaction.createModal(FORM)
  else await interaction.createMessage({ content: `you chose ${data.values[0]}`, flags: EPHEMERAL })
}
