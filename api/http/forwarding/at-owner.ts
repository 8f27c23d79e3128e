import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../lib/errors.ts'
import type { Forwarding, GuildTarget, PeerService } from '../../../lib/sharing/forwarding.ts'

const LOOK_EVERY_MS = 150
const RETRY_AFTER_MS = 2000

/** Not carried out, since that service does not run the guild. */
export const NOT_HERE = Symbol('not here')

interface Ways<T> {
  /** @throws {Fault} of a moved guild if it was not carried out, since the guild is leaving. */
  readonly here: () => Promise<T>
  readonly there: (service: PeerService) => Promise<T | typeof NOT_HERE>
  /** Whether it may be carried out twice: then it is sent again when a connection breaks. */
  readonly isRepeatable: boolean
  readonly signal: AbortSignal
}

/**
 * Does something where the guild of a bot is run, once, and waits a moment for one that changes hands.
 * @throws {Fault} `service_unavailable` if no service runs it in time.
 */
export async function doAtOwner<T>(forwarding: Forwarding, target: GuildTarget, ways: Ways<T>): Promise<T> {
  const deadline = performance.now() + forwarding.patienceMs
  for (;;) {
    const result = await attempt(forwarding, target, ways)
    if (!(result instanceof Fault)) return result
    if (performance.now() > deadline) throw result
    await sleep(LOOK_EVERY_MS, undefined, { signal: ways.signal })
    await forwarding.refresh()
  }
}

/** @returns a fault if it may be tried again. */
async function attempt<T>(forwarding: Forwarding, target: GuildTarget, ways: Ways<T>): Promise<T | Fault> {
  const place = forwarding.locate(target)
  if (place.at === 'moving') return guildMoved()
  try {
    if (place.at !== 'peer') return await ways.here()
    const result = await ways.there(place.service)
    return result === NOT_HERE ? guildMoved() : result
  } catch (err) {
    if (!(err instanceof Fault)) throw err
    if (err.peer === 'moved' || err.peer === 'unreachable') return err
    if (place.at === 'peer' && ways.isRepeatable && err.peer === 'lost') return err
    throw err
  }
}

/** The guild is not run here, and nothing was done. */
function guildMoved(): Fault {
  const message = 'The bot is changing its connection to Discord in this server. Try again in a moment.'
  return new Fault('service_unavailable', message, { retryAfterMs: RETRY_AFTER_MS, peer: 'moved' })
}

/** @throws {Fault} of a moved guild for a request that was forwarded to the wrong service. */
export function assertHere(forwarding: Forwarding, target: GuildTarget | null): void {
  if (target && forwarding.locate(target).at !== 'here') throw guildMoved()
}
