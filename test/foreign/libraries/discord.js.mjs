import { once } from 'node:events'
import { joinVoiceChannel } from '@discordjs/voice'
import {
  ActionRowBuilder,
  Client,
  Events,
  MessageFlags,
  ModalBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js'
import { COMMANDS, INTENTS, PANEL } from './script.mjs'
import { speakAndListen } from './voice.mjs'

export async function start({ url, token, tell }) {
  const client = new Client({ intents: INTENTS, rest: { api: `${url}/api` } })
  client.on(Events.MessageCreate, async (message) => {
    tell('message', message.content)
    if (message.content === '!ping') await message.reply('pong')
  })
  client.on(Events.MessageReactionAdd, (reaction) => tell('reaction', reaction.emoji.name))
  client.on(Events.InteractionCreate, answer)
  const ready = once(client, Events.ClientReady)
  await client.login(token)
  await ready
  for (const guild of client.guilds.cache.values()) tell('guild', guild.name)
  const channelOf = (channelId) => client.channels.fetch(channelId)
  let connection
  return {
    userId: client.user.id,
    client,
    register: async () => void (await client.application.commands.set(COMMANDS)),
    say: async (channelId, content) => (await (await channelOf(channelId)).send(content)).id,
    edit: async (channelId, id, content) => void (await (await channelOf(channelId)).messages.edit(id, content)),
    react: async (channelId, id, emoji) => void (await (await channelOf(channelId)).messages.react(id, emoji)),
    remove: async (channelId, id) => void (await (await channelOf(channelId)).messages.delete(id)),
    async upload(channelId, name, base64) {
      const file = { attachment: Buffer.from(base64, 'base64'), name }
      return (await (await channelOf(channelId)).send({ files: [file] })).id
    },
    async join(guildId, channelId, { ogg }) {
      const { voiceAdapterCreator: adapterCreator } = await client.guilds.fetch(guildId)
      connection = joinVoiceChannel({ guildId, channelId, adapterCreator, selfDeaf: false })
      await speakAndListen(connection, ogg, tell)
    },
    leave: () => connection.destroy(),
    close: () => client.destroy(),
  }
}

async function answer(interaction) {
  if (interaction.isChatInputCommand()) await answerCommand(interaction)
  else if (interaction.isButton() && interaction.customId === 'press')
    await interaction.update({ content: 'pressed', components: [] })
  else if (interaction.isButton()) await interaction.showModal(form())
  else if (interaction.isStringSelectMenu())
    await interaction.reply({ content: `you chose ${interaction.values[0]}`, flags: MessageFlags.Ephemeral })
  else if (interaction.isModalSubmit()) await interaction.reply(`hello ${interaction.fields.getTextInputValue('name')}`)
}

async function answerCommand(interaction) {
  if (interaction.commandName === 'echo') await interaction.reply(interaction.options.getString('text'))
  else if (interaction.commandName === 'panel') await interaction.reply({ content: 'Choose.', components: PANEL })
  else {
    await interaction.deferReply()
    await interaction.editReply('done')
  }
}

function form() {
  const name = new TextInputBuilder().setCustomId('name').setLabel('Name').setStyle(TextInputStyle.Short)
  const row = new ActionRowBuilder().addComponents(name)
  return new ModalBuilder().setCustomId('who').setTitle('Who are you?').addComponents(row)
}
