import { z } from 'zod'
import { describeApplication, describeSelf } from '../world/applications.ts'
import { DiscordError } from '../world/errors.ts'
import { parseBody } from './form.ts'
import { ok, param, type OpenCall, type Route } from './route.ts'

const EditSelf = z.looseObject({ username: z.string().min(2).max(32).optional() })
const EditApplication = z.looseObject({ description: z.string().max(400).optional() })

const gatewayUrl = ({ world }: OpenCall) => world.url.replace('http', 'ws')

/** The gateway's address, the bot's own account and application. */
export const ACCOUNT_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/gateway', open: (call) => ok({ url: gatewayUrl(call) }) },
  {
    method: 'GET',
    path: '/gateway/bot',
    handle: (call) =>
      ok({ url: gatewayUrl(call), shards: call.me.shards, session_start_limit: call.startLimit(call.me.id) }),
  },
  { method: 'GET', path: '/users/@me', handle: ({ me }) => ok(describeSelf(me)) },
  {
    method: 'PATCH',
    path: '/users/@me',
    handle({ me, body, world }) {
      const { username } = parseBody(EditSelf, body)
      if (username !== undefined) {
        me.name = username
        me.user.username = username
        world.notices.emit('applications')
      }
      return ok(describeSelf(me))
    },
  },
  {
    method: 'GET',
    path: '/users/{userId}',
    handle(call) {
      const user = call.world.users.get(param(call, 'userId'))
      if (!user) throw new DiscordError('unknownUser')
      return ok(user)
    },
  },
  { method: 'GET', path: '/applications/@me', handle: ({ world, me }) => ok(describeApplication(world, me)) },
  {
    method: 'PATCH',
    path: '/applications/@me',
    handle({ world, me, body }) {
      const { description } = parseBody(EditApplication, body)
      if (description !== undefined) me.description = description
      return ok(describeApplication(world, me))
    },
  },
  { method: 'GET', path: '/oauth2/applications/@me', handle: ({ world, me }) => ok(describeApplication(world, me)) },
]
