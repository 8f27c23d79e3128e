import type { LyricLine } from '../../../upstream/music/lrc.ts'
import { nullOn } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/log.ts'
import type { Clock } from '../../player/timers.ts'
import { tempoOf } from '../../player/audio-settings/filters.ts'
import type { PlayerScope, PlayerService } from '../../player-service.ts'
import { drawWords, lineAt } from './live-lyrics-message.ts'
import type { ChannelMessages } from '../card/channel-messages.ts'
import { toMessage } from '../core/reply.ts'
import type { Words } from '../common-text.ts'

/** The words of a track whose lines all have their times. */
interface TimedLyrics {
  /** The track's token: with another track it is over. */
  readonly encoded: string
  readonly title: string
  readonly lines: readonly LyricLine[]
  /** Whose language the message speaks. */
  readonly words: Words
}

/** Messages in which the words of a song follow the music: at most one in each guild, gone when the song is. */
export interface LiveLyrics {
  /** Instead of the one there was. @throws when Discord does not take the message. */
  start(guildId: string, channelId: string, song: TimedLyrics): Promise<void>
  /** The track is over, or a member stopped it. @returns false if no message follows the music. */
  end(guildId: string): boolean
  /** Waits for what is being sent. */
  close(): Promise<void>
}

interface LiveLyricsOptions {
  readonly music: Pick<PlayerService, 'info'>
  readonly channelMessages: Pick<ChannelMessages, 'post' | 'edit' | 'remove'>
  readonly scope: () => PlayerScope
  readonly clock: Clock
  readonly log: Logger
}

/** Discord takes five edits in five seconds in a channel, those of the card included. */
const SHORTEST_GAP_MS = 2000
/** How soon a jump or the end of a pause is noticed. */
const LONGEST_GAP_MS = 4000
/** A line is seen a moment after it was sent. */
const AHEAD_MS = 400
const MOST_FAILURES = 3

interface Singing {
  readonly guildId: string
  readonly channelId: string
  readonly song: TimedLyrics
  messageId: string
  /** Which line was shown last; -1 before the first. */
  shown: number
  failures: number
  isOver: boolean
  cancel: () => void
  sending: Promise<void>
}

export function createLiveLyrics(options: LiveLyricsOptions): LiveLyrics {
  const { channelMessages, log } = options
  const singing = new Map<string, Singing>()
  const removals = new Set<Promise<unknown>>()

  function end(guildId: string): boolean {
    const it = singing.get(guildId)
    if (!it) return false
    singing.delete(guildId)
    it.isOver = true
    it.cancel()
    // An edit that is under way would come after the removal and find nothing.
    const removal = it.sending
      .then(() => channelMessages.remove(it.channelId, it.messageId))
      .finally(() => removals.delete(removal))
    removals.add(removal)
    return true
  }

  async function step(it: Singing): Promise<void> {
    const next = await follow(options, it).catch((err: unknown) => {
      log.warn({ err, guildId: it.guildId }, 'live lyrics failed')
      it.failures += 1
      return it.failures < MOST_FAILURES ? LONGEST_GAP_MS : null
    })
    if (it.isOver) return
    if (next === null) end(it.guildId)
    else it.cancel = options.clock.after(next, () => run(it))
  }

  function run(it: Singing): void {
    it.sending = step(it)
  }

  return {
    async start(guildId, channelId, song) {
      end(guildId)
      const messageId = await channelMessages.post(channelId, toMessage(drawWords(song, -1)))
      end(guildId)
      const it: Singing = {
        guildId,
        channelId,
        song,
        messageId,
        shown: -1,
        failures: 0,
        isOver: false,
        cancel: () => undefined,
        sending: Promise.resolve(),
      }
      singing.set(guildId, it)
      it.cancel = options.clock.after(SHORTEST_GAP_MS, () => run(it))
    },
    end,
    async close() {
      for (const guildId of singing.keys()) end(guildId)
      await Promise.all(removals)
    },
  }
}

/** Shows where the music is. @returns when to look again; null when the song or its message is gone. */
async function follow({ music, channelMessages, scope }: LiveLyricsOptions, it: Singing): Promise<number | null> {
  const { song } = it
  const player = await music.info(scope(), it.guildId).catch(nullOn('not_found'))
  if (player?.current?.encoded !== song.encoded) return null
  const positionMs = player.positionMs + AHEAD_MS
  const at = lineAt(song.lines, positionMs)
  if (at !== it.shown && !it.isOver) {
    it.shown = at
    if (!(await channelMessages.edit(it.channelId, it.messageId, toMessage(drawWords(song, at))))) return null
  }
  it.failures = 0
  const nextMs = song.lines[at + 1]?.timeMs ?? null
  if (nextMs === null || player.paused || player.silenced !== null) return LONGEST_GAP_MS
  const waitMs = (nextMs - positionMs) / tempoOf(player.filters)
  return Math.min(Math.max(waitMs, SHORTEST_GAP_MS), LONGEST_GAP_MS)
}
