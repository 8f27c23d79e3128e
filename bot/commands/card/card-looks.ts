import type { CardMessage, CardRecords } from '../../../db/music/cards.ts'
import type { PlayerScope } from '../../player-service.ts'
import type { Clock } from '../../player/timers.ts'

/** By then the players of an earlier run are back, and with them their cards. */
const FIRST_LOOK_MS = 10_000
const LOOK_EVERY_MS = 10 * 60_000
/** Of cards that are looked at: those of thousands of guilds leave room for other requests. */
const LOOKS_A_SECOND = 5

interface LooksOptions {
  readonly records: Pick<CardRecords, 'list'>
  readonly scope: () => PlayerScope
  readonly clock: Clock
}

/** Looks at all cards of the bot a while after it connected, and every few minutes from then on. */
export function createLooks({ clock, records, scope }: LooksOptions, look: (card: CardMessage) => void) {
  let cancel: (() => void) | null = null
  let waiting: CardMessage[] = []

  function run(): void {
    for (const card of waiting.splice(0, LOOKS_A_SECOND)) look(card)
    cancel = waiting.length > 0 ? clock.after(1000, run) : clock.after(LOOK_EVERY_MS, start)
  }

  function start(): void {
    waiting = records.list(scope().botId).filter(({ messageId, isStanding }) => messageId !== null || isStanding)
    run()
  }

  return {
    start() {
      cancel = clock.after(FIRST_LOOK_MS, start)
    },
    stop: () => cancel?.(),
  }
}
