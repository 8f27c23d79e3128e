// A small bot, as yours may be: it takes its token and where Discord is, so that a test can point it at the sandbox.
import { once } from 'node:events'
import { Client, Events, GatewayIntentBits } from 'discord.js'

/** @param {{ token: string, api?: string }} options */
export async function startBot({ token, api }) {
  const client = new Client({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.MessageContent],
    ...(api ? { rest: { api } } : {}),
  })
  client.on(Events.InteractionCreate, (interaction) => {
    if (!interaction.isChatInputCommand() || interaction.commandName !== 'ping') return
    interaction.reply(`pong, ${interaction.user.displayName}`).catch(console.error)
  })
  client.on(Events.MessageCreate, (message) => {
    if (message.content === 'remind me') message.reply('Noted.').catch(console.error)
  })
  const ready = once(client, Events.ClientReady)
  await client.login(token)
  await ready
  await client.application.commands.set([{ name: 'ping', description: 'Is the bot there?' }])
  return client
}
