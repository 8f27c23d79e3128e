import type { Context } from 'koa'
import type { AudioNode } from '../../bot/audio/node/protocol.ts'
import type { WorkerHealth } from '../../lib/workers/worker-health.ts'
import { counted } from '../../lib/text.ts'

/**
 * `asleep`: it starts when it is needed. `degraded`: the service does without it. `down`: no request should come here now.
 */
type PartState = 'ok' | 'asleep' | 'degraded' | 'down'

/** A component of the service, as in `/readyz`. */
export interface ServicePart {
  readonly name: string
  readonly state: PartState
  /** The loss meanwhile, or the progress; mostly omitted where it is `ok`. */
  readonly note?: string
}

export type HealthCheck = () => readonly ServicePart[] | Promise<readonly ServicePart[]>

/**
 * Readiness for load balancers: 200 while requests are welcome, 503 once the service stops or cannot answer. A degraded
 * part is reported and does not take the service out of service.
 */
export async function answerReadiness(ctx: Context, check: HealthCheck, isStopping: boolean): Promise<void> {
  const parts = isStopping ? [{ name: 'service', state: 'down', note: 'stopping' } as const] : await check()
  const isDown = parts.some(({ state }) => state === 'down')
  const isWhole = parts.every(({ state }) => state === 'ok' || state === 'asleep')
  ctx.status = isDown ? 503 : 200
  ctx.set('Cache-Control', 'no-store')
  ctx.body = { status: isDown ? 'down' : isWhole ? 'ok' : 'degraded', parts }
}

/** @param note what is lost; omitted if nothing is */
export function part(name: string, state: PartState, note: string): ServicePart {
  return state === 'ok' ? { name, state } : { name, state, note }
}

export function audioPart(nodes: readonly Pick<AudioNode, 'isAlive' | 'isAsleep'>[]): ServicePart {
  if (nodes.every(({ isAsleep }) => isAsleep)) {
    return { name: 'audio', state: 'asleep', note: 'It starts with the next player.' }
  }
  const away = nodes.filter(({ isAlive }) => !isAlive).length
  return part('audio', away === 0 ? 'ok' : 'degraded', `${counted(away, 'audio thread')} down.`)
}

/** Audio threads have a part of their own. */
export function workerParts(workers: readonly WorkerHealth[]): readonly ServicePart[] {
  return workers.flatMap(({ name, state, busy }) => {
    if (busy === null) return []
    return [
      part(
        name,
        state === 'hung' ? 'degraded' : 'ok',
        `It hangs with ${counted(busy, 'task')}; the service is replacing it.`,
      ),
    ]
  })
}
