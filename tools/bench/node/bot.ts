import { setTimeout as sleep } from 'node:timers/promises'
import { Client, GatewayDispatchEvents, GatewayIntentBits, GatewayOpcodes } from 'discord.js'
import { WebSocket } from 'ws'
import { eventually, fetchJson } from '../../../test/support/service.ts'
import type { Place } from '../../stage/places.ts'

export interface Address {
  readonly port: number
  readonly password: string
}

/** A discord.js bot that uses a Lavalink node as any does: its gateway's voice updates go there, and orders for players. */
export type NodeBot = Awaited<ReturnType<typeof startBot>>

interface Voice {
  token?: string
  endpoint?: string
  sessionId?: string
  channelId?: string
}

/** @param apiUrl of the stand-in Discord */
export async function startBot(apiUrl: string, token: string, node: Address) {
  const intents = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates]
  const discord = new Client({ intents, rest: { api: apiUrl } })
  const voices = new Map<string, Voice>()
  discord.ws.on(GatewayDispatchEvents.VoiceStateUpdate, (d) => {
    if (d.user_id !== discord.user?.id) return
    Object.assign(voiceOf(voices, d.guild_id), { sessionId: d.session_id, channelId: d.channel_id })
  })
  discord.ws.on(GatewayDispatchEvents.VoiceServerUpdate, (d) => {
    Object.assign(voiceOf(voices, d.guild_id), { token: d.token, endpoint: d.endpoint })
  })
  await discord.login(token)
  await eventually(() => discord.isReady(), Boolean)
  const userId = discord.user?.id ?? ''
  /** Tracks that ended otherwise than by an order: exceptions and their reasons. */
  const troubles: string[] = []
  const { socket, sessionId } = await openSession(node, userId, troubles)
  const base = `http://127.0.0.1:${node.port}/v4/sessions/${sessionId}/players`
  const patch = async (guildId: string, body: object) => {
    const answer = await fetchJson(`${base}/${guildId}`, 'PATCH', body, { authorization: node.password })
    if (answer.status !== 200) throw new Error(`The node answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  }
  return {
    userId,
    troubles,
    async join({ guildId, channelId }: Place) {
      const d = { guild_id: guildId, channel_id: channelId, self_mute: false, self_deaf: true }
      discord.guilds.cache.get(guildId)?.shard.send({ op: GatewayOpcodes.VoiceStateUpdate, d })
      const voice = await eventually(
        () => voiceOf(voices, guildId),
        (it) => it.token !== undefined && it.sessionId !== undefined,
      )
      await patch(guildId, { voice })
    },
    /** The token of the track behind a URL. */
    async find(url: string): Promise<string> {
      const path = `http://127.0.0.1:${node.port}/v4/loadtracks?identifier=${encodeURIComponent(url)}`
      const { body } = await fetchJson(path, 'GET', undefined, { authorization: node.password })
      if (body.loadType !== 'track') throw new Error(`The node found no track: ${JSON.stringify(body)}`)
      return body.data.encoded
    },
    play: (guildId: string, encoded: string): Promise<void> => patch(guildId, { track: { encoded } }),
    stop: (guildId: string): Promise<void> => patch(guildId, { track: { encoded: null } }),
    async close() {
      socket.removeAllListeners('close')
      socket.close()
      await discord.destroy()
      await sleep(100)
    },
  }
}

function voiceOf(voices: Map<string, Voice>, guildId: string): Voice {
  const voice = voices.get(guildId) ?? {}
  voices.set(guildId, voice)
  return voice
}

async function openSession({ port, password }: Address, userId: string, troubles: string[]) {
  const headers = { Authorization: password, 'User-Id': userId, 'Client-Name': 'bench-node/1.0.0' }
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v4/websocket`, { headers })
  const ready = Promise.withResolvers<string>()
  socket.on('error', (error) => ready.reject(error))
  socket.on('close', () => troubles.push('the socket was closed'))
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString())
    if (message.op === 'ready') ready.resolve(message.sessionId)
    if (message.type === 'TrackExceptionEvent') troubles.push(message.exception.message)
    if (message.type === 'TrackStuckEvent') troubles.push('stuck')
    if (message.type === 'WebSocketClosedEvent') troubles.push(`voice closed with ${message.code}`)
  })
  return { socket, sessionId: await ready.promise }
}
