import { createHash } from 'node:crypto'
import type { ProjectEvent } from '../../bot/events.ts'
import { newDeliveryId } from '../../db/webhooks/deliveries.ts'
import type { DeliveryAttempt } from '../../db/webhooks/delivery.ts'

/** The event of the socket under `data`, with what it is and when it happened beside it. */
export function messageOf({ projectId, event }: ProjectEvent, atMs: number): DeliveryAttempt {
  const { type, ...data } = event
  const body = bodyOf(type, data, atMs)
  if (event.type !== 'jobEnded') return { projectId, type, botId: event.botId, body, idFor: newDeliveryId }
  // After a crash the end of a job may be reported again: then its delivery is known.
  const { jobId } = event
  return { projectId, type, botId: null, body, idFor: (webhookId) => fixedId(`${webhookId} ${jobId}`) }
}

/** Body of a test event, which a person sends to see whether it arrives. */
export function testBody(webhookId: string, atMs: number): string {
  return bodyOf('test', { webhookId, message: 'This is a test event.' }, atMs)
}

function fixedId(mark: string): string {
  return `msg_${createHash('sha256').update(mark).digest('hex').slice(0, 20)}`
}

function bodyOf(type: string, data: object, atMs: number): string {
  return JSON.stringify({ type, timestamp: new Date(atMs).toISOString(), data })
}
