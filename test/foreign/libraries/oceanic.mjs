import { Client, InteractionTypes } from 'oceanic.js'
import { COMMANDS, EPHEMERAL, INTENTS } from './script.mjs'
import { speakAndListen } from './voice.mjs'

/** `PANEL` and `FORM` in the library's spelling. */
const PANEL = [
  {
    type: 1,
    components: [
      { type: 2, style: 1, label: 'Press', customID: 'press' },
      { type: 2, style: 2, label: 'Form', customID: 'form' },
    ],
  },
  {
    type: 1,
    components: [
      {
        type: 3,
        customID: 'colour',
        options: [
          { label: 'Red', value: 'red' },
          { label: 'Blue', value: 'blue' },
        ],
      },
    ],
  },
]
const FORM = {
  title: 'Who are you?',
  customID: 'who',
  components: [{ type: 1, components: [{ type: 4, customID: 'name', label: 'Name', style: 1, required: true }] }],
}

export async function start({ url, token, tell }, gateway = {}) {
  const client = new Client({
    auth: `Bot ${token}`,
    gateway: { intents: INTENTS, ...gateway },
    rest: { baseURL: `${url}/api/v10` },
  })
  client.on('error', (error) => tell('error', String(error)))
  client.on('messageCreate', async (message) => {
    tell('message', message.content)
    if (message.content !== '!ping') return
    const messageReference = { messageID: message.id, channelID: message.channelID }
    await client.rest.channels.createMessage(message.channelID, { content: 'pong', messageReference })
  })
  client.on('messageReactionAdd', (_message, _reactor, reaction) => tell('reaction', reaction.emoji.name))
  client.on('interactionCreate', (interaction) => answer(interaction).catch((error) => tell('error', error.stack)))
  const ready = new Promise((resolve) => client.once('ready', resolve))
  await client.connect()
  await ready
  for (const guild of client.guilds.values()) tell('guild', guild.name)
  const { channels } = client.rest
  let connection
  return {
    userId: client.user.id,
    register: async () => void (await client.application.bulkEditGlobalCommands(COMMANDS)),
    say: async (channelId, content) => (await channels.createMessage(channelId, { content })).id,
    edit: async (channelId, id, content) => void (await channels.editMessage(channelId, id, { content })),
    react: (channelId, id, emoji) => channels.createReaction(channelId, id, emoji),
    remove: (channelId, id) => channels.deleteMessage(channelId, id),
    async upload(channelId, name, base64) {
      const files = [{ name, contents: Buffer.from(base64, 'base64') }]
      return (await channels.createMessage(channelId, { files })).id
    },
    async join(guildID, channelID, { ogg }) {
      const { voiceAdapterCreator } = client.guilds.get(guildID)
      connection = client.joinVoiceChannel({
        guildID,
        channelID,
        voiceAdapterCreator,
        selfDeaf: false,
        selfMute: false,
      })
      await speakAndListen(connection, ogg, tell)
    },
    leave: () => connection.destroy(),
    close: () => client.disconnect(false),
  }
}

async function answer(interaction) {
  const { type, data } = interaction
  if (type === InteractionTypes.APPLICATION_COMMAND && data.name === 'echo')
    await interaction.createMessage({ content: data.options.getString('text', true) })
  else if (type === InteractionTypes.APPLICATION_COMMAND && data.name === 'panel')
    await interaction.createMessage({ content: 'Choose.', components: PANEL })
  else if (type === InteractionTypes.APPLICATION_COMMAND) {
    await interaction.defer()
    await interaction.editOriginal({ content: 'done' })
  } else if (type === InteractionTypes.MODAL_SUBMIT)
    await interaction.createMessage({ content: `hello ${data.components.getTextInput('name', true)}` })
  else if (data.customID === 'press') await interaction.editParent({ content: 'pressed', components: [] })
  else if (data.customID === 'form') await interaction.createModal(FORM)
  else await interaction.createMessage({ content: `you chose ${data.values.getStrings()[0]}`, flags: EPHEMERAL })
}
