import type { Logger } from '../../../lib/log.ts'
import { waitAtMost, type Clock } from '../../player/timers.ts'
import type { ChannelMessages } from '../card/channel-messages.ts'
import { createDebounce } from '../card/debounce.ts'
import { toMessage } from '../core/reply.ts'
import { cut } from '../core/autocomplete.ts'

/** A channel in which only the card stays: what members write and what they are answered goes after a moment. */
export type TidyChannel = ReturnType<typeof createTidyChannel>

interface TidyChannelOptions {
  readonly channelMessages: Pick<ChannelMessages, 'post' | 'remove' | 'tidy'>
  readonly clock: Clock
  readonly log: Logger
}

/** Discord takes five messages in five seconds in a channel. */
const SHORTEST_GAP_MS = 1500
const ANSWER_SHOWN_MS = 8000
const TROUBLE_EVERY_MS = 60 * 60_000
const CLOSE_PATIENCE_MS = 1000
/** As many as Discord removes at once. */
const MOST_AT_ONCE = 100
/** Older ones stay: a flood of this size is for moderators. */
const MOST_WAITING = 500
const MOST_LINES = 10
const LONGEST_ANSWER = 2000

export function createTidyChannel(options: TidyChannelOptions, channelId: string) {
  const { clock } = options
  const removals = createRemovals(options, channelId)
  const answers = createAnswers(options, channelId)
  let toldAtMs = -Infinity

  return {
    /** Says something for a few seconds. Answers that come together are one message. */
    say: (text: string): void => answers.add(text),
    /** Removes a member's message. @param trouble what is said, at times, where the bot may not; null if it may. */
    tidy(messageId: string, trouble: string | null): void {
      if (trouble === null) return removals.add(messageId)
      if (clock.nowMs() - toldAtMs < TROUBLE_EVERY_MS) return
      toldAtMs = clock.nowMs()
      answers.add(`⚠️ ${trouble}`)
    },
    close: (): Promise<void> => waitAtMost(clock, CLOSE_PATIENCE_MS, Promise.all([removals.close(), answers.close()])),
  }
}

/** What members wrote, removed many at once. */
function createRemovals({ channelMessages, clock, log }: TidyChannelOptions, channelId: string) {
  const waiting: string[] = []

  async function work(): Promise<boolean> {
    try {
      await channelMessages.tidy(channelId, waiting.splice(0, MOST_AT_ONCE))
    } catch (err) {
      log.warn({ err, channelId }, 'requests not tidied away')
    }
    return waiting.length > 0
  }

  const pace = createDebounce({ clock, gapMs: SHORTEST_GAP_MS, everyMs: SHORTEST_GAP_MS, work })
  return {
    add(messageId: string): void {
      if (waiting.length < MOST_WAITING) waiting.push(messageId)
      pace.due()
    },
    async close(): Promise<void> {
      pace.stop()
      await pace.settled()
      await work()
    },
  }
}

/** Answers, many in one message, each of which goes after a moment. */
function createAnswers({ channelMessages, clock, log }: TidyChannelOptions, channelId: string) {
  const lines: string[] = []
  const shown = new Map<string, () => void>()

  async function work(): Promise<boolean> {
    const text = lines.splice(0, MOST_LINES).join('\n')
    if (text === '') return false
    try {
      const id = await channelMessages.post(channelId, toMessage({ text: cut(text, LONGEST_ANSWER) }))
      const cancel = clock.after(ANSWER_SHOWN_MS, () => {
        shown.delete(id)
        void channelMessages.remove(channelId, id)
      })
      shown.set(id, cancel)
    } catch (err) {
      log.warn({ err, channelId }, 'answer to a request not posted')
    }
    return lines.length > 0
  }

  const pace = createDebounce({ clock, gapMs: SHORTEST_GAP_MS, everyMs: SHORTEST_GAP_MS, work })
  return {
    add(text: string): void {
      if (lines.length < MOST_WAITING) lines.push(text)
      pace.due()
    },
    async close(): Promise<void> {
      pace.stop()
      await pace.settled()
      for (const cancel of shown.values()) cancel()
      await Promise.all([...shown.keys()].map((id) => channelMessages.remove(channelId, id)))
    },
  }
}
