import type { WebSocket } from 'ws'
import { closeSocket } from '../../events/upgrades.ts'
import type { AudioEvent, AudioNode, FrameListener, PlayerRef } from '../../../bot/audio/node/protocol.ts'
import { callMethod, packFault } from '../../../bot/audio/node/rpc.ts'
import {
  BEAT_MS,
  FromService,
  LINK_CALLS,
  MAX_MISSED_BEATS,
  PLAYER_CALLS,
  type FromNode,
  type LinkCallName,
  type PlayerCallName,
} from '../../../bot/audio/remote/link-protocol.ts'
import { sumStats } from '../../../bot/audio/remote/sum-stats.ts'
import { guildKey } from '../../../bot/guild-key.ts'
import { Fault } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/log.ts'
import { parseJson } from '../../../lib/text.ts'

/** Limit of unread data. Beyond it, the link of a slow service is dropped, which then moves its players. */
const SLOW_READER_BYTES = 8 * 1024 * 1024

interface AudioLinkOptions {
  /** ID of this link alone: two services may run the same bot for a moment while its shard moves. */
  readonly id: string
  readonly socket: WebSocket
  readonly nodes: readonly AudioNode[]
  /** The node for one player more. @throws {Fault} if none is alive. */
  readonly chooseNode: () => AudioNode
  /** All that run on this machine. */
  readonly countPlayers: () => number
  readonly onClosed: (link: AudioLink) => void
  readonly log: Logger
}

/** One service that runs players here. They end with its socket, so that no guild is played to by two machines. */
export class AudioLink {
  readonly id: string
  readonly #options: AudioLinkOptions
  /** The thread of each player. */
  readonly #homes = new Map<string, { readonly player: PlayerRef; readonly node: AudioNode }>()
  readonly #listening = new Map<string, () => void>()
  readonly #beat: NodeJS.Timeout
  #missedBeats = 0
  #isClosed = false

