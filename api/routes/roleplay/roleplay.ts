import { z } from 'zod'
import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import { text } from '../../schemas/common.ts'

const fun = { tag: 'Fun', method: 'GET', class: 'fetch', envelope: envelopes.success, invalid: 'bad_request' } as const

export const roleplayActions = route({
  ...fun,
  id: 'listRoleplayActions',
  url: '/v1/fun/roleplay',
  summary: 'List the actions with GIFs',
  data: z.array(z.string()),
  example: { data: ['cuddle', 'hug', 'wave'] },
  handle: (_request, { roleplay }) => roleplay.actions,
})

export const roleplay = route({
  ...fun,
  id: 'getRoleplayGif',
  url: '/v1/fun/roleplay/{action}',
  summary: 'Get a GIF of an action',
  description: 'Returns a random GIF that is safe for all audiences.',
  faults: ['service_unavailable'],
  path: z.object({ action: text(1, 50).meta({ description: 'Name of an action, in any case: `hug`, `High-Five`.' }) }),
  data: z
    .object({ action: z.string(), url: z.string(), source: z.string().meta({ description: 'Provider of the image.' }) })
    .meta({ id: 'RoleplayGif' }),
  example: {
    path: { action: 'hug' },
    data: { action: 'hug', url: 'https://cdn.otakugifs.xyz/gifs/hug/1f2e3d.gif', source: 'otakugifs' },
  },
  handle: ({ path }, { roleplay }) => roleplay.find(path.action),
})
