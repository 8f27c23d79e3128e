import tls from 'node:tls'
import {
  entersState,
  joinVoiceChannel,
  VoiceConnectionStatus,
  type DiscordGatewayAdapterLibraryMethods,
  type VoiceConnection,
} from '@discordjs/voice'
import { CHANNEL, GUILD, type Stage } from './stage.ts'

/** A real connection of @discordjs/voice, with the gateway's part played by the test. */
export interface LibraryClient {
  readonly connection: VoiceConnection
  /** Number of joins that the library sent to the gateway. */
  readonly joins: number
  /** Everything the library says about its voice websocket, DAVE and state. */
  readonly debug: string[]
  /** Voice states and servers are not answered any more. */
  hangUp(): void
}

export interface LibraryOptions {
  readonly daveEncryption?: boolean
  /** Number of joins that the gateway answers; all by default. */
  readonly answers?: number
}

/** Every join gets a new voice session, as Discord does. */
export async function joinWithLibrary(
  stage: Stage,
  userId: string,
  options: LibraryOptions = {},
): Promise<LibraryClient> {
  const client = connectLibrary(stage, userId, options)
  await entersState(client.connection, VoiceConnectionStatus.Ready, 5000)
  return client
}

/** The same without waiting for the connection to be ready. */
export function connectLibrary(stage: Stage, userId: string, options: LibraryOptions = {}): LibraryClient {
  trust(stage.certificate.cert)
  const state = { joins: 0, answers: options.answers ?? Number.POSITIVE_INFINITY }
  const answer = (methods: DiscordGatewayAdapterLibraryMethods) => {
    const session = { session_id: `s-${userId}-${state.joins}`, user_id: userId, channel_id: CHANNEL, guild_id: GUILD }
    methods.onVoiceStateUpdate({ ...session, deaf: false, mute: false, self_deaf: false, self_mute: false } as never)
    methods.onVoiceServerUpdate({ token: `t-${userId}`, guild_id: GUILD, endpoint: stage.server.endpoint })
  }
  const connection = joinVoiceChannel({
    guildId: GUILD,
    channelId: CHANNEL,
    selfDeaf: false,
    group: `${userId}-${stage.server.endpoint}`,
    debug: true,
    ...(options.daveEncryption === undefined ? {} : { daveEncryption: options.daveEncryption }),
    adapterCreator: (methods) => ({
      sendPayload(payload: { d: { channel_id: string | null } }) {
        if (payload.d.channel_id === null) return true
        state.joins += 1
        if (state.joins <= state.answers) setImmediate(answer, methods)
        return true
      },
      destroy: () => undefined,
    }),
  })
  const debug: string[] = []
  connection.on('debug', (line) => debug.push(line))
  connection.on('error', (error) => debug.push(String(error)))
  stage.adopt(() => {
    state.answers = 0
    if (connection.state.status !== VoiceConnectionStatus.Destroyed) connection.destroy()
  })
  return {
    connection,
    debug,
    get joins() {
      return state.joins
    },
    hangUp: () => (state.answers = 0),
  }
}

/** The library takes no certificate of its own: the whole process has to trust it. */
function trust(certificate: string): void {
  const trusted = tls.getCACertificates('default')
  if (!trusted.includes(certificate)) tls.setDefaultCACertificates([...trusted, certificate])
}
