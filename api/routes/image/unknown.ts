import { z } from 'zod'
import { EFFECTS } from 'bandstand-images'
import { Fault } from '../../../lib/errors.ts'
import { findNearest } from '../../../lib/validation/nearest.ts'
import * as envelopes from '../../http/envelopes.ts'
import { route, type Method, type Route } from '../../http/route.ts'

/** The paths of filters and overlays that there are not: refused under the class and the limits of those that there are. */
export const unknownEffectRoutes: readonly Route[] = (['filter', 'overlay'] as const).flatMap((kind) => [
  unknown(kind, 'GET'),
  unknown(kind, 'POST'),
])

function unknown(kind: keyof typeof EFFECTS, method: Method): Route {
  const lists = `/v1/image/${kind}s` as const
  const known = EFFECTS[kind].map(({ name }) => name)
  return route(`${kind}Unknown${method === 'POST' ? 'Upload' : ''}`, `${method} ${lists}/{name}`, {
    summary: `Refuse an unknown ${kind}`,
    tag: 'Images',
    class: 'canvas',
    envelope: envelopes.success,
    path: z.object({ name: z.string() }),
    data: z.null(),
    example: { path: { name: 'none' }, data: null },
    handle({ path: { name } }) {
      const nearest = findNearest(name, known)
      const hint = nearest === null ? '' : ` Did you mean ${nearest}?`
      throw new Fault(
        'not_found',
        `There is no ${kind} ${JSON.stringify(name.slice(0, 64))}.${hint} GET ${lists} lists all.`,
      )
    },
  })
}
