import {
  schemaName,
  ownParameters,
  successOf,
  UPLOAD_TYPE,
  type Parameter,
  type Placed,
  type Schema,
  type Schemas,
} from './document.ts'
import { boundsOf } from './reference/schema.ts'

/** One route as a form needs it: what can be filled in, and what comes back. */
export interface DocumentedCall {
  readonly id: string
  readonly method: string
  /** The URL path with its parameters in braces. */
  readonly path: string
  readonly needsKey: boolean
  /** Answers over a WebSocket. */
  readonly isSocket: boolean
  readonly inputs: readonly CallInput[]
  readonly body: CallBody | null
  /** Media types of a successful response; JSON comes first. */
  readonly answers: readonly string[]
}

type CallBody =
  | { readonly kind: 'json'; readonly example: Readonly<Record<string, unknown>> }
  | { readonly kind: 'file' }

export interface CallInput {
  readonly place: 'path' | 'query' | 'body'
  readonly name: string
  /** `json`: what has parts of its own. */
  readonly kind: 'text' | 'long' | 'number' | 'boolean' | 'choice' | 'json'
  readonly isRequired: boolean
  readonly description: string
  /** Human-readable limits: `1 to 100, default 10`. */
  readonly bounds: string
  readonly choices: readonly string[]
  readonly example: string
  readonly isWhole: boolean
  readonly minimum: number | null
  readonly maximum: number | null
}

/** Longer texts get more than a line. */
const LONG_CHARACTERS = 1000

export function callOf({ method, path, operation }: Placed, schemas: Schemas): DocumentedCall {
  const { operationId, security, responses, requestBody } = operation
  const content = requestBody?.content ?? {}
  const json = content['application/json']
  const example = (json?.example ?? {}) as Readonly<Record<string, unknown>>
  const isSocket = responses['101'] !== undefined
  // The page has its own way to hand over a key, and headers are for programs.
  const parameters = ownParameters(operation).filter((one) => one.in !== 'header' && !(isSocket && one.name === 'key'))
  return {
    id: operationId,
    method,
    path,
    needsKey: security.length > 0,
    isSocket,
    inputs: [...parameters.map((one) => parameterInput(one, schemas)), ...bodyInputs(json?.schema, example, schemas)],
    body: json ? { kind: 'json', example } : UPLOAD_TYPE in content ? { kind: 'file' } : null,
    answers: Object.keys(successOf(operation)?.[1] ?? {}),
  }
}

function parameterInput(parameter: Parameter, schemas: Schemas): CallInput {
  const { name, in: place, required = false, description, schema, example } = parameter
  const whole = { ...schema, description: description ?? schema.description ?? '' }
  const base = { place: place === 'path' ? 'path' : 'query', name, isRequired: required } as const
  return inputOf(base, resolved(whole, schemas), example)
}

function bodyInputs(
  schema: Schema | undefined,
  example: Readonly<Record<string, unknown>>,
  schemas: Schemas,
): CallInput[] {
  const { properties = {}, required = [] } = schema ? resolved(schema, schemas) : {}
  return Object.entries(properties).map(([name, property]) =>
    inputOf({ place: 'body', name, isRequired: required.includes(name) }, resolved(property, schemas), example[name]),
  )
}

function inputOf(base: Pick<CallInput, 'place' | 'name' | 'isRequired'>, schema: Schema, example: unknown): CallInput {
  const { enum: choices = [], const: only, minimum = null, maximum = null, description = '' } = schema
  return {
    ...base,
    kind: kindOf(schema),
    description,
    bounds: boundsOf(schema),
    choices: (only === undefined ? choices : [only]).map(String),
    example: example === undefined ? '' : typeof example === 'string' ? example : JSON.stringify(example),
    isWhole: schema.type === 'integer',
    minimum,
    maximum,
  }
}

function kindOf({ type, enum: choices, const: only, maxLength = 0 }: Schema): CallInput['kind'] {
  if (choices || only !== undefined) return 'choice'
  if (type === 'boolean') return 'boolean'
  if (type === 'integer' || type === 'number') return 'number'
  if (type !== 'string') return 'json'
  return maxLength > LONG_CHARACTERS ? 'long' : 'text'
}

/** Resolves references and drops `null` from unions. Properties beside a `$ref` take precedence. */
function resolved(schema: Schema, schemas: Schemas): Schema {
  const { $ref, anyOf, ...own } = schema
  if ($ref !== undefined) return { ...resolved(schemas[schemaName($ref)] ?? {}, schemas), ...own }
  const [only, ...others] = (anyOf ?? []).filter(({ type }) => type !== 'null')
  return only && others.length === 0 ? { ...resolved(only, schemas), ...own } : schema
}
