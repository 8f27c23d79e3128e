import type { Clock } from '../player/timers.ts'
import { OWN_SOURCES, SOURCE_FACTS, SOURCE_NAMES, type SourceName } from './settings.ts'
import { outcomeOf, type SourceHealth, type SourceTask } from './source-health.ts'
import type { Sources } from './source.ts'

interface CanaryOptions {
  readonly sources: Pick<Sources, 'names' | 'find' | 'search' | 'open'>
  readonly health: Pick<SourceHealth, 'failureOf' | 'judge' | 'subscribe'>
  readonly clock: Clock
  /** Whether music can be asked for now: a bot is connected. */
  readonly isNeeded: () => boolean
}

/** Between two looks at a source that answers. */
export const CANARY_PERIOD_MS = 3_600_000
/** After the start, and while no bot is connected. */
const WAIT_MS = 60_000
/** So that not all sources are asked in the same moment. */
const STAGGER_MS = 5000
/** After a failure; each further wait is twice as long. */
const RETRY_MS = 15_000
const RETRY_MAX_MS = 900_000
/** Time limit of one check: yt-dlp may be the third way that is tried. */
const PATIENCE_MS = 30_000

/** Every site of music has plenty of each. They take turns, since answers to the same words are kept for a while. */
const WORDS = ['love', 'night', 'jazz', 'summer', 'rock', 'blue', 'dance', 'house', 'gold', 'classic', 'river', 'soul']

/** Songs that have been there for years. What a site has no more is an answer, too. */
const LINKS: Partial<Readonly<Record<SourceName, string>>> = {
  spotify: 'https://open.spotify.com/track/4cOdK2wGLETKBW3PvgPWqT',
  deezer: 'https://www.deezer.com/track/3135556',
  apple: 'https://music.apple.com/us/album/bohemian-rhapsody/1440806041?i=1440806768',
}

/** Asks each source now and then for what it is known to have: once an hour, and soon again while it fails. */
export function startCanary(options: CanaryOptions) {
  const { sources, health, clock, isNeeded } = options
  const waiting = new Map<SourceName, () => void>()
  const retries = new Map<SourceName, number>()
  let looks = 0
  let isClosed = false

  function schedule(name: SourceName, delayMs: number): void {
    waiting.get(name)?.()
    if (!isClosed)
      waiting.set(
        name,
        clock.after(delayMs, () => void lookAgain(name)),
      )
  }

  async function lookAgain(name: SourceName): Promise<void> {
    waiting.delete(name)
    const isAsked = isNeeded() && sources.names.includes(name)
    if (isAsked) await look(options, name, WORDS[looks++ % WORDS.length] ?? 'love')
    schedule(name, isAsked ? nextDelayMs(name) : WAIT_MS)
  }

  function nextDelayMs(name: SourceName): number {
    const tries = health.failureOf(name) === null ? null : (retries.get(name) ?? 0)
    retries.set(name, tries === null ? 0 : tries + 1)
    return tries === null ? CANARY_PERIOD_MS : Math.min(RETRY_MS * 2 ** tries, RETRY_MAX_MS)
  }

  const unsubscribe = health.subscribe(({ name, failure }) => {
    // Members met it first: the next look tells whether it was the source or what they asked for.
    const isHourly = waiting.has(name) && (retries.get(name) ?? 0) === 0
    if (failure !== null && isHourly) schedule(name, nextDelayMs(name))
  })
  const watched = SOURCE_NAMES.filter((name) => !OWN_SOURCES.has(name))
  for (const [i, name] of watched.entries()) schedule(name, WAIT_MS + i * STAGGER_MS)
  return {
    close() {
      isClosed = true
      unsubscribe()
      for (const cancel of waiting.values()) cancel()
    },
  }
}

/** Searches and opens, or reads a link, and tells what came of it. Does not reject. */
async function look({ sources, health, clock }: CanaryOptions, name: SourceName, words: string): Promise<void> {
  const over = new AbortController()
  const late = () => over.abort(new DOMException("The source didn't respond.", 'TimeoutError'))
  const cancel = clock.after(PATIENCE_MS, late)
  let task: SourceTask = 'find'
  try {
    const link = LINKS[name]
    const track = link
      ? await sources.find(link, over.signal)
      : (await sources.search(words, { limit: 1, source: name, signal: over.signal }))[0]
    health.judge(name, 'find', track || SOURCE_FACTS[name].isOperators ? 'answered' : 'changed')
    // Opening a station or an episode counts as listening, and other sources open the songs of links.
    if (!track || 'tracks' in track || name === 'radio' || name === 'podcast') return
    task = 'open'
    await sources.open(track, over.signal, true)
    health.judge(name, 'open', 'answered')
  } catch (error) {
    const outcome = outcomeOf(error)
    if (outcome) health.judge(name, task, outcome)
  } finally {
    cancel()
  }
}
