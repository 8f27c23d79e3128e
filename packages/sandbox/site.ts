import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { createControl } from './control/control.ts'
import type { Stage } from './control/route.ts'
import { segmentsOf } from './http/router.ts'
import { createOAuth } from './oauth.ts'
import { servePicture } from './rest/pictures.ts'
import { serveAttachment } from './rest/files.ts'
import type { Rest } from './rest/rest.ts'

/** Everything behind the one port, by the first segment of the path. */
export function createSite(stage: Stage, rest: Rest, log: Logger) {
  const control = createControl(stage, log)
  const oauth = createOAuth(stage.world)
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const [first, ...others] = segmentsOf(pathname) ?? []
    if (oauth.wants(request, pathname)) void guarded(oauth.handle(request, response), response, log)
    else if (first === 'attachments') serveAttachment(stage.world, others, response)
    else if (first === 'cdn') servePicture(stage.world, others, response)
    else if (first === 'sandbox') void control(request, response)
    else if (first === '' && others.length === 0) response.writeHead(302, { location: '/sandbox/' }).end()
    else void rest.handle(request, response)
  }
}

async function guarded(work: Promise<void>, response: ServerResponse, log: Logger): Promise<void> {
  try {
    await work
  } catch (err) {
    log.warn({ err }, 'sign-in request failed')
    if (!response.headersSent) response.writeHead(400)
    response.end()
  }
}
