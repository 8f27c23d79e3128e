import type { Logger } from '../lib/log.ts'
import { settleWithin } from '../lib/deadline.ts'
import type { Facts } from './messages.ts'
import type { ClusterRegistry } from './bot-locations.ts'
import { allChannel, type Transport } from './transport.ts'

const SAY_EVERY_MS = 3000
const LOOK_EVERY_MS = 250
const GOODBYE_MS = 300

interface PresenceOptions {
  readonly wire: Transport
  readonly registry: ClusterRegistry
  readonly prefix: string
  readonly log: Logger
}

/** What this service is and does, or that it wants to know it of the others. */
type Word = 'here' | 'who'

/** Announces this service to the others: on every change, and periodically. */
export function createPresence({ wire, registry, prefix, log }: PresenceOptions) {
  const self = createSelf(log)
  const due = new Set<Word>()
  let said = ''
  let saidAtMs = 0
  let isSaying = false

  const send = (body: string) => wire.send(allChannel(prefix), body)

  /** Messages that cannot be sent now stay pending: while Redis is down, or still busy with the last one. */
  async function sayAll(): Promise<void> {
    for (const word of due) {
      due.delete(word)
      const body = word === 'here' ? self.words() : `"type":"${word}"`
      if (body === null) continue
      try {
        await send(body)
      } catch {
        return void due.add(word)
      }
      if (word === 'here') [said, saidAtMs] = [body, performance.now()]
    }
  }
  function say(...words: readonly Word[]): void {
    for (const word of words) due.add(word)
    if (isSaying || !wire.isReady) return
    isSaying = true
    void sayAll().finally(() => (isSaying = false))
  }
  function turn(): void {
    registry.prune()
    if (self.words() !== said || performance.now() - saidAtMs > SAY_EVERY_MS) say('here')
    else say()
  }
  const looking = setInterval(turn, LOOK_EVERY_MS)

  return {
    say: () => say('here'),
    announce(given: () => Facts): void {
      self.announce(given)
      say('here')
    },
    arrive: () => say('who', 'here'),
    async close(): Promise<void> {
      clearInterval(looking)
      if (wire.isReady) await settleWithin(GOODBYE_MS, send('"type":"gone"'))
    },
  }
}

/** What this service announces of itself. */
function createSelf(log: Logger) {
  let source: (() => Facts) | null = null
  function facts(): Facts | null {
    try {
      return source?.() ?? null
    } catch (err) {
      log.debug({ err }, 'service facts unavailable')
      return null
    }
  }
  return {
    announce: (given: () => Facts) => void (source = given),
    /** The fields of a message; null before the service is introduced. */
    words(): string | null {
      const known = facts()
      if (!known) return null
      return JSON.stringify({ type: 'here', ...known }).slice(1, -1)
    },
  }
}
