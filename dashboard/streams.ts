import { PassThrough, type Readable } from 'node:stream'

/** Answers that stay open: what happens, as it happens. */
export interface Streams {
  /**
   * A new one, which ends when the reader goes, reads too slowly, or the service stops.
   * @returns null when there are as many as there may be.
   */
  open(): LiveStream | null
  /** Lets a source of bytes be read like one: counted, and ended with the service. @returns null as well. */
  admit(source: Readable): Readable | null
}

export interface LiveStream {
  readonly readable: PassThrough
  /** One message; line breaks in it are JSON's business. */
  send(message: unknown): void
  end(): void
  /** Called once, when it is over for whatever reason. */
  onEnd(listener: () => void): void
}

const MOST_STREAMS = 500
const MOST_WAITING_BYTES = 1024 * 1024
const BEAT_EVERY_MS = 20_000

export function createStreams(stopping: AbortSignal): Streams {
  let open = 0
  const isFull = () => open >= MOST_STREAMS || stopping.aborted

  function track(stream: Readable, end: () => void): void {
    open += 1
    stopping.addEventListener('abort', end)
    stream.once('close', () => {
      open -= 1
      stopping.removeEventListener('abort', end)
    })
  }

  return {
    open() {
      if (isFull()) return null
      const readable = new PassThrough()
      const listeners: (() => void)[] = []
      const end = () => void readable.end()
      track(readable, end)
      // So that proxies and we ourselves notice who has gone.
      const beat = setInterval(() => readable.write(': beat\n\n'), BEAT_EVERY_MS)
      readable.once('close', () => {
        clearInterval(beat)
        for (const listener of listeners) listener()
      })
      // Without a first byte some readers wait for ever.
      readable.write(': open\n\n')
      return {
        readable,
        send(message) {
          if (readable.writable) readable.write(`data: ${JSON.stringify(message)}\n\n`)
          if (readable.writableLength > MOST_WAITING_BYTES) readable.destroy()
        },
        end,
        onEnd: (listener) => void listeners.push(listener),
      }
    },
    admit(source) {
      if (isFull()) return null
      track(source, () => void source.destroy())
      return source
    },
  }
}
