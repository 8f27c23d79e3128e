import { z } from 'zod'
import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import { ActionPath, RoleplayGif } from '../../../upstream/roleplay/schemas.ts'

const fun = { tag: 'Fun', class: 'fetch', envelope: envelopes.success, invalid: 'bad_request' } as const

export const roleplayActions = route('listRoleplayActions', 'GET /v1/fun/roleplay', {
  ...fun,
  summary: 'List the actions with GIFs',
  data: z.array(z.string()),
  example: { data: ['cuddle', 'hug', 'wave'] },
  handle: (_request, { roleplay }) => roleplay.actions,
})

export const roleplay = route('getRoleplayGif', 'GET /v1/fun/roleplay/{action}', {
  ...fun,
  summary: 'Get a GIF of an action',
  description: 'Returns a random GIF that is safe for all audiences.',
  faults: ['service_unavailable'],
  path: ActionPath,
  data: RoleplayGif,
  example: {
    path: { action: 'hug' },
    data: { action: 'hug', url: 'https://cdn.otakugifs.xyz/gifs/hug/1f2e3d.gif', source: 'otakugifs' },
  },
  handle: ({ path }, { roleplay }) => roleplay.find(path.action),
})
