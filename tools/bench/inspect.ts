import { once } from 'node:events'
import { WebSocket } from 'ws'

/** The environment of a service to inspect. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

/** Asks a process's inspector, whose address is in its output, one thing after the other. */
type Ask = (method: string, params?: object) => Promise<any>

async function inspect<T>(output: string, use: (ask: Ask) => Promise<T>): Promise<T> {
  const address = /Debugger listening on (ws:\S+)/.exec(output)?.[1]
  if (!address) throw new Error('The process is not inspected.')
  const socket = new WebSocket(address)
  await once(socket, 'open')
  let asked = 0
  try {
    return await use(async (method, params) => {
      const id = ++asked
      socket.send(JSON.stringify({ id, method, params }))
      for (;;) {
        const [data] = await once(socket, 'message')
        const message = JSON.parse(String(data))
        if (message.id === id) return message.result
      }
    })
  } finally {
    socket.close()
  }
}

/** Runs a script in the main thread of a process. */
export function evaluate(output: string, expression: string): Promise<unknown> {
  return inspect(output, (ask) => ask('Runtime.evaluate', { expression }))
}
