import type { HlsRequest, HlsWindow } from '../../sources/hls/hls-windows.ts'
import { unpackFault, type HlsAnswer, type HlsQuestion } from '../node/rpc.ts'

/** The audio thread's end: playlists are fetched and parsed elsewhere. */
export type HlsClient = ReturnType<typeof createHlsClient>

export function createHlsClient(send: (question: HlsQuestion) => void) {
  const pending = new Map<number, PromiseWithResolvers<HlsWindow>>()
  let lastId = 0

  async function read(request: HlsRequest, signal: AbortSignal): Promise<HlsWindow> {
    signal.throwIfAborted()
    const id = ++lastId
    const outcome = Promise.withResolvers<HlsWindow>()
    const cancel = () => {
      outcome.reject(signal.reason)
      send({ kind: 'hlsQuestion', id, request: null })
    }
    pending.set(id, outcome)
    signal.addEventListener('abort', cancel, { once: true })
    try {
      send({ kind: 'hlsQuestion', id, request })
      return await outcome.promise
    } finally {
      pending.delete(id)
      signal.removeEventListener('abort', cancel)
    }
  }

  return {
    read,
    receive({ id, answer }: HlsAnswer) {
      const outcome = pending.get(id)
      if ('window' in answer) outcome?.resolve(answer.window)
      else outcome?.reject(unpackFault(answer.fault))
    },
  }
}
