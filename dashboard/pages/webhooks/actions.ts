import { redirect, type Outcome } from '../../http/route.ts'
import { record, type ProjectVisit } from '../../http/page-request.ts'
import { baseOf, placeOf } from './webhook.ts'

/** Sends a message of no meaning, and leads to what came of it. */
export async function sendTest(visit: ProjectVisit): Promise<Outcome> {
  const { desk, project } = visit
  const { hook, to, name } = placeOf(visit)
  if (hook.state !== 'active') return redirect(`${to}?not=inactive`)
  const id = await desk.webhooks.sendTest(project.id, hook.id)
  if (id === null) return redirect(`${to}?not=full`)
  record(visit, 'webhook.tested', name, { id: hook.id })
  return redirect(`${to}/deliveries/${id}`)
}

export async function setState(visit: ProjectVisit, state: 'active' | 'paused'): Promise<Outcome> {
  const { desk, project } = visit
  const { hook, to, name } = placeOf(visit)
  desk.webhooks.webhooks.setState(project.id, hook.id, state)
  record(visit, state === 'active' ? 'webhook.resumed' : 'webhook.paused', name, { id: hook.id })
  await desk.webhooks.wake(project.id, hook.id)
  return redirect(`${to}?done=${state === 'active' ? 'resumed' : 'paused'}`)
}

/** Everything that failed once more. */
export async function recover(visit: ProjectVisit): Promise<Outcome> {
  const { desk, project } = visit
  const { hook, to, name } = placeOf(visit)
  if (hook.state !== 'active') return redirect(`${to}?not=inactive`)
  const count = desk.webhooks.deliveries.redeliverFailed(project.id, hook.id)
  if (count > 0) record(visit, 'webhook.redelivered', name, { id: hook.id, count })
  await desk.webhooks.wake(project.id, hook.id)
  return redirect(`${to}?done=recovered`)
}

export function remove(visit: ProjectVisit): Outcome {
  const { desk, project } = visit
  const { hook, name } = placeOf(visit)
  desk.webhooks.webhooks.remove(project.id, hook.id)
  record(visit, 'webhook.removed', name, { id: hook.id })
  return redirect(`${baseOf(visit)}?done=removed`)
}
