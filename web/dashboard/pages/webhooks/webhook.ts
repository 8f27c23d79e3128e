import type { Markup } from '../../../../lib/html.ts'
import type { Attempt, DeliveryState, ListedDelivery } from '../../../../db/webhooks/delivery.ts'
import { WEBHOOK_EVENTS, type Webhook } from '../../../../db/webhooks/webhooks.ts'
import { chip, type Tone } from '../../ui/components.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import type { PageLanguage } from '../../../../lib/texts/languages.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const WEBHOOKS = textsOf('dashboard-webhooks')

export const PATH = '/dashboard/projects/:projectId/webhooks'

export function webhooksPath({ project }: ProjectRequest): string {
  return `/dashboard/projects/${project.id}/webhooks`
}

export type NamedWebhook = Awaited<ReturnType<typeof webhookOf>>

/** The webhook that the path names. @throws {Fault} `not_found` */
export async function webhookOf(request: ProjectRequest) {
  const hook = await request.context.webhooks.webhooks.get(request.project.id, request.params['webhookId'] ?? '')
  return { hook, to: `${webhooksPath(request)}/${hook.id}`, name: webhookName(hook) }
}

/** The display name: the description, or the host of the URL. */
export function webhookName({ description, url }: Webhook): string {
  return description === '' ? new URL(url).host : description
}

export function webhookChip(language: PageLanguage, { state, failingSinceMs }: Webhook): Markup {
  const { states } = WEBHOOKS[language]
  if (state === 'paused') return chip('quiet', states.paused)
  if (state === 'disabled') return chip('bad', states.disabled)
  return failingSinceMs === null ? chip('good', states.active) : chip('warn', states.failing)
}

const TONES = { pending: 'quiet', delivered: 'good', failed: 'bad' } as const satisfies Record<DeliveryState, Tone>

export function deliveryChip(
  language: PageLanguage,
  { state, attempts }: Pick<ListedDelivery, 'state' | 'attempts'>,
): Markup {
  const w = WEBHOOKS[language]
  if (state === 'pending' && attempts > 0) return chip('warn', w.retrying)
  return chip(TONES[state], w.deliveryStates[state])
}

/** `200`, or why there was no answer. */
export function answerOf(language: PageLanguage, { status, error }: Pick<Attempt, 'status' | 'error'>): string {
  return error === null ? String(status) : WEBHOOKS[language].errors[error]
}

export function eventsOf(language: PageLanguage, { events }: Webhook): string {
  const w = WEBHOOKS[language]
  return events.length === WEBHOOK_EVENTS.length
    ? w.allEvents
    : w.someEvents({ some: events.length, all: WEBHOOK_EVENTS.length })
}
