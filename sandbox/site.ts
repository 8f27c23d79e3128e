import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { createControl } from './control/control.ts'
import type { Stage } from './control/route.ts'
import { segmentsOf } from './http/router.ts'
import { serveAttachment } from './rest/files.ts'
import type { Rest } from './rest/rest.ts'

/** Everything behind the one port, by the first segment of the path. */
export function createSite(stage: Stage, rest: Rest, log: Logger) {
  const control = createControl(stage, log)
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const [first, ...others] = segmentsOf(pathname) ?? []
    if (first === 'attachments') serveAttachment(stage.world, others, response)
    else if (first === 'sandbox') void control(request, response)
    else if (first === '' && others.length === 0) response.writeHead(302, { location: '/sandbox/' }).end()
    else void rest.handle(request, response)
  }
}
