/** Media type of a body that is a file. */
export const UPLOAD_TYPE = 'application/octet-stream'

/** The part of a JSON Schema that the reference shows. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
}

export type Schemas = Readonly<Record<string, Schema>>

/** The part of the OpenAPI document that the reference shows. */
export interface ReferenceDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly schemas: Schemas }
  readonly 'x-events': Readonly<Record<string, { readonly $ref: string }>>
  readonly 'x-plans': Readonly<Record<string, Readonly<Record<string, number | null>>>>
}

/** The part of an OpenAPI operation that the reference shows. */
export interface DocumentedOperation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly required?: boolean; readonly content: BodyContent }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: BodyContent }>>
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: Schema
}

export type BodyContent = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>

export interface Placed {
  readonly method: string
  readonly path: string
  readonly operation: DocumentedOperation
}

export function operationsOf({ paths }: Pick<ReferenceDocument, 'paths'>): Placed[] {
  return Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ method: verb.toUpperCase(), path, operation })),
  )
}

export function ownParameters({ parameters = [] }: DocumentedOperation): Parameter[] {
  return parameters.filter((one): one is Parameter => 'name' in one)
}

/** The name of a schema that a reference leads to. */
export function schemaName($ref: string): string {
  return $ref.split('/').at(-1) ?? ''
}

/** The named schemas that these parts of the document lead to, directly or through others. */
export function schemasWithin(parts: unknown, all: Schemas): Schemas {
  const found: Record<string, Schema> = {}
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('$ref' in node && typeof node.$ref === 'string' && node.$ref.startsWith('#/components/schemas/')) {
      const name = schemaName(node.$ref)
      const schema = all[name]
      if (schema && !(name in found)) {
        found[name] = schema
        look(schema)
      }
    }
    for (const value of Object.values(node)) look(value)
  }
  look(parts)
  return found
}

/** The first successful response of an operation. */
export function successOf({ responses }: DocumentedOperation): readonly [status: string, content: BodyContent] | null {
  const found = Object.entries(responses).find(([status]) => status.startsWith('2'))
  return found ? [found[0], found[1].content ?? {}] : null
}
