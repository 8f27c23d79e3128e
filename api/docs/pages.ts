import { once as nextOf } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { RouteTool } from '../mcp/tools.ts'
import { once } from './lazy.ts'
import type { Outline } from './reference/layout.ts'
import type { PageLanguage } from '../../lib/texts/languages.ts'
import { programFile } from '../../lib/installation.ts'

const HEAP_MIB = 256

/** Facts about this service that the API pages need. */
export interface ServiceFacts {
  readonly version: string
  readonly baseUrl: string
  /** Then a signed-in user can make a key for trying in the reference. */
  readonly hasDashboard: boolean
}

/** All that the site shows of the API. */
export interface Pages {
  /** The OpenAPI document as JSON. */
  readonly openapi: string
  /** The search index of the reference, as JSON. */
  readonly search: string
  readonly outline: Outline
  readonly index: Readonly<Record<PageLanguage, string>>
  readonly errors: Readonly<Record<PageLanguage, string>>
  readonly schemas: Readonly<Record<PageLanguage, string>>
  /** `OperationData` as JSON, by operation; the page is made when it is asked for, with what the reader filled in. */
  readonly operations: ReadonlyMap<string, string>
  /** The routes as tools of the Model Context Protocol. */
  readonly tools: readonly RouteTool[]
}

/** All pages, created on the first request of one. */
export type Docs = () => Promise<Pages>

/** @param place is asked when it is needed: the address is known once the service listens. */
export function openDocs(place: () => ServiceFacts): Docs {
  return once(() => makePages(place()))
}

/** Made in a thread that ends with it: it is more than a tenth of a second of work, and requests must not wait for it. */
async function makePages(place: ServiceFacts): Promise<Pages> {
  const worker = new Worker(programFile('api/docs/thread'), {
    workerData: place,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  })
  // A closing service does not build its reference.
  worker.unref()
  const [pages] = (await nextOf(worker, 'message')) as [Pages]
  return pages
}
