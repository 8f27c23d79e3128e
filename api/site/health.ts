import type { Context } from 'koa'

/** `degraded`: the service does without it. `down`: no request should come here now. */
export type PartState = 'ok' | 'degraded' | 'down'

/** One thing that the service works with, as `/readyz` tells of it. */
export interface Part {
  readonly name: string
  readonly state: PartState
  /** What is lost meanwhile; only where something is. */
  readonly note?: string
}

export type HealthCheck = () => readonly Part[] | Promise<readonly Part[]>

/**
 * For load balancers: 200 while requests are welcome, 503 once the service stops or cannot answer. That
 * a part is degraded is reported and does not take the service out of service.
 */
export async function answerReadiness(ctx: Context, check: HealthCheck, isStopping: boolean): Promise<void> {
  const parts = isStopping ? [{ name: 'service', state: 'down', note: 'stopping' } as const] : await check()
  const isDown = parts.some(({ state }) => state === 'down')
  const isWhole = parts.every(({ state }) => state === 'ok')
  ctx.status = isDown ? 503 : 200
  ctx.set('Cache-Control', 'no-store')
  ctx.body = { status: isDown ? 'down' : isWhole ? 'ok' : 'degraded', parts }
}
