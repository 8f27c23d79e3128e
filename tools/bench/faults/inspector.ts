import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Service } from './service.ts'

/** Talks to a service that was started with `INSPECTED` (tools/bench/inspect.ts) through its inspector. */
export type Inspector = Awaited<ReturnType<typeof openInspector>>

/** Code that keeps a thread busy. */
export function busyFor(ms: number): string {
  return `{ const end = performance.now() + ${ms}; while (performance.now() < end); }`
}

export async function openInspector(service: Service) {
  const address = /Debugger listening on (ws:\S+)/.exec(service.output())?.[1]
  if (!address) throw new Error('The service is not inspected.')
  const socket = new WebSocket(address)
  await once(socket, 'open')
  let lastId = 0
  const sendTo = (method: string, params: object) => socket.send(JSON.stringify({ id: ++lastId, method, params }))

  return {
    /** Runs the expression in the main thread, without waiting for its end. */
    run: (expression: string): void => sendTo('Runtime.evaluate', { expression }),
    /** The same in the worker thread whose file has this name. @throws {Error} when there is none. */
    async runInThread(file: string, expression: string) {
      const found = Promise.withResolvers<string>()
      const listen = (data: Buffer) => {
        const { method, params } = JSON.parse(data.toString())
        if (method !== 'NodeWorker.attachedToWorker') return
        if (params.workerInfo.url.endsWith(file)) found.resolve(params.sessionId)
      }
      socket.on('message', listen)
      const timer = setTimeout(() => found.reject(new Error(`No thread runs ${file}.`)), 5000)
      sendTo('NodeWorker.disable', {})
      sendTo('NodeWorker.enable', { waitForDebuggerOnStart: false })
      const sessionId = await found.promise.finally(() => clearTimeout(timer))
      socket.off('message', listen)
      const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } })
      sendTo('NodeWorker.sendMessageToWorker', { sessionId, message })
    },
    /** A process does not end as long as someone is there: call it when the experiment has seen enough. */
    close: (): void => socket.terminate(),
  }
}