  constructor(options: AudioLinkOptions) {
    this.id = options.id
    this.#options = options
    const { socket, log } = options
    socket.on('message', (data: Buffer) => {
      this.#missedBeats = 0
      this.#receive(data.toString()).catch((err: unknown) => log.error({ err }, 'audio link failed'))
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => this.#end())
    this.#beat = setInterval(() => this.#onBeat(), BEAT_MS).unref()
  }

  get playerCount(): number {
    return this.#homes.size
  }

  countOn(node: AudioNode): number {
    return [...this.#homes.values()].filter((home) => home.node === node).length
  }

  onAudioEvent({ botId, ...event }: AudioEvent): void {
    const { guildId } = event
    if (event.type === 'voiceLost') this.#forget({ botId: this.#outer(botId), guildId })
    this.#send({ kind: 'event', event: { ...event, botId: this.#outer(botId) } as AudioEvent })
  }

  onThreadRestarted(node: AudioNode): void {
    const players = [...this.#homes.values()].filter((home) => home.node === node).map(({ player }) => player)
    for (const player of players) this.#forget(player)
    if (players.length > 0) this.#send({ kind: 'lost', players })
  }

  drain(): void {
    this.#send({ kind: 'draining' })
  }

  close(code: number, reason: string): Promise<void> {
    return closeSocket(this.#options.socket, code, reason)
  }

  #onBeat(): void {
    if (++this.#missedBeats > MAX_MISSED_BEATS) this.#options.socket.terminate()
    else this.#send({ kind: 'beat', players: this.#options.countPlayers() })
  }

  async #receive(text: string): Promise<void> {
    const message = FromService.safeParse(parseJson(text))
    if (!message.success) return void this.close(1007, "The message isn't one of the audio protocol.")
    if (message.data.kind === 'beat') return
    const { id, name, args } = message.data
    try {
      const value = await this.#call(name, args)
      if (id !== null) this.#send({ kind: 'answer', id, value })
    } catch (error) {
      if (id === null) this.#options.log.warn({ err: error, name }, 'call of a service failed')
      else this.#send({ kind: 'refusal', id, fault: packFault(error) })
    }
  }

  async #call(name: string, args: readonly unknown[]): Promise<unknown> {
    if (Object.hasOwn(PLAYER_CALLS, name)) return this.#callPlayer(name as PlayerCallName, args)
    if (Object.hasOwn(LINK_CALLS, name)) return this.#callLink(name as LinkCallName, args)
    throw new Fault('not_found', `This node doesn't know the method ${name}. Update it.`)
  }

  async #callPlayer(name: PlayerCallName, args: readonly unknown[]): Promise<unknown> {
    const [first, ...rest] = parseArgs(PLAYER_CALLS[name], args) as readonly [PlayerRef, ...(readonly unknown[])]
    const { botId, guildId } = first
    const node = this.#homeOf({ botId, guildId }, name)
    const inner = { ...first, botId: this.#inner(botId) }
    if (name === 'tee') return this.#tee(node, { botId, guildId }, rest[0] as boolean)
    if (name === 'leave') this.#forget({ botId, guildId })
    if ('projectId' in inner) Object.assign(inner, { projectId: this.#inner(String(inner.projectId)) })
    return callMethod(node, { kind: 'call', id: null, name, args: [inner, ...rest] })
  }

  async #callLink(name: LinkCallName, args: readonly unknown[]): Promise<unknown> {
    const { nodes } = this.#options
    const [botId = ''] = parseArgs(LINK_CALLS[name], args) as readonly string[]
    if (name === 'stats') return sumStats(await Promise.all(nodes.map((node) => node.stats())))
    if (name === 'snapshots') {
      return (await Promise.all(nodes.map((node) => node.snapshots(this.#inner(botId))))).flat()
    }
    for (const { player } of this.#homes.values()) if (player.botId === botId) this.#forget(player)
    for (const node of nodes) node.dropBot(this.#inner(botId))
    return undefined
  }

  /** @throws {Fault} `service_unavailable` where no thread is alive. */
  #homeOf(player: PlayerRef, name: PlayerCallName): AudioNode {
    const home = this.#homes.get(guildKey(player))
    if (home && (home.node.isAlive || name !== 'join')) return home.node
    const node = this.#options.chooseNode()
    if (name === 'join') this.#homes.set(guildKey(player), { player, node })
    return node
  }

  #forget(player: PlayerRef): void {
    this.#homes.delete(guildKey(player))
    this.#stopListening(player)
  }

  async #tee(node: AudioNode, player: PlayerRef, isOpen: boolean): Promise<void> {
    this.#stopListening(player)
    if (!isOpen) return
    const listener: FrameListener = (frames) => {
      const encoded = frames?.map((frame) => Buffer.from(frame).toString('base64')) ?? null
      this.#send({ kind: 'sound', player, frames: encoded })
    }
    const stop = await node.listen({ ...player, botId: this.#inner(player.botId) }, listener)
    if (this.#isClosed) stop()
    else this.#listening.set(guildKey(player), stop)
  }

  #stopListening(player: PlayerRef): void {
    this.#listening.get(guildKey(player))?.()
    this.#listening.delete(guildKey(player))
  }

  #send(message: FromNode): void {
    const { socket } = this.#options
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > SLOW_READER_BYTES) socket.terminate()
    else socket.send(JSON.stringify(message))
  }

  /** The socket is gone: its players fall silent, since the service plays them elsewhere. */
  #end(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#beat)
    for (const stop of this.#listening.values()) stop()
    const botIds = new Set([...this.#homes.values()].map(({ player }) => player.botId))
    for (const node of this.#options.nodes) for (const botId of botIds) node.dropBot(this.#inner(botId))
    this.#homes.clear()
    this.#options.onClosed(this)
  }

  #inner(botId: string): string {
    return `${this.id}:${botId}`
  }

  #outer(botId: string): string {
    return botId.slice(this.id.length + 1)
  }
}

function parseArgs(
  schema: (typeof PLAYER_CALLS)[PlayerCallName] | (typeof LINK_CALLS)[LinkCallName],
  args: readonly unknown[],
): readonly unknown[] {
  const parsed = schema.safeParse(args)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Fault('validation_error', `${issue?.path.join('.')}: ${issue?.message}`)
}
