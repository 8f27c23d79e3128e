import { DiscordError } from '../../world/errors.ts'
import type { Application } from '../../world/world.ts'
import { param, type Call } from '../route.ts'

/** The application of the path: a bot reads and changes only its own. */
export function ownApplication(call: Call): Application {
  if (param(call, 'applicationId') !== call.me.id) throw new DiscordError('missingAccess')
  return call.me
}
