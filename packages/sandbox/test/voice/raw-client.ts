import { VoiceOpcodes } from 'discord-api-types/voice/v8'
import { WebSocket } from 'ws'
import { GUILD, until, type Stage } from './stage.ts'

interface RawMessage {
  readonly op: number
  readonly seq: number | undefined
  readonly d: any
}

/** A bare websocket to the voice gateway, which does nothing on its own. */
export interface RawClient {
  readonly messages: readonly RawMessage[]
  readonly closed: Promise<number>
  send(op: number, d: unknown): void
  sendRaw(data: string | Buffer): void
  identify(userId: string, changes?: Record<string, unknown>): void
  /** The first message of this kind, now or later. */
  get(op: VoiceOpcodes): Promise<RawMessage>
  drop(): void
}

export async function openRaw(stage: Stage): Promise<RawClient> {
  const socket = new WebSocket(`wss://${stage.server.endpoint}/?v=8`, { ca: stage.certificate.cert })
  const messages: RawMessage[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) messages.push({ seq: data.readUInt16BE(0), op: data.readUInt8(2), d: data.subarray(3) })
    else messages.push(JSON.parse(data.toString()))
  })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('open', resolve))
  stage.adopt(() => socket.terminate())

  const send = (op: number, d: unknown) => socket.send(JSON.stringify({ op, d }))
  return {
    messages,
    closed,
    send,
    sendRaw: (data) => socket.send(data),
    identify: (userId, changes = {}) =>
      send(VoiceOpcodes.Identify, {
        server_id: GUILD,
        user_id: userId,
        session_id: `s-${userId}`,
        token: `t-${userId}`,
        max_dave_protocol_version: 1,
        ...changes,
      }),
    async get(op) {
      const find = () => messages.find((message) => message.op === (op as number))
      await until(() => find() !== undefined, `op ${op}`)
      return find() as RawMessage
    },
    drop: () => socket.terminate(),
  }
}

/** Up to and with op 4; the UDP address is not told. */
export async function openDescribed(stage: Stage, userId: string): Promise<RawClient> {
  const client = await openRaw(stage)
  client.identify(userId)
  await client.get(VoiceOpcodes.Ready)
  client.send(VoiceOpcodes.SelectProtocol, protocol())
  await client.get(VoiceOpcodes.SessionDescription)
  return client
}

export function protocol(changes: { protocol?: string; mode?: string } = {}): unknown {
  const data = { address: '127.0.0.1', port: 9, mode: changes.mode ?? 'aead_aes256_gcm_rtpsize' }
  return { protocol: changes.protocol ?? 'udp', data }
}
