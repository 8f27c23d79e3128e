import { setImmediate as nextTurn } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Logger } from '../../lib/log.ts'
import { BODIES_KEPT_MS, type KeptBodies } from '../../lib/request-log/kept-bodies.ts'
import { firstIdAt, type BodyLog } from '../../lib/request-log/request-log.ts'
import { createLeakyBuckets } from '../../lib/sharing/leaky-buckets.ts'
import type { Store } from '../engine/store.ts'

const TOPIC = 'kept_bodies'
/** The newest of a project, some 6 MB. Those above are removed within a minute. */
const MOST_PER_PROJECT = 200
/** Requests of one project: to leave secrets out of the longest takes a few milliseconds. */
const PACE = { burst: 30, perSecond: 1 }
/** Some four milliseconds. */
const CLEARED_AT_ONCE = 200

export type OpenBodyLog = ReturnType<typeof openKeptBodies>

/** The switches of projects, and the bodies in the rows of `logged_request`. */
export function openKeptBodies(store: Store, { log, now }: { readonly log: Logger; readonly now: () => number }) {
  const buckets = createLeakyBuckets(now)
  let ends: ReadonlyMap<string, number> = new Map()

  async function load(): Promise<void> {
    const query = sql`SELECT project_id AS "projectId", until_ms AS "untilMs" FROM logged_request_capture`
    const rows = await store.all<{ readonly projectId: string; readonly untilMs: number }>(query)
    ends = new Map(rows.map(({ projectId, untilMs }) => [projectId, untilMs]))
  }
  const isOn = (projectId: string) => (ends.get(projectId) ?? 0) > now()
  const reload = () => void load().catch((err: unknown) => log.warn({ err }, 'reading request log failed'))
  const close = store.subscribe(TOPIC, reload)
  reload()

  return {
    admits: (projectId) => isOn(projectId) && buckets.take(projectId, PACE) === 0,
    async find({ id, projectId, requestId }) {
      const row = await store.find<{ readonly bodies: string }>(sql`
        SELECT bodies FROM logged_request JOIN logged_request_capture USING (project_id)
         WHERE project_id = ${projectId} AND id = ${id} AND request_id = ${requestId} AND bodies IS NOT NULL
           AND id >= ${firstIdAt(now() - BODIES_KEPT_MS)}`)
      return row ? (JSON.parse(row.bodies) as KeptBodies) : null
    },
    async untilMs(projectId) {
      await load()
      return isOn(projectId) ? (ends.get(projectId) ?? null) : null
    },
    async keepUntil(projectId, untilMs) {
      await store.atomically(async () => {
        await store.run(sql`DELETE FROM logged_request_capture WHERE project_id = ${projectId}`)
        if (untilMs !== null) await store.run(sql`INSERT INTO logged_request_capture VALUES (${projectId}, ${untilMs})`)
        await store.announce(TOPIC)
      })
      await this.tidy()
    },
    /** Removes what is too old, too much, or of a project that has ended it. */
    async tidy() {
      const sinceMs = now() - BODIES_KEPT_MS
      await store.run(sql`DELETE FROM logged_request_capture WHERE until_ms < ${sinceMs}`)
      const clearing = sql`
        UPDATE logged_request SET bodies = NULL WHERE bodies IS NOT NULL AND (project_id, id) IN (
          SELECT project_id, id FROM (
            SELECT project_id, id, row_number() OVER (PARTITION BY project_id ORDER BY id DESC) AS place
              FROM logged_request WHERE bodies IS NOT NULL) AS kept
           WHERE id < ${firstIdAt(sinceMs)} OR place > ${MOST_PER_PROJECT}
              OR project_id NOT IN (SELECT project_id FROM logged_request_capture)
           LIMIT ${CLEARED_AT_ONCE})`
      while ((await store.run(clearing)) >= CLEARED_AT_ONCE) await nextTurn()
      await load()
    },
    close,
  } satisfies BodyLog & { tidy(): Promise<void>; close(): void }
}
