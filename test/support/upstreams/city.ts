import { z } from 'zod'
import { createUpstream, type Upstream, type UpstreamSpec } from '../../../upstream/http/client.ts'
import { createTestContext, type TestContext } from './context.ts'
import { startStandIn, type Reply, type StandIn } from './stand-in.ts'

/** Endpoint of the service, with the shape of its answer. */
export const city = { path: '/city', shape: z.object({ city: z.string() }) }

/** An outside service that knows one city, with all that is needed to ask it. */
export interface CityService {
  readonly context: TestContext
  readonly service: StandIn
  /** Given one by one, before its usual answer. */
  replies: Reply[]
  client(spec?: Partial<UpstreamSpec>, context?: TestContext): Upstream
  close(): Promise<void>
}

export async function startCityService(options: Parameters<typeof createTestContext>[0] = {}): Promise<CityService> {
  const context = createTestContext(options)
  const service = await startStandIn(() => at.replies.shift() ?? { json: { city: 'Łódź' } })
  const facts = { name: 'The city service', id: 'cities', baseUrl: service.url, timeoutMs: 2000 }
  const at: CityService = {
    context,
    service,
    replies: [],
    client: (spec = {}, on = context) => createUpstream(on, { ...facts, ...spec }),
    async close() {
      await context.close()
      await service.close()
    },
  }
  return at
}
