import { once as nextOf } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { RouteTool } from '../mcp/tools.ts'
import type { Call } from './code-samples.ts'
import { once } from './lazy.ts'

const HEAP_MIB = 256

/** What the pages about the API need to know of this service. */
export interface Place {
  readonly version: string
  readonly baseUrl: string
  /** Then the reference leads to its page for trying. */
  readonly hasDashboard: boolean
}

/** The OpenAPI document as JSON, the reference that is made from it as HTML, and the routes for forms and for agents. */
export interface Pages {
  readonly openapi: string
  readonly reference: string
  readonly calls: readonly Call[]
  /** The routes as tools of the Model Context Protocol. */
  readonly tools: readonly RouteTool[]
}

/** All of them, made when one is first asked for. */
export type Docs = () => Promise<Pages>

/** @param place is asked when it is needed: the address is known once the service listens. */
export function openDocs(place: () => Place): Docs {
  return once(() => makePages(place()))
}

/** Made in a thread that ends with it: it is more than a tenth of a second of work, and requests must not wait for it. */
async function makePages(place: Place): Promise<Pages> {
  const worker = new Worker(new URL('thread.ts', import.meta.url), {
    workerData: place,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  })
  // A closing service does not build its reference.
  worker.unref()
  const [pages] = (await nextOf(worker, 'message')) as [Pages]
  return pages
}
