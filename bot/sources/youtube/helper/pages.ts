import https from 'node:https'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import type { Egress } from '../../../../upstream/egress/egress-guard.ts'
import type { Answering } from './handlers.ts'
import { youtubeUrl } from './fetch.ts'
import type { HelperSettings } from './protocol.ts'

type Connected = (error: Error | null, socket: Duplex) => void

/**
 * YouTube's pages as they are shown to people, by play-dl. It knows neither limits nor other addresses: all of its
 * connections are made here, and the parent ends this process when it takes too long.
 */
export function createPages(egress: Egress, { baseUrl }: HelperSettings): Answering {
  https.globalAgent = new GuardedAgent(egress, baseUrl)
  return async (ask) => {
    const { default: play } = await import('play-dl')
    if (ask.task === 'search') {
      const found = await play.search(ask.text, { limit: ask.limit, source: { youtube: 'video' } })
      return { title: ask.text, entries: found.map(toEntry) }
    }
    if (ask.task !== 'list') throw new Error(`play-dl knows no ${ask.task}`)
    const list = await play.playlist_info(`https://www.youtube.com/playlist?list=${ask.id}`, { incomplete: true })
    const videos = await list.all_videos()
    const entries = videos.slice(0, ask.limit).map(toEntry)
    return { title: list.title, entries, playlist_count: list.videoCount ?? null }
  }
}

interface PagesVideo {
  readonly id?: string
  readonly title?: string
  readonly durationInSec: number
  readonly live: boolean
  readonly upcoming?: Date | true
  readonly channel?: { readonly name?: string }
}

function toEntry({ id, title, durationInSec, live, upcoming, channel }: PagesVideo): object {
  const duration = durationInSec > 0 ? durationInSec : null
  return {
    id,
    title,
    channel: channel?.name,
    duration,
    live_status: upcoming ? 'is_upcoming' : live ? 'is_live' : null,
  }
}

/** Connects to YouTube alone, by the rules of the egress guard. */
class GuardedAgent extends https.Agent {
  readonly #egress: Egress
  readonly #baseUrl: string

  constructor(egress: Egress, baseUrl: string) {
    super({ keepAlive: false })
    this.#egress = egress
    this.#baseUrl = baseUrl
  }

  override createConnection(options: https.RequestOptions, settle?: Connected): undefined {
    this.#dial(options.host ?? '')
      .then((socket) => settle?.(null, socket))
      .catch((error: Error) => settle?.(error, undefined as never))
  }

  async #dial(host: string): Promise<Socket> {
    const { protocol, hostname, port } = youtubeUrl(new URL(`https://${host}/`), this.#baseUrl)
    const isPlain = protocol === 'http:'
    const target = hostname.replaceAll(/[[\]]/g, '')
    const at = Number(port) || (isPlain ? 80 : 443)
    const [first] = await this.#egress.admit(target, at)
    const dialled = { host: first?.address ?? '', port: at }
    return isPlain ? connect(dialled) : connectTls({ ...dialled, servername: target })
  }
}
