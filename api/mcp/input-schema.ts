type Json = Readonly<Record<string, unknown>>

/** The part of the OpenAPI document that tools are made from. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

interface DocumentedOperation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Json
}

type Content = Readonly<Record<string, { readonly schema: Json }>>

export interface InputSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly required?: readonly string[]
  readonly additionalProperties: false
  readonly $defs?: Readonly<Record<string, unknown>>
}

interface Place {
  readonly method: string
  readonly url: string
}

const COMPONENTS = '#/components/schemas/'

/**
 * Path, query and body of an operation as the properties of one object.
 * @throws {Error} when two of them have the same name.
 */
export function inputSchemaOf(document: ApiDocument, place: Place): InputSchema {
  const { parameters = [], requestBody } = operationOf(document, place)
  const own = parameters.filter((one): one is Parameter => !('$ref' in one) && one.in !== 'header')
  const body = requestBody && schemaOf(requestBody.content, document)
  const bodyProperties = (body?.['properties'] ?? {}) as Readonly<Record<string, Json>>
  const properties = [
    ...own.map(({ name, description, schema }) => [name, { ...schema, ...(description && { description }) }] as const),
    ...Object.entries(bodyProperties),
  ]
  const names = properties.map(([name]) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice) throw new Error(`${place.method} ${place.url} has two inputs with the name ${twice}.`)
  const ofBody = requestBody?.required === false ? [] : ((body?.['required'] ?? []) as readonly string[])
  const required = [...own.filter((one) => one.required).map(({ name }) => name), ...ofBody]
  const $defs = definitionsOf(properties, document)
  return {
    type: 'object',
    properties: withOwnReferences(Object.fromEntries(properties)) as Record<string, object>,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...(Object.keys($defs).length > 0 && { $defs }),
  }
}

/** Whether the data of an answer is a list or has one at its first level. */
export function hasList(document: ApiDocument, place: Place): boolean {
  const { responses } = operationOf(document, place)
  const answer = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const body = answer?.content && schemaOf(answer.content, document)
  const data = resolve(((body?.['properties'] ?? {}) as Readonly<Record<string, Json>>)['data'] ?? {}, document)
  if (data['type'] === 'array') return true
  const fields = Object.values((data['properties'] ?? {}) as Readonly<Record<string, Json>>)
  return fields.some((field) => resolve(field, document)['type'] === 'array')
}

function operationOf({ paths }: ApiDocument, { method, url }: Place): DocumentedOperation {
  const operation = paths[url]?.[method.toLowerCase()]
  if (!operation) throw new Error(`The OpenAPI document has no ${method} ${url}.`)
  return operation
}

function schemaOf(content: Content, document: ApiDocument): Json | undefined {
  const schema = content['application/json']?.schema
  return schema && resolve(schema, document)
}

function resolve(schema: Json, document: ApiDocument): Json {
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  return resolve((document.components.schemas[$ref.slice(COMPONENTS.length)] ?? {}) as Json, document)
}

/** All schemas that the properties refer to, also indirectly: a tool's schema must be self-contained. */
function definitionsOf(node: unknown, document: ApiDocument, found: Record<string, unknown> = {}) {
  if (typeof node !== 'object' || node === null) return found
  const { $ref } = node as { readonly $ref?: unknown }
  if (typeof $ref === 'string') {
    const name = $ref.slice(COMPONENTS.length)
    if (!(name in found)) {
      const schema = document.components.schemas[name]
      found[name] = withOwnReferences(schema)
      definitionsOf(schema, document, found)
    }
  }
  for (const value of Object.values(node)) definitionsOf(value, document, found)
  return found
}

function withOwnReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withOwnReferences)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).flatMap(([name, value]): [string, unknown][] => {
      // Examples cost the reader more than they tell it.
      if (name === 'examples' || name === 'example') return []
      if (name !== '$ref') return [[name, withOwnReferences(value)]]
      return [[name, String(value).replace(COMPONENTS, '#/$defs/')]]
    }),
  )
}
