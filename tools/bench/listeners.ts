import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { RunningService } from '../../test/support/service.ts'
import type { ListenerOrder, ListenerReport } from './event-listeners.ts'

/** The process of `event-listeners.ts`, whose sockets listen to a service. */
export function startListeners(service: RunningService) {
  const child = fork(join(import.meta.dirname, 'event-listeners.ts'))
  const port = Number(new URL(service.demo.baseUrl).port)
  const order = async (order: ListenerOrder): Promise<ListenerReport> => {
    child.send(order)
    return (await once(child, 'message'))[0]
  }
  return {
    child,
    order,
    open: (count: number, events: string) => order({ open: { port, key: service.demo.keys.linked, count, events } }),
    /** Returns the times at which each socket received the event of `cause`. */
    async hear(cause: () => Promise<unknown>): Promise<readonly (number | null)[]> {
      await order({ await: true })
      const report = once(child, 'message')
      await cause()
      const [{ heard }] = (await report) as [{ heard: readonly (number | null)[] }]
      return heard
    },
  }
}
