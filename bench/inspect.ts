import { readFileSync } from 'node:fs'
import { once } from 'node:events'
import { WebSocket } from 'ws'

/** For the environment of a service whose memory is to be looked at. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

export interface Memory {
  readonly heapMiB: number
  readonly residentMiB: number
}

/** Collects a process's garbage by way of its inspector, whose address is in its output, and tells what is left. */
export async function collectedMemory(output: string, pid: number): Promise<Memory> {
  const address = /Debugger listening on (ws:\S+)/.exec(output)?.[1]
  if (!address) throw new Error('The process is not inspected.')
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const ask = async (id: number, method: string) => {
    socket.send(JSON.stringify({ id, method }))
    for (;;) {
      const [data] = await once(socket, 'message')
      const message = JSON.parse(String(data))
      if (message.id === id) return message.result
    }
  }
  // What one collection lets go of, finalizers included, the next one frees.
  await ask(1, 'HeapProfiler.collectGarbage')
  await ask(2, 'HeapProfiler.collectGarbage')
  const { usedSize } = await ask(3, 'Runtime.getHeapUsage')
  socket.close()
  const residentKiB = Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  return { heapMiB: usedSize / 1024 / 1024, residentMiB: residentKiB / 1024 }
}
