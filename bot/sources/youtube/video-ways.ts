import { createLru } from '../../../lib/sharing/lru.ts'
import { outcomeOf } from '../source-health.ts'
import type { SourceFailure, WayStatus } from '../source-state.ts'
import { askInTurn, createWay, type Way } from './in-turn.ts'
import { unavailable } from './refusals.ts'
import { waysOf, type YouTubeClient, type YouTubePlayable, type YouTubeWay } from './schemas.ts'
import { createWayOrder } from './way-order.ts'

/** What two ways say of a video is true of it. */
const REFUSALS_MAX = 2

/** An address that lasted longer than this has just expired. */
const BLAME_MS = 3_600_000
const BROKE_OFF = 'YouTube stopped sending this track.'
interface VideoWaysOptions {
  readonly clients: readonly YouTubeClient[]
  readonly hasTokens: boolean
  readonly cookiesFile: string | null
  readonly cacheMax: number
  readonly now: () => number
}

/** The ways to the audio of videos: which of them gave a video last is the first to be left out when that breaks off. */
export function createVideoWays({ clients, hasTokens, cookiesFile, cacheMax, now }: VideoWaysOptions) {
  const ways = videoWaysOf(clients, hasTokens, now)
  const learned = createWayOrder(ways, { now })
  const given = createLru<string, Given>(cacheMax)
  let playing: Way | null = null

  /** Ways whose address for this video did not do. */
  function brokenFor(id: string): ReadonlySet<Way> {
    const last = given.get(id)
    if (!last || now() - last.atMs > BLAME_MS) return new Set()
    learned.failed(last.way)
    last.way.failure = unavailable(BROKE_OFF, undefined, 'source_refused')
    const all = new Set([...last.broken, last.way])
    return all.size < ways.filter(({ isUnset }) => !isUnset).length ? all : new Set([last.way])
  }
  return {
    async find(id: string, isFresh: boolean): Promise<YouTubePlayable> {
      const broken = isFresh ? brokenFor(id) : new Set<Way>()
      let refusals = 0
      return askInTurn({
        ways: learned.order().toSorted((one, other) => Number(broken.has(one)) - Number(broken.has(other))),
        learned,
        // A signed-in client sees more than the others.
        isFinal: ({ name }) => name === 'yt-dlp' || (++refusals >= REFUSALS_MAX && cookiesFile === null),
        ask: ({ name, client, isUnset }) => (isUnset ? undefined : client.video?.(id, name as YouTubeWay)),
        onAnswer: (way) => {
          playing = way
          given.set(id, { way, atMs: now(), broken })
        },
      })
    },
    states: (): readonly WayStatus[] =>
      learned.order().map((way) => ({
        name: way.name,
        state: stateOf(way, playing),
        failure: way.failure === null ? null : outcomeIn(way.failure),
      })),
  }
}

interface Given {
  readonly way: Way
  readonly atMs: number
  readonly broken: ReadonlySet<Way>
}

function stateOf(way: Way, playing: Way | null): WayStatus['state'] {
  if (way.isUnset) return 'needs_setting'
  if (way.breaker.isResting()) return 'resting'
  return way === playing ? 'playing' : 'ready'
}

function outcomeIn(failure: unknown): SourceFailure | null {
  const outcome = outcomeOf(failure)
  return outcome === 'answered' ? null : outcome
}

function videoWaysOf(clients: readonly YouTubeClient[], hasTokens: boolean, now: () => number): readonly Way[] {
  return clients.flatMap((client) =>
    waysOf([client.name]).map((name) => createWay(name, client, now, name === 'sabr' && !hasTokens)),
  )
}
