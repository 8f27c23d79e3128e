import sql from 'sql-template-tag'
import type { Store } from '../engine/store.ts'

/** Announces that a source was turned on or off. */
export const SOURCES_TOPIC = 'sources'

/** The music sources that operators turned off on the dashboard, for all services that share the database. */
export type SourceSwitches = ReturnType<typeof createSourceSwitches>

export function createSourceSwitches(store: Store) {
  return {
    /** Names from `MUSIC_SOURCES`. */
    async listOff() {
      return (await store.all<{ readonly name: string }>(sql`SELECT name FROM source_off`)).map(({ name }) => name)
    },
    set: (name: string, isOn: boolean) =>
      store.durably(async () => {
        const change = isOn
          ? sql`DELETE FROM source_off WHERE name = ${name}`
          : sql`INSERT INTO source_off (name) VALUES (${name}) ON CONFLICT (name) DO NOTHING`
        await store.run(change)
        await store.announce(SOURCES_TOPIC)
      }),
  }
}
