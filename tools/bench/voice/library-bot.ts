/**
 * One or more bots of discord.js and @discordjs/voice alone, as their guides write one: a connection, an audio player and a file
 * for each guild. `tools/bench/voice.ts` starts it and tells it when to play.
 */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import {
  createAudioPlayer,
  createAudioResource,
  entersState,
  joinVoiceChannel,
  NoSubscriberBehavior,
  StreamType,
  VoiceConnectionStatus,
  type AudioPlayer,
} from '@discordjs/voice'
import { Client, Events, GatewayIntentBits } from 'discord.js'
import { z } from 'zod'

const Order = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('join'),
    file: z.string(),
    places: z.array(z.object({ guildId: z.string(), channelId: z.string(), bot: z.number() })),
  }),
  z.object({ do: z.literal('pause') }),
  z.object({ do: z.literal('resume') }),
])

const Settings = z.object({ BENCH_API_URL: z.string(), BENCH_TOKENS: z.string(), BENCH_DAVE: z.enum(['on', 'off']) })
const { BENCH_API_URL: api, BENCH_TOKENS: tokens, BENCH_DAVE: dave } = Settings.parse(process.env)
/** Discord takes 120 joins a minute, for which the library waits in a queue of its own. */
const JOINED_WITHIN_MS = 180_000

const players: AudioPlayer[] = []
const intents = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates]

async function login(token: string): Promise<Client> {
  const client = new Client({ intents, rest: { api } })
  const ready = once(client, Events.ClientReady)
  await client.login(token)
  await ready
  return client
}

const clients = await Promise.all(tokens.split(',').map(login))

type Place = Extract<z.output<typeof Order>, { do: 'join' }>['places'][number]

async function join({ guildId, channelId, bot }: Place, file: string): Promise<void> {
  const { voiceAdapterCreator: adapterCreator } = await clients[bot]!.guilds.fetch(guildId)
  const connection = joinVoiceChannel({ guildId, channelId, adapterCreator, daveEncryption: dave === 'on' })
  await entersState(connection, VoiceConnectionStatus.Ready, JOINED_WITHIN_MS)
  const player = createAudioPlayer({ behaviors: { noSubscriber: NoSubscriberBehavior.Pause } })
  connection.subscribe(player)
  player.play(createAudioResource(createReadStream(file), { inputType: StreamType.OggOpus }))
  player.on('error', (error) => console.error(error))
  players.push(player)
}

process.on('message', (message) => {
  const order = Order.parse(message)
  void obey(order).then(() => process.send?.('done'))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function obey(order: z.output<typeof Order>): Promise<void> {
  if (order.do === 'join') await Promise.all(order.places.map((place) => join(place, order.file)))
  else if (order.do === 'pause') for (const player of players) player.pause(true)
  else for (const player of players) player.unpause()
}
