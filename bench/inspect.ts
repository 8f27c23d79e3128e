import { readFileSync } from 'node:fs'
import { once } from 'node:events'
import { WebSocket } from 'ws'

/** For the environment of a service whose memory is to be looked at. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

export interface Memory {
  readonly heapMiB: number
  readonly residentMiB: number
}

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

/** Collects a process's garbage and tells what is left. */
export async function collectedMemory(output: string, pid: number): Promise<Memory> {
  const usedSize = await inspect(output, async (ask) => {
    // What one collection lets go of, finalizers included, the next one frees.
    await ask('HeapProfiler.collectGarbage')
    await ask('HeapProfiler.collectGarbage')
    return (await ask('Runtime.getHeapUsage')).usedSize
  })
  const residentKiB = Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  return { heapMiB: usedSize / 1024 / 1024, residentMiB: residentKiB / 1024 }
}
