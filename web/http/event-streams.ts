import { PassThrough, type Readable } from 'node:stream'
import { createFairShare, type Release } from '../../lib/sharing/fair-share.ts'

/** Answers that stay open: what happens, as it happens. */
export type Streams = ReturnType<typeof createStreams>

export interface LiveStream {
  readonly readable: PassThrough
  /** One message; line breaks in it are JSON's business. */
  send(message: unknown): void
  /** One message that is JSON already, for many readers of the same. */
  sendJson(json: string): void
  end(): void
  /** Called once, when the stream ends for any reason. */
  onEnd(listener: () => void): void
}

const MAX_STREAMS = 500
const MAX_PER_ACCOUNT = 50
const MOST_WAITING_BYTES = 1024 * 1024
const BEAT_EVERY_MS = 20_000

export function createStreams(
  stopping: AbortSignal,
  { total = MAX_STREAMS, share = MAX_PER_ACCOUNT }: { readonly total?: number; readonly share?: number } = {},
) {
  const sizes = { total, share, maxWaiting: 0, maxWaitMs: 0 }
  const places = createFairShare({ what: 'live pages', ...sizes })
  const take = (accountId: string) => (stopping.aborted ? null : places.tryAcquire(accountId))

  function track(stream: Readable, release: Release, end: () => void): void {
    stopping.addEventListener('abort', end)
    stream.once('close', () => {
      release()
      stopping.removeEventListener('abort', end)
    })
  }

  return {
    /**
     * A new one, which ends when the reader goes, reads too slowly, or the service stops.
     * @returns null when all accounts together or this one have as many as there may be.
     */
    open(accountId: string): LiveStream | null {
      const release = take(accountId)
      if (!release) return null
      const readable = new PassThrough()
      const listeners: (() => void)[] = []
      const end = () => void readable.end()
      track(readable, release, end)
      // Heartbeats, to notice readers who have gone, or have stopped reading before the end.
      const beat = setInterval(() => {
        if (readable.writable) readable.write(': beat\n\n')
        else readable.destroy()
      }, BEAT_EVERY_MS)
      readable.once('close', () => {
        clearInterval(beat)
        for (const listener of listeners) listener()
      })
      // Without a first byte some readers wait for ever.
      readable.write(': open\n\n')
      const sendJson = (json: string) => {
        if (readable.writable) readable.write(`data: ${json}\n\n`)
        if (readable.writableLength > MOST_WAITING_BYTES) readable.destroy()
      }
      return {
        readable,
        send: (message) => sendJson(JSON.stringify(message)),
        sendJson,
        end,
        onEnd: (listener) => void listeners.push(listener),
      }
    },
    /** Lets a source of bytes be read like one: counted, and ended with the service. @returns null as well. */
    admit(accountId: string, source: Readable): Readable | null {
      const release = take(accountId)
      if (!release) return null
      track(source, release, () => void source.destroy())
      return source
    },
  }
}
