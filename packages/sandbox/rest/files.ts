import type { ServerResponse } from 'node:http'
import type { World } from '../world/world.ts'

/** `/attachments/{channel}/{id}/{name}`: what someone uploaded, as long as it is kept. */
export function serveAttachment(world: World, segments: readonly string[], response: ServerResponse): void {
  const [, id = ''] = segments
  const file = world.files.get(id)
  if (!file) {
    response.writeHead(404, { 'content-type': 'text/plain' })
    response.end('This file does not exist.\n')
    return
  }
  response.writeHead(200, {
    'content-type': file.type || 'application/octet-stream',
    'content-length': file.bytes.length,
    // Whatever it is, no browser runs it here.
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  })
  response.end(file.bytes)
}
