import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** What the pages about the API need to know of this service. */
export interface Place {
  readonly version: string
  readonly baseUrl: string
}

/** The OpenAPI document as JSON, and the reference that is made from it as HTML. */
export interface Pages {
  readonly openapi: string
  readonly reference: string
}

/** Made in a thread that ends with it: it is more than a tenth of a second of work, and requests must not wait for it. */
export async function makePages({ version, baseUrl }: Place): Promise<Pages> {
  const worker = new Worker(new URL('thread.ts', import.meta.url), { workerData: { version, baseUrl } satisfies Place })
  // Nobody waits for the reference of a service that ends.
  worker.unref()
  const [pages] = (await once(worker, 'message')) as [Pages]
  return pages
}
