import { withRemoteMethods } from '../node/rpc.ts'
import type { Watchdog } from '../watchdog/watchdog.ts'
import type { HandoverMethods } from './handover-methods.ts'

interface Thread {
  call(name: keyof HandoverMethods, args: readonly unknown[]): Promise<unknown>
}

/** The main thread's side: passes the calls on, and tells the thread's watchdog which tracks are whose. */
export function createThreadHandover(thread: Thread, watchdog: () => Watchdog): HandoverMethods {
  const call: Thread['call'] = (name, args) => thread.call(name, args)
  const remote = withRemoteMethods<object, HandoverMethods>({}, call)
  const own: Pick<HandoverMethods, 'adopt' | 'release' | 'forget'> = {
    async adopt(offer) {
      const playable = watchdog().admit(offer.play.playable)
      watchdog().began(offer.play, offer.play.playable)
      await remote.adopt({ ...offer, play: { ...offer.play, playable } })
    },
    async release(player, playId) {
      const content = await remote.release(player, playId)
      if (content !== null) watchdog().left(player)
      return content
    },
    async forget(player) {
      watchdog().left(player)
      await remote.forget(player)
    },
  }
  return withRemoteMethods<typeof own, HandoverMethods>(own, call)
}
