import type { ReadHlsWindow } from '../../sources/hls/hls-windows.ts'
import { packFault, type HlsAnswer, type HlsQuestion } from '../node/rpc.ts'

/** The main thread's end: hands the audio thread's questions on, and looks into nothing. */
export function createHlsServer(read: ReadHlsWindow, send: (answer: HlsAnswer) => void) {
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
    receive({ id, request }: HlsQuestion) {
      if (request === null) running.get(id)?.abort()
      else void answer(id, request)
    },
    /** The audio thread has ended. */
    close() {
      for (const cancelling of running.values()) cancelling.abort()
    },
  }
}
