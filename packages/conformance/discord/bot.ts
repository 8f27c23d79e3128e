import { WebSocket } from 'ws'
import { z } from 'zod'
import type { Sandbox } from './sandbox.ts'

/** Voice data that Discord sends a bot, as it goes into `voice` of a player. */
export interface VoiceFacts {
  readonly token: string
  readonly endpoint: string
  readonly sessionId: string
  readonly channelId: string
}

const OP = { heartbeat: 1, identify: 2, voiceState: 4, hello: 10 } as const
const GUILDS_AND_VOICE_STATES = 1 | (1 << 7)
const FACTS_TIMEOUT_MS = 10_000

const Payload = z.object({ op: z.int(), d: z.unknown().optional(), s: z.int().nullish(), t: z.string().nullish() })
type Payload = z.infer<typeof Payload>
const Hello = z.object({ heartbeat_interval: z.number() })
const VoiceState = z.object({
  guild_id: z.string(),
  user_id: z.string(),
  channel_id: z.string().nullable(),
  session_id: z.string(),
})
const VoiceServer = z.object({ guild_id: z.string(), token: z.string(), endpoint: z.string().nullable() })

/** The latest voice events of one guild; a server update is only good with the state that is current then. */
interface Heard {
  sessionId?: string
  channelId?: string
  server?: { readonly token: string; readonly endpoint: string }
}

export interface Account {
  readonly id: string
  readonly token: string
}

/** A bot on the stand-in's gateway that does nothing but join voice channels. */
export class Bot {
  readonly id: string
  readonly #socket: WebSocket
  readonly #heard = new Map<string, Heard>()
  readonly #watchers = new Set<(guildId: string) => void>()
  #sequence: number | null = null
  #beat: NodeJS.Timeout | undefined

  private constructor(account: Account, socket: WebSocket) {
    this.id = account.id
    this.#socket = socket
  }

  static async logIn(sandbox: Sandbox, account: Account): Promise<Bot> {
    const socket = new WebSocket(`${await sandbox.gatewayUrl()}/?v=10&encoding=json`)
    const bot = new Bot(account, socket)
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.once('close', (code) => reject(new Error(`The stand-in's gateway closed with ${code}.`)))
      socket.on('message', (data: Buffer) => {
        const payload = Payload.parse(JSON.parse(data.toString()))
        bot.#onPayload(payload, account.token)
        if (payload.t === 'READY') resolve()
      })
    })
    return bot
  }

  /** Sends op 4, and resolves with what a Lavalink client hands on. */
  join(guildId: string, channelId: string): Promise<VoiceFacts> {
    const d = { guild_id: guildId, channel_id: channelId, self_mute: false, self_deaf: true }
    return this.factsAfter(guildId, async () => this.#send(OP.voiceState, d))
  }

  /** The facts that something brings: joining, a move, or another voice server. */
  async factsAfter(guildId: string, cause: () => Promise<void>): Promise<VoiceFacts> {
    delete this.#heardOf(guildId).server
    const complete = this.#complete(guildId)
    await cause()
    return complete
  }

  close(): void {
    clearInterval(this.#beat)
    this.#socket.removeAllListeners('close')
    this.#socket.terminate()
  }

  #onPayload({ op, d, s, t }: Payload, token: string): void {
    this.#sequence = s ?? this.#sequence
    if (op === OP.hello) {
      const { heartbeat_interval: everyMs } = Hello.parse(d)
      this.#beat = setInterval(() => this.#send(OP.heartbeat, this.#sequence), everyMs)
      const properties = { os: 'linux', browser: 'conformance', device: 'conformance' }
      this.#send(OP.identify, { token, intents: GUILDS_AND_VOICE_STATES, properties })
    }
    if (t === 'VOICE_STATE_UPDATE') this.#onState(VoiceState.parse(d))
    if (t === 'VOICE_SERVER_UPDATE') this.#onServer(VoiceServer.parse(d))
  }

  #onState(state: z.infer<typeof VoiceState>): void {
    const { guild_id: guildId, channel_id: channelId, session_id: sessionId } = state
    if (state.user_id !== this.id) return
    if (channelId === null) return void this.#heard.delete(guildId)
    Object.assign(this.#heardOf(guildId), { sessionId, channelId })
    for (const watch of this.#watchers) watch(guildId)
  }

  #onServer({ guild_id: guildId, token, endpoint }: z.infer<typeof VoiceServer>): void {
    if (endpoint === null) return
    this.#heardOf(guildId).server = { token, endpoint }
    for (const watch of this.#watchers) watch(guildId)
  }

  /** Resolves with the state and the server, once a further server update has come. */
  #complete(guildId: string): Promise<VoiceFacts> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#watchers.delete(watch)
        reject(new Error('The stand-in Discord sent no voice facts.'))
      }, FACTS_TIMEOUT_MS)
      const watch = (changed: string) => {
        const { sessionId, channelId, server } = this.#heardOf(guildId)
        if (changed !== guildId || sessionId === undefined || channelId === undefined || !server) return
        clearTimeout(timer)
        this.#watchers.delete(watch)
        resolve({ ...server, sessionId, channelId })
      }
      this.#watchers.add(watch)
    })
  }

  #heardOf(guildId: string): Heard {
    const heard = this.#heard.get(guildId) ?? {}
    this.#heard.set(guildId, heard)
    return heard
  }

  #send(op: number, d: unknown): void {
    this.#socket.send(JSON.stringify({ op, d }))
  }
}
