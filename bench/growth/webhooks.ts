import { createDeliveries } from '../../db/webhooks/deliveries.ts'
import { temporaryDatabase } from '../../test/support/database.ts'
import { HARDLY, IN_STEP, medianMs, type Dimension } from './dimension.ts'

/** As many as may wait for one; further events are left out, and counted. */
const WAITING_EACH = 1000
/** With room for those that are stored. */
const FILLED_EACH = WAITING_EACH - 100
const WEBHOOKS_EACH = 10
const BODY = JSON.stringify({ type: 'trackStarted', data: 'x'.repeat(400) })

/** Events that wait for webhooks whose hosts do not answer. */
export const webhooks: Dimension = {
  name: 'webhooks',
  of: 'deliveries that wait',
  sizes: [100, 10_000, 100_000],
  bound: '1,000 wait for one webhook; a project has 10',
  async measure(size) {
    const { db, store, close } = temporaryDatabase()
    try {
      db.pragma('synchronous = OFF')
      const project = db.prepare(`INSERT INTO project (id, name, plan, created_at_ms) VALUES (?, 'Growth', 'scale', 0)`)
      const webhook = db.prepare(
        `INSERT INTO webhook (id, project_id, url, description, events, sealed_secret, created_at_ms)
         VALUES (?, ?, 'https://hooks.example', '', '["trackStarted"]', x'00', 0)`,
      )
      const delivery = db.prepare(
        `INSERT INTO webhook_delivery (id, project_id, webhook_id, type, body, state, tries_left, next_at_ms, created_at_ms)
         VALUES (?, ?, ?, 'trackStarted', ?, 'pending', 7, ?, ?)`,
      )
      const nowMs = Date.now()
      const count = Math.max(WEBHOOKS_EACH, Math.ceil(size / FILLED_EACH))
      db.transaction(() => {
        for (let i = 0; i < count; i += 1) {
          const projectId = `prj_${Math.floor(i / WEBHOOKS_EACH)}`
          if (i % WEBHOOKS_EACH === 0) project.run(projectId)
          webhook.run(`whk_${i}`, projectId)
          for (let n = 0; n < size / count; n += 1)
            delivery.run(`evt_${i}_${n}`, projectId, `whk_${i}`, BODY, nowMs + n, nowMs)
        }
      })()
      const deliveries = createDeliveries(store)
      const each = { unit: ' ms', atMost: HARDLY, floor: 0.1 }
      const publish = (i: number) =>
        deliveries.publish({
          projectId: 'prj_0',
          type: 'trackStarted',
          botId: null,
          body: BODY,
          idFor: (webhookId) => `${webhookId}_new_${i}`,
        })
      return [
        {
          what: 'read what is due of a webhook',
          value: await medianMs(200, () => deliveries.upcoming('prj_0', 'whk_0', 10)),
          ...each,
        },
        {
          what: 'list webhooks for which something waits',
          value: await medianMs(20, () => deliveries.waiting()),
          ...each,
          atMost: IN_STEP,
        },
        {
          what: 'count all that wait',
          value: await medianMs(20, () => deliveries.countWaiting()),
          ...each,
          atMost: IN_STEP,
        },
        { what: 'store an event for 10 webhooks', value: await medianMs(20, publish), ...each },
        {
          what: 'look for deliveries that are too old',
          value: await medianMs(20, () => deliveries.prune(100)),
          ...each,
        },
      ]
    } finally {
      close()
    }
  },
}
