import type { ReadHlsWindow } from '../../sources/hls/hls-windows.ts'
import { packFault, type HlsAnswer, type HlsQuestion } from '../node/rpc.ts'

/** The main thread's end: hands the audio thread's questions on, and looks into nothing. */
interface HlsServer {
  receive(question: HlsQuestion): void
  /** The audio thread has ended. */
  close(): void
}

export function createHlsServer(read: ReadHlsWindow, send: (answer: HlsAnswer) => void): HlsServer {
  const running = new Map<number, AbortController>()

  async function answer(id: number, request: NonNullable<HlsQuestion['request']>): Promise<void> {
    const cancelling = new AbortController()
    running.set(id, cancelling)
    try {
      const window = await read(request, cancelling.signal)
      send({ kind: 'hlsAnswer', id, answer: { window } })
    } catch (error) {
      send({ kind: 'hlsAnswer', id, answer: { fault: packFault(error) } })
    } finally {
      running.delete(id)
    }
  }

  return {
    receive({ id, request }) {
      if (request === null) running.get(id)?.abort()
      else void answer(id, request)
    },
    close() {
      for (const cancelling of running.values()) cancelling.abort()
    },
  }
}
