import { joinVoiceChannel } from '@discordjs/voice'
import { createBot } from '@discordeno/bot'
import { COMMANDS, EPHEMERAL, INTENTS } from './script.mjs'
import { createAdapters, speakAndListen } from './voice.mjs'

/** Properties that the library keeps; it drops all others. */
const DESIRED = {
  emoji: { id: true, name: true },
  guild: { id: true, name: true },
  interaction: { id: true, data: true, token: true, type: true },
  message: { id: true, content: true, channelId: true, guildId: true },
  user: { id: true, username: true },
}

/** `PANEL` and `FORM` in the library's spelling. */
const PANEL = [
  {
    type: 1,
    components: [
      { type: 2, style: 1, label: 'Press', customId: 'press' },
      { type: 2, style: 2, label: 'Form', customId: 'form' },
    ],
  },
  {
    type: 1,
    components: [
      {
        type: 3,
        customId: 'colour',
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
  customId: 'who',
  components: [{ type: 1, components: [{ type: 4, customId: 'name', label: 'Name', style: 1, required: true }] }],
}

export async function start({ url, token, tell }) {
  const ready = Promise.withResolvers()
  const bot = createBot({
    token,
    intents: INTENTS,
    desiredProperties: DESIRED,
    events: {
      ready: ready.resolve,
      guildCreate: (guild) => tell('guild', guild.name),
      async messageCreate({ id, channelId, guildId, content }) {
        tell('message', content)
        const messageReference = { messageId: id, channelId, guildId, failIfNotExists: false }
        if (content === '!ping') await bot.helpers.sendMessage(channelId, { content: 'pong', messageReference })
      },
      reactionAdd: ({ emoji }) => tell('reaction', emoji.name),
      interactionCreate: (interaction) => answer(interaction).catch((error) => tell('error', error.stack)),
      raw({ t, d }) {
        if (t === 'VOICE_SERVER_UPDATE') adapters.onServer(d)
        if (t === 'VOICE_STATE_UPDATE') adapters.onState(d)
      },
    },
  })
  // Not `proxy`, which stands for a REST process that minds the limits itself.
  bot.rest.baseUrl = `${url}/api`
  // Payloads have Discord's spelling; the library takes its own.
  const adapters = createAdapters((_guildId, { d }) =>
    d.channel_id === null
      ? bot.gateway.leaveVoiceChannel(d.guild_id)
      : bot.gateway.joinVoiceChannel(d.guild_id, d.channel_id, { selfDeaf: d.self_deaf, selfMute: d.self_mute }),
  )
  await bot.start()
  const { user } = await ready.promise
  const { helpers } = bot
  let connection
  return {
    userId: String(user.id),
    register: async () => void (await helpers.upsertGlobalApplicationCommands(COMMANDS)),
    say: async (channelId, content) => String((await helpers.sendMessage(channelId, { content })).id),
    edit: async (channelId, id, content) => void (await helpers.editMessage(channelId, id, { content })),
    react: (channelId, id, emoji) => helpers.addReaction(channelId, id, emoji),
    remove: (channelId, id) => helpers.deleteMessage(channelId, id),
    async upload(channelId, name, base64) {
      const files = [{ name, blob: new Blob([Buffer.from(base64, 'base64')]) }]
      return String((await helpers.sendMessage(channelId, { files })).id)
    },
    async join(guildId, channelId, { ogg }) {
      const adapterCreator = adapters.creatorFor(guildId)
      connection = joinVoiceChannel({ guildId, channelId, adapterCreator, selfDeaf: false })
      await speakAndListen(connection, ogg, tell)
    },
    leave: () => connection.destroy(),
    close: () => bot.shutdown(),
  }
}

async function answer(interaction) {
  const { data, type } = interaction
  if (type === 2 && data.name === 'echo') await interaction.respond(data.options[0].value)
  else if (type === 2 && data.name === 'panel') await interaction.respond({ content: 'Choose.', components: PANEL })
  else if (type === 2) {
    await interaction.defer()
    await interaction.edit('done')
  } else if (type === 5) await interaction.respond(`hello ${data.components[0].components[0].value}`)
  else if (data.customId === 'press') await interaction.edit({ content: 'pressed', components: [] })
  else if (data.customId === 'form') await interaction.respond(FORM)
  else await interaction.respond({ content: `you chose ${data.values[0]}`, flags: EPHEMERAL })
}
