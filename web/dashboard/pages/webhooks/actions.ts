import { redirect, type Outcome } from '../../http/route.ts'
import { record, type ProjectRequest } from '../../http/page-request.ts'
import type { BulkList } from '../bulk.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'
import { webhookName, webhooksPath, webhookOf } from './webhook.ts'

const WEBHOOKS = textsOf('dashboard-webhooks')

/** Sends a test message, and leads to its result. */
export async function sendTest(request: ProjectRequest): Promise<Outcome> {
  const { context, project } = request
  const { hook, to, name } = await webhookOf(request)
  if (hook.state !== 'active') return redirect(`${to}?not=inactive`)
  const id = await context.webhooks.sendTest(project.id, hook.id)
  if (id === null) return redirect(`${to}?not=full`)
  await record(request, 'webhook.tested', name, { id: hook.id })
  return redirect(`${to}/deliveries/${id}`)
}

export async function setState(request: ProjectRequest, state: 'active' | 'paused'): Promise<Outcome> {
  const { context, project } = request
  const { hook, to, name } = await webhookOf(request)
  await context.webhooks.webhooks.setState(project.id, hook.id, state)
  await record(request, state === 'active' ? 'webhook.resumed' : 'webhook.paused', name, { id: hook.id })
  await context.webhooks.wake(project.id, hook.id)
  return redirect(`${to}?done=${state === 'active' ? 'resumed' : 'paused'}`)
}

/** Everything that failed again. */
export async function recover(request: ProjectRequest): Promise<Outcome> {
  const { context, project } = request
  const { hook, to, name } = await webhookOf(request)
  if (hook.state !== 'active') return redirect(`${to}?not=inactive`)
  const count = await context.webhooks.deliveries.redeliverFailed(project.id, hook.id)
  if (count > 0) await record(request, 'webhook.redelivered', name, { id: hook.id, count })
  await context.webhooks.wake(project.id, hook.id)
  return redirect(`${to}?done=recovered`)
}

export async function remove(request: ProjectRequest): Promise<Outcome> {
  const { context, project } = request
  const { hook, name } = await webhookOf(request)
  await context.webhooks.webhooks.remove(project.id, hook.id)
  await record(request, 'webhook.removed', name, { id: hook.id })
  return redirect(`${webhooksPath(request)}?done=removed`)
}

/** What can be done to several webhooks at once. */
export const WEBHOOK_BULK: BulkList = {
  path: 'webhooks',
  access: 'manager',
  param: 'webhookId',
  words: (language) => WEBHOOKS[language].bulk,
  async rows({ context, project }) {
    const all = await context.webhooks.webhooks.list(project.id)
    return all.map((hook) => {
      const change = hook.state === 'active' ? 'pause' : 'resume'
      return { id: hook.id, name: webhookName(hook), can: [change, 'remove'] }
    })
  },
  actions: {
    pause: (request) => setState(request, 'paused'),
    resume: (request) => setState(request, 'active'),
    remove,
  },
}
