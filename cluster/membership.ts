import type { EventBus } from '../bot/events.ts'
import type { Logger } from '../lib/log.ts'
import { settleWithin } from '../lib/deadline.ts'
import type { Facts, Here } from './messages.ts'
import type { ClusterRegistry } from './bot-registry.ts'
import { allChannel, type Transport } from './transport.ts'

const SAY_EVERY_MS = 3000
const LOOK_EVERY_MS = 250
/** Sockets that open together are told of together. */
const GATHER_MS = 20
const GOODBYE_MS = 300

interface PresenceOptions {
  readonly wire: Transport
  readonly roster: ClusterRegistry
  readonly events: EventBus
  readonly prefix: string
  readonly log: Logger
}

/** What this service is and does, or that it wants to know it of the others. */
type Word = 'here' | 'who'

/** Tells the others of this service: at once when something changed, and over and over while nothing does. */
export function createPresence({ wire, roster, events, prefix, log }: PresenceOptions) {
  const self = createSelf(events, log)
  const due = new Set<Word>()
  let said = ''
  let saidAtMs = 0
  let isSaying = false
  let gathering: NodeJS.Timeout | null = null

  const send = (body: string) => wire.send(allChannel(prefix), body)

  /** What cannot be said now stays due: without Redis nobody hears it, and one that hangs has to take the last first. */
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
    roster.tidy()
    if (self.words() !== said || performance.now() - saidAtMs > SAY_EVERY_MS) say('here')
    else say()
  }
  const looking = setInterval(turn, LOOK_EVERY_MS)
  const stopWatching = events.onWanted(() => {
    gathering ??= setTimeout(() => {
      gathering = null
      turn()
    }, GATHER_MS)
  })

  return {
    /** Those that run here. */
    bots: () => self.look()?.bots ?? [],
    say: () => say('here'),
    introduce(given: () => Facts): void {
      self.introduce(given)
      say('here')
    },
    arrive: () => say('who', 'here'),
    async close(): Promise<void> {
      clearInterval(looking)
      if (gathering) clearTimeout(gathering)
      stopWatching()
      if (wire.isReady) await settleWithin(GOODBYE_MS, send('"type":"gone"'))
    },
  }
}

/** What there is to tell of this service. */
function createSelf(events: EventBus, log: Logger) {
  let facts: (() => Facts) | null = null
  function look(): Facts | null {
    try {
      return facts?.() ?? null
    } catch (err) {
      log.debug({ err }, 'nothing known of this service')
      return null
    }
  }
  return {
    introduce: (given: () => Facts) => void (facts = given),
    look,
    /** The fields of a message; null: there is nothing to tell yet. */
    words(): string | null {
      const known = look()
      if (!known) return null
      const wanted = new Set([...known.wanted, ...events.wanted])
      return JSON.stringify({ type: 'here', ...known, wanted: [...wanted] }).slice(1, -1)
    },
  }
}

/** Two services that log in as the same bot play over each other; whoever notices says so, once for each bot. */
export function createDoubles(log: Logger) {
  const told = new Set<string>()
  return {
    look(own: readonly string[], { bots, baseUrl }: Here): void {
      const here = new Set(own)
      for (const botId of bots.filter((id) => here.has(id) && !told.has(id))) {
        told.add(botId)
        log.error({ botId, baseUrl }, 'another service runs this bot as well; remove or stop it on one of them')
      }
    },
  }
}
