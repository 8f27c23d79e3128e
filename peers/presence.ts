import type { EventBus } from '../bot/events.ts'
import type { Logger } from '../log.ts'
import type { Facts } from './messages.ts'
import type { Roster } from './roster.ts'
import { allChannel, type Wire } from './wire.ts'

const SAY_EVERY_MS = 3000
const LOOK_EVERY_MS = 250
/** Sockets that open together are told of together. */
const GATHER_MS = 20
const GOODBYE_MS = 300

interface PresenceOptions {
  readonly wire: Wire
  readonly roster: Roster
  readonly events: EventBus
  readonly prefix: string
  readonly log: Logger
}

/** Tells the others of this service: at once when something changed, and over and over while nothing does. */
export function createPresence({ wire, roster, events, prefix, log }: PresenceOptions) {
  let facts: (() => Facts) | null = null
  let said = ''
  let saidAtMs = 0
  let isSaying = false
  let gathering: NodeJS.Timeout | null = null
  const doubled = new Set<string>()

  const send = (body: string) => wire.send(allChannel(prefix), body).catch(() => undefined)
  function words(): string | null {
    if (!facts) return null
    const { wanted, ...rest } = facts()
    return JSON.stringify({ type: 'here', ...rest, wanted: [...new Set([...wanted, ...events.wanted])] }).slice(1, -1)
  }

  function say(body = words()): void {
    // Without Redis nobody hears it, and one that hangs has to take the last word first; the next look says it.
    if (body === null || isSaying || !wire.isReady) return
    said = body
    saidAtMs = performance.now()
    isSaying = true
    void send(body).finally(() => (isSaying = false))
  }
  function look(): void {
    roster.tidy()
    const body = words()
    if (body !== said || performance.now() - saidAtMs > SAY_EVERY_MS) say(body)
  }
  const looking = setInterval(look, LOOK_EVERY_MS)
  const stopWatching = events.onWanted(() => {
    gathering ??= setTimeout(() => {
      gathering = null
      look()
    }, GATHER_MS)
  })

  return {
    say: () => say(),
    introduce(given: () => Facts): void {
      facts = given
      say()
    },
    arrive(): void {
      void send('"type":"who"')
      say()
    },
    /** Two services that log in as the same bot would play over each other. */
    compare(bots: readonly string[], baseUrl: string): void {
      const own = new Set(facts?.().bots)
      for (const botId of bots.filter((id) => own.has(id) && !doubled.has(id))) {
        doubled.add(botId)
        log.error({ botId, baseUrl }, 'another service runs this bot as well; remove or stop it on one of them')
      }
    },
    async close(): Promise<void> {
      clearInterval(looking)
      if (gathering) clearTimeout(gathering)
      stopWatching()
      if (wire.isReady) await Promise.race([send('"type":"gone"'), patience()])
    },
  }
}

function patience(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, GOODBYE_MS).unref())
}
