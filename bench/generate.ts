import { HOSTILE_TEXTS } from '../test/support/hostile-texts.ts'
import { createRandom } from '../lib/random/seeded-random.ts'

/** Requests made from an OpenAPI document, good ones and bent ones. The same seed makes the same requests. */
export interface Generated {
  readonly operationId: string
  /** Of the operation; what is sent may have another one. */
  readonly verb: string
  readonly url: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface Known {
  /** Values that exist, by the name of the parameter or field: guild ids, channels, tokens, queries. */
  readonly values: Readonly<Record<string, readonly string[]>>
  /** Most requests come with one of these. */
  readonly keys: {
    readonly linked: readonly string[]
    readonly metered: readonly string[]
    readonly bad: readonly string[]
  }
}

type Json = any

const NASTY = [
  ...HOSTILE_TEXTS,
  '𝄞'.repeat(40),
  'e\u0301\u202e',
  '<script>alert(1)</script>',
  '${7*7}{{7*7}}',
  'http://[::1]:6379/',
  'http://169.254.169.254/latest/meta-data',
  '٣٣٣٣٣٣٣٣٣٣٣٣٣٣٣٣٣',
  '9'.repeat(400),
  'x'.repeat(5001),
]

export function createGenerator(document: Json, known: Known, seed: number): () => Generated {
  const random = createRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const chance = (share: number) => random() < share
  const operations = Object.entries<Json>(document.paths).flatMap(([url, verbs]) =>
    Object.entries<Json>(verbs).map(([verb, operation]) => ({ url, verb: verb.toUpperCase(), operation })),
  )

  function resolve(schema: Json): Json {
    const name = schema?.$ref?.split('/').at(-1)
    return name === undefined ? (schema ?? {}) : resolve(document.components.schemas[name])
  }

  function integer(from: number, to: number): number {
    return Math.floor(from + random() * (to - from + 1))
  }

  function anyText(): string {
    if (chance(0.5)) return pick(NASTY)
    const size = integer(0, 30)
    return Array.from({ length: size }, () =>
      String.fromCodePoint(integer(chance(0.8) ? 32 : 0, chance(0.8) ? 126 : 0xd7ff)),
    ).join('')
  }

  function anyJson(depth = 0): Json {
    const kind = integer(0, depth > 2 ? 3 : 5)
    if (kind === 0) return null
    if (kind === 1) return chance(0.5)
    if (kind === 2) return pick([0, -1, 0.5, 1e308, -0, 2 ** 53, 201])
    if (kind === 3) return anyText()
    if (kind === 4) return Array.from({ length: integer(0, 3) }, () => anyJson(depth + 1))
    return Object.fromEntries(Array.from({ length: integer(0, 3) }, () => [anyText(), anyJson(depth + 1)]))
  }

  function good(given: Json, name: string): Json {
    const schema = resolve(given)
    const existing = known.values[name]
    if (existing?.length && chance(0.85)) return pick(existing)
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return pick(schema.enum)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return good(pick(choices), name)
    if (schema.examples && chance(0.5)) return pick(schema.examples)
    const { type } = schema
    if (type === 'boolean') return chance(0.5)
    if (type === 'integer') return integer(schema.minimum ?? 0, Math.min(schema.maximum ?? 1000, 1e6))
    if (type === 'number') return (schema.minimum ?? 0) + random() * ((schema.maximum ?? 100) - (schema.minimum ?? 0))
    if (type === 'array') {
      const length = integer(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, 5))
      return Array.from({ length }, () => good(schema.items, name))
    }
    if (type === 'object') return goodObject(schema)
    return 'a'.repeat(integer(schema.minLength ?? 1, Math.min(schema.maxLength ?? 12, 20)))
  }

  function goodObject(schema: Json): Json {
    const required: readonly string[] = schema.required ?? []
    const names = Object.keys(schema.properties ?? {}).filter((name) => required.includes(name) || chance(0.4))
    return Object.fromEntries(names.map((name) => [name, good(schema.properties[name], name)]))
  }

  /** A tenth of all values are not what they should be. */
  function value(schema: Json, name: string): Json {
    return chance(0.9) ? good(schema, name) : chance(0.6) ? anyText() : anyJson()
  }

  function asText(of: Json): string {
    return encodeURIComponent(
      (typeof of === 'string' ? of : ((JSON.stringify(of) as string | undefined) ?? '')).toWellFormed(),
    )
  }

  function query(parameters: readonly Json[]): string {
    const pairs = parameters
      .filter((one) => one.in === 'query' && (one.required ? chance(0.97) : chance(0.4)))
      .map(
        (one) =>
          `${one.name}=${asText(one.example !== undefined && chance(0.5) ? one.example : value(one.schema, one.name))}`,
      )
    if (chance(0.03)) pairs.push(`${asText(anyText())}=${asText(anyText())}`)
    if (chance(0.02) && pairs[0]) pairs.push(pairs[0])
    if (chance(0.01)) pairs.push('bad=%E0%A4%A')
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`
  }

  function body(operation: Json): string | null {
    const media = operation.requestBody?.content?.['application/json']
    if (!media) return chance(0.02) ? JSON.stringify(anyJson()) : null
    if (chance(0.03))
      return pick(['', '{', 'null', '[]', '"x"', '['.repeat(20_000), '{"__proto__":{"x":1}}', 'x'.repeat(70_000)])
    if (media.example !== undefined && chance(0.3)) return JSON.stringify(media.example)
    const made: Json = goodObject(resolve(media.schema))
    if (made !== null && typeof made === 'object') {
      for (const name of Object.keys(made)) if (chance(0.1)) made[name] = anyJson()
      if (chance(0.05)) made[anyText()] = anyJson()
    }
    return JSON.stringify(made)
  }

  function key(operation: Json): string | null {
    if (chance(0.03)) return pick([...known.keys.bad, null])
    return pick(operation['x-route-class'] === 'player' || chance(0.1) ? known.keys.linked : known.keys.metered)
  }

  return () => {
    const { url, verb, operation } = pick(operations)
    const parameters: readonly Json[] = (operation.parameters ?? []).filter((one: Json) => one.name)
    const path = url.replaceAll(/\{(\w+)\}/g, (_: string, name: string) => {
      const parameter = parameters.find((one) => one.in === 'path' && one.name === name)
      const own = parameter?.example !== undefined && !known.values[name] && chance(0.6)
      return asText(own ? parameter.example : value(parameter?.schema, name))
    })
    const method = chance(0.02) ? pick(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) : verb
    const sent = method === 'GET' || method === 'HEAD' ? null : body(operation)
    const token = key(operation)
    return {
      operationId: operation.operationId,
      verb,
      url,
      method,
      path: path + query(parameters),
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(sent !== null && {
          'content-type': chance(0.98)
            ? 'application/json'
            : pick(['text/plain', 'a/b', 'application/json; charset=x']),
        }),
        ...(chance(0.1) && { 'accept-encoding': pick(['gzip', 'br', 'gzip, br;q=0', '*']) }),
      },
      body: sent,
    }
  }
}
