import { once } from 'node:events'
import { Worker, isMainThread, parentPort } from 'node:worker_threads'
import { setThreadPriority } from '../../../lib/workers/thread-priority.ts'
import { openHostileWeb, type HostileWeb } from './web.ts'

/** An attacker has a machine of its own: on this one its server comes last. */
const WEB_NICE = 10

/** Runs the hostile web in a thread of its own, to keep its work off the measuring thread. */
export async function startHostileWeb(): Promise<
  Omit<HostileWeb, 'takeRequests'> & { takeRequests(): Promise<number> }
> {
  const thread = new Worker(new URL(import.meta.url))
  const [addresses] = (await once(thread, 'message')) as [Pick<HostileWeb, 'url' | 'gamePort'>]
  return {
    ...addresses,
    async takeRequests() {
      thread.postMessage('requests')
      const [count] = (await once(thread, 'message')) as [number]
      return count
    },
    close: async () => void (await thread.terminate()),
  }
}

if (!isMainThread) {
  setThreadPriority(WEB_NICE)
  const web = await openHostileWeb()
  parentPort?.on('message', () => parentPort?.postMessage(web.takeRequests()))
  parentPort?.postMessage({ url: web.url, gamePort: web.gamePort })
}
