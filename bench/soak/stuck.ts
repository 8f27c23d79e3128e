import type { Party } from './actions.ts'

export interface StuckWatch {
  /** Players that should have moved and did not, each told once. */
  readonly stuck: readonly string[]
  readonly mostPlayers: () => number
  close(): Promise<void>
}

interface Seen {
  readonly positionMs: number
  readonly encoded: string
  readonly sinceMs: number
}

const LOOK_EVERY_MS = 1000
/** Longer than any rejoin that succeeds, and than what is held back for a source that resumes. */
const STUCK_AFTER_MS = 20_000

/** Looks at all players again and again. One that says it plays has to move, unless someone does something to it. */
export function watchForStuck(party: Party): StuckWatch {
  const seen = new Map<string, Seen>()
  const stuck: string[] = []
  let most = 0
  const over = new AbortController()

  async function look(): Promise<void> {
    const { data } = await party.get('/v1/music/players')
    const nowMs = performance.now()
    most = Math.max(most, data.length)
    for (const { guildId, current, paused, silenced, positionMs } of data) {
      const before = seen.get(guildId)
      const encoded: string = current?.encoded ?? ''
      const isStill = paused || silenced !== null || encoded === ''
      if (!before || before.positionMs !== positionMs || before.encoded !== encoded || isStill) {
        seen.set(guildId, { positionMs, encoded, sinceMs: nowMs })
        continue
      }
      const touched = party.guilds.find((guild) => guild.guildId === guildId)?.touchedAtMs ?? 0
      if (nowMs - Math.max(before.sinceMs, touched) < STUCK_AFTER_MS) continue
      seen.delete(guildId)
      stuck.push(`${guildId} at ${positionMs} ms of ${current.title} (${current.uri})`)
    }
  }

  async function run(): Promise<void> {
    while (!over.signal.aborted) {
      await look()
      await new Promise((resolve) => {
        setTimeout(resolve, LOOK_EVERY_MS)
      })
    }
  }
  const running = run()
  return {
    stuck,
    mostPlayers: () => most,
    async close() {
      over.abort()
      await running
    },
  }
}
