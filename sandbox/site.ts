import type { IncomingMessage, ServerResponse } from 'node:http'
import { segmentsOf } from './http/router.ts'
import { serveAttachment } from './rest/files.ts'
import type { Rest } from './rest/rest.ts'
import type { World } from './world/world.ts'

/** Everything behind the one port, by the first segment of the path. */
export function createSite({ world, rest }: { world: World; rest: Rest }) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const segments = segmentsOf(pathname) ?? []
    if (segments[0] === 'attachments') return serveAttachment(world, segments.slice(1), response)
    void rest.handle(request, response)
  }
}
