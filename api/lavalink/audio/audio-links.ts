import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createUpgrades } from '../../events/upgrades.ts'
import type { ApiContext } from '../../http/request-state.ts'
import type { AudioNode } from '../../../bot/audio/node/protocol.ts'
import { AUDIO_PATH, MAX_LINK_MESSAGE_BYTES } from '../../../bot/audio/remote/link-protocol.ts'
import { settleWithin } from '../../../lib/deadline.ts'
import { Fault } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/log.ts'
import { AudioLink } from './audio-link.ts'

/** Prefix that tells players of audio links apart from those of Lavalink sessions in the threads. */
const BOT_PREFIX = 'audio-'
const MAX_LINKS = 50
/** Time for a service to move its players elsewhere before the node leaves it. */
const DRAIN_MS = 5000
const DRAIN_STEP_MS = 50

interface AudioLinksOptions {
  readonly nodes: readonly AudioNode[]
  readonly log: Logger
  /** Players of Lavalink's sessions on a thread. */
  readonly countOthers: (node: AudioNode) => number
}

/** The services that run their players on this machine. */
export class AudioLinks {
  readonly #options: AudioLinksOptions
  readonly #upgrades = createUpgrades(MAX_LINK_MESSAGE_BYTES)
  readonly #links = new Map<string, AudioLink>()

  constructor(options: AudioLinksOptions) {
    this.#options = options
    for (const node of options.nodes) {
      node.onEvent((event) => {
        if (event.botId.startsWith(BOT_PREFIX)) this.#links.get(event.botId.split(':', 1)[0]!)?.onAudioEvent(event)
      })
      node.onRestarted(() => {
        for (const link of this.#links.values()) link.onThreadRestarted(node)
      })
    }
  }

  static wants({ method, headers, url = '' }: IncomingMessage): boolean {
    return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && url.split('?', 1)[0] === AUDIO_PATH
  }

  get playerCount(): number {
    return [...this.#links.values()].reduce((sum, { playerCount }) => sum + playerCount, 0)
  }

  /** Answers the handshake of a service. @throws {Fault} if as many are linked as may be. */
  open(ctx: ApiContext): void {
    if (this.#links.size >= MAX_LINKS) {
      throw new Fault('service_unavailable', `Service limit reached (${MAX_LINKS} on this node).`)
    }
    const id = `${BOT_PREFIX}${randomUUID()}`
    const { log, nodes } = this.#options
    this.#upgrades.open(ctx, (socket) => {
      const link = new AudioLink({
        id,
        socket,
        nodes,
        log,
        chooseNode: () => this.#leastLoaded(),
        countPlayers: () => this.#countAll(),
        onClosed: () => {
          this.#links.delete(id)
          log.info({ link: id }, 'audio link closed')
        },
      })
      this.#links.set(id, link)
      log.info({ link: id }, 'audio link opened')
    })
  }

  /** Lets the services move their players, and ends their links. */
  async close(): Promise<void> {
    const links = [...this.#links.values()]
    for (const link of links) link.drain()
    const until = performance.now() + DRAIN_MS
    while (this.playerCount > 0 && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, DRAIN_STEP_MS))
    }
    await settleWithin(DRAIN_MS, Promise.all(links.map((link) => link.close(1001, 'The node is stopping.'))))
    this.#upgrades.close()
  }

  #countOn(node: AudioNode): number {
    const own = [...this.#links.values()].reduce((sum, link) => sum + link.countOn(node), 0)
    return own + this.#options.countOthers(node)
  }

  #countAll(): number {
    return this.#options.nodes.reduce((sum, node) => sum + this.#countOn(node), 0)
  }

  #leastLoaded(): AudioNode {
    const alive = this.#options.nodes.filter(({ isAlive }) => isAlive)
    const [best] = alive.toSorted((one, other) => this.#countOn(one) - this.#countOn(other))
    if (best) return best
    throw new Fault('service_unavailable', 'No audio thread is running. Try again in a moment.', { retryAfterMs: 1000 })
  }
}
