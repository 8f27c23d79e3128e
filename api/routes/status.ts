import { z } from 'zod'
import * as envelopes from '../http/envelopes.ts'
import { route } from '../http/route.ts'

export const status = route('getStatus', 'GET /v1/status', {
  summary: "Get the service's status",
  description: 'The only route without a key.',
  tag: 'Service',
  class: 'open',
  envelope: envelopes.bare,
  data: z
    .object({
      status: z.string().describe('Always `ok`.'),
      timestamp: z.iso.datetime(),
      uptime: z.number().describe('Seconds since the service started.'),
      version: z.string(),
      environment: z.string(),
    })
    .meta({ id: 'Status' }),
  example: {
    data: {
      status: 'ok',
      timestamp: '2026-11-21T12:00:00.000Z',
      uptime: 86_400.5,
      version: '1.0.0',
      environment: 'production',
    },
  },
  handle: (_request, { now, version, environment }) => ({
    status: 'ok',
    timestamp: new Date(now()).toISOString(),
    uptime: process.uptime(),
    version,
    environment,
  }),
})
