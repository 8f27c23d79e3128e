import type Router from '@koa/router'
import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import type { Registry } from 'prom-client'
import { Fault } from '../../lib/errors.ts'
import { isLocal, isLoopbackUrl } from '../http/client-address.ts'
import { answerReadiness, type HealthCheck } from './health.ts'

const NEEDS_TOKEN = 'Metrics need METRICS_TOKEN if BASE_URL or TRUST_PROXY is set.'

export interface MetricsPage {
  /** Grants access from anywhere; null: only programs of this machine have access. */
  readonly token: string | null
  /** Whether a proxy forwards remote requests over the loopback: then only the token grants access. */
  readonly hasProxy: boolean
  readonly registry: Registry
}

export interface ProbeOptions {
  readonly baseUrl: string
  readonly metrics: MetricsPage
  readonly check: HealthCheck
  /** Aborts when the process begins to close. */
  readonly stopping: AbortSignal
}

/** Adds the routes for monitoring: `/metrics`, `/healthz` and `/readyz`. */
export function addProbes(router: Router, { baseUrl, metrics, check, stopping }: ProbeOptions): void {
  router.get('/metrics', async (ctx) => {
    assertMayLook(ctx.req, metrics.token, metrics.hasProxy || !isLoopbackUrl(baseUrl))
    ctx.body = await metrics.registry.metrics()
    ctx.set({ 'Content-Type': metrics.registry.contentType, 'Cache-Control': 'no-store' })
  })
  router.get('/healthz', (ctx) => {
    ctx.set('Cache-Control', 'no-store')
    ctx.body = 'ok\n'
  })
  router.get('/readyz', (ctx) => answerReadiness(ctx as unknown as Context, check, stopping.aborted))
}

/** @param isPublic whether the service is reachable from outside, through a proxy that may add no header. */
function assertMayLook(req: IncomingMessage, token: string | null, isPublic: boolean): void {
  if (token === null) {
    if (!isPublic && isLocal(req)) return
    throw new Fault(
      'forbidden',
      isPublic ? NEEDS_TOKEN : 'Only programs on this machine can read metrics. To allow others, set METRICS_TOKEN.',
    )
  }
  const expected = Buffer.from(hash('sha256', `Bearer ${token}`, 'hex'))
  const sent = Buffer.from(hash('sha256', req.headers.authorization ?? '', 'hex'))
  if (!timingSafeEqual(sent, expected)) {
    throw new Fault('forbidden', 'Send `Authorization: Bearer <METRICS_TOKEN>`.')
  }
}
