import type { CardMessage } from '../../../db/music/cards.ts'
import type { Clock } from '../../player/timers.ts'
import type { SavedCards } from './card-state.ts'
import type { ChannelMessages } from './channel-messages.ts'

/** Players of an earlier run are restored by then, and their cards with them. */
const FIRST_LOOK_MS = 10_000
const LOOK_EVERY_MS = 10 * 60_000
/** Cards to check per second: those of thousands of guilds leave room for other requests. */
const LOOKS_A_SECOND = 5

interface LooksOptions {
  readonly saved: Pick<SavedCards, 'list'>
  readonly clock: Clock
  readonly channelMessages: Pick<ChannelMessages, 'localeOf'>
}

/** Looks at all cards of the bot a while after it connected, and every few minutes from then on. */
export function createLooks({ clock, saved, channelMessages }: LooksOptions, look: (card: CardMessage) => void) {
  let cancel: (() => void) | null = null
  let waiting: CardMessage[] = []
  let isStopped = false

  function run(): void {
    // Other services look at those of the guilds that they run.
    for (const card of waiting.splice(0, LOOKS_A_SECOND)) if (channelMessages.localeOf(card.guildId)) look(card)
    cancel = waiting.length > 0 ? clock.after(1000, run) : clock.after(LOOK_EVERY_MS, () => void start())
  }

  async function start(): Promise<void> {
    // If the database does not answer, the next look finds them.
    const all = await saved.list().catch(() => [])
    if (isStopped) return
    waiting = all.filter(({ messageId, isStanding }) => messageId !== null || isStanding)
    run()
  }

  return {
    start() {
      cancel = clock.after(FIRST_LOOK_MS, () => void start())
    },
    stop() {
      isStopped = true
      cancel?.()
    },
  }
}
