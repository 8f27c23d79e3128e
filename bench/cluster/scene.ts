import { setTimeout as sleep } from 'node:timers/promises'
import type { Installation, InstalledService } from '../../test/support/installation.ts'
import { pick } from './pick.ts'
import type { Stage } from './stage.ts'

/** What a fault works with. */
export interface Scene {
  readonly installed: Installation
  readonly random: () => number
  /** One of the services that run players: the others have little to lose. */
  pickService(): Promise<InstalledService>
  /**
   * Resolves when every shard is ready and every player sounds, or after 10 s.
   * @param without a service that must not run any shard by then.
   */
  whenHealed(without?: InstalledService): Promise<void>
}

const HEALED_WITHIN_MS = 10_000
const LOOK_EVERY_MS = 100

interface Look {
  /** Ports of the services with a player. */
  readonly playing: ReadonlySet<string>
  /** Of each shard; null: it is not ready. */
  readonly owners: readonly (string | null)[]
}

export function createScene({ installed, ears }: Pick<Stage, 'installed' | 'ears'>, random: () => number): Scene {
  return {
    installed,
    random,
    async pickService() {
      const { playing } = await look(installed)
      const busy = installed.services.filter(({ baseUrl }) => playing.has(portOf(baseUrl)))
      return pick(random, busy.length > 0 ? busy : installed.services)
    },
    async whenHealed(without) {
      const away = without && portOf(without.baseUrl)
      const untilMs = performance.now() + HEALED_WITHIN_MS
      while (performance.now() < untilMs) {
        const { owners } = await look(installed)
        const isRun = owners.length > 0 && owners.every((owner) => owner !== null && owner !== away)
        if (isRun && ears.every(({ ear }) => ear.isSounding())) return
        await sleep(LOOK_EVERY_MS)
      }
    },
  }
}

const portOf = (url: string): string => new URL(url).port

async function look(installed: Installation): Promise<Look> {
  // Redis may be away.
  const { services, bots } = await installed.admin('cluster').catch(() => ({ services: [], bots: [] }))
  const ports = new Map<string, string>(services.map(({ id, url }: any) => [id, portOf(url)]))
  const playing = services.filter(({ players }: any) => players > 0).map(({ url }: any) => portOf(url))
  const owners = (bots[0]?.shards ?? []).map(({ state, serviceId }: any) =>
    state === 'ready' ? (ports.get(serviceId) ?? null) : null,
  )
  return { playing: new Set(playing), owners }
}
