/** An event of the socket, as far as the order matters. */
export interface Told {
  readonly type: string
  readonly guildId?: string
  readonly reason?: string
}

export interface OrderWatch {
  hear(event: Told): void
  /** Everything that came in an order that no player may tell. */
  readonly wrong: readonly string[]
  readonly counts: Readonly<Record<string, number>>
  /** Guilds whose last track was never told to have ended. */
  unfinished(): readonly string[]
}

/** What the last event of a guild was, and whether a track is on by it. */
interface Place {
  isOn: boolean
  last: string
}

/**
 * Holds the events of every guild to the one order there is: a track starts, ends, and only then another starts, or the
 * queue is empty, or the player closes. One that cannot be played, or is left while it is opened, ends without a start.
 */
export function watchOrder(): OrderWatch {
  const places = new Map<string, Place>()
  const wrong: string[] = []
  const counts: Record<string, number> = {}

  function problemOf({ type, reason }: Told, { isOn, last }: Place): string | null {
    switch (type) {
      case 'trackStarted':
        return isOn ? 'a track started while another was on' : null
      case 'trackEnded':
        if (isOn || reason !== 'finished') return null
        return 'a track finished that had not started'
      case 'queueEmptied':
        return last === 'trackEnded' ? null : 'the queue was empty without the end of a track'
      case 'playerClosed':
        return isOn ? 'the player closed before its track ended' : null
      default:
        return `nobody knows the event ${type}`
    }
  }

  return {
    wrong,
    counts,
    hear(event) {
      const { guildId, type, reason } = event
      if (guildId === undefined) return
      const name = reason === undefined ? type : `${type} ${reason}`
      counts[name] = (counts[name] ?? 0) + 1
      const place = places.get(guildId) ?? { isOn: false, last: 'nothing' }
      places.set(guildId, place)
      const problem = problemOf(event, place)
      if (problem) wrong.push(`${guildId}: ${problem} (${name} after ${place.last})`)
      place.isOn = type === 'trackStarted'
      place.last = type
    },
    unfinished: () => [...places].filter(([, { isOn }]) => isOn).map(([guildId]) => guildId),
  }
}
