import { hasList, inputSchemaOf, type ApiDocument } from './input-schema.ts'
import type { Route } from '../http/route.ts'

/** A route as a tool of the Model Context Protocol: what agents see of it, and how its arguments become a request. */
export type RouteTool = ReturnType<typeof toolOf>

const CURSOR = {
  type: 'string',
  description: 'Cursor of an earlier partial result, for the items that follow.',
} as const

/** The name of an area as a URL writes it: `block-game`. */
export function areaOf(tag: Route['tag']): string {
  return tag.toLowerCase().replaceAll(' ', '-')
}

/** Why a route is not a tool; null if it is one. */
export function exclusionOf({ class: routeClass, upload, file }: Route): string | null {
  if (routeClass === 'socket') return "Event streams don't fit into the single result of a tool call."
  if (upload) return "Agents can't send files. The GET route of the same path takes the URL of an image."
  if (file !== undefined) return 'It returns a file for people.'
  return null
}

/** @param document the OpenAPI document of the same routes, so tools and reference agree. */
export function toolsOf(routes: readonly Route[], document: ApiDocument): readonly RouteTool[] {
  return routes.filter((route) => exclusionOf(route) === null).map((route) => toolOf(route, document))
}

function toolOf(route: Route, document: ApiDocument) {
  const { id, method, url, summary, description, tag, body } = route
  const all = inputSchemaOf(document, { method, url })
  // A list that is whole unless a limit is given is shown in parts that fit an answer, by the tool's own cursor.
  const inParts = route.isPaged && !all.required?.includes('limit') && !('default' in (all.properties['limit'] ?? {}))
  const left = inParts ? ['limit', 'cursor'] : []
  const inputs = { ...all, properties: without(all.properties, left) }
  const path = Object.keys(route.path?.shape ?? {})
  const query = Object.keys(route.query?.shape ?? {}).filter((name) => !left.includes(name))
  const hasCursor = method === 'GET' && !('cursor' in inputs.properties) && hasList(document, { method, url })
  return {
    name: id,
    title: summary,
    description: [`${summary}.`, description].filter(Boolean).join(' '),
    inputSchema: hasCursor ? { ...inputs, properties: { ...inputs.properties, cursor: CURSOR } } : inputs,
    annotations: annotationsOf(route),
    class: route.class,
    /** The area of the reference, as `areaOf` names it. */
    area: areaOf(tag),
    /** `path`, `query` and `body` are the names of the arguments by their place. */
    request: {
      method,
      url,
      path,
      query,
      /** Null: the route reads no body. */
      body: body ? Object.keys(body.shape) : null,
      /** Types of pictures that it answers. */
      produces: route.produces ?? [],
      /** Whether long answers are shown in parts, by an argument `cursor` of the tool and not of the route. */
      hasCursor,
    },
  }
}

function without<T>(record: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}

/** Routes other than music change nothing, with any method. */
function annotationsOf({ method, class: routeClass, idempotent }: Route) {
  const readOnlyHint = method === 'GET' || routeClass !== 'player'
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint && method === 'DELETE',
    idempotentHint: readOnlyHint || (idempotent ?? (method === 'PUT' || method === 'DELETE')),
  }
}
