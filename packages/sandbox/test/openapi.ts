import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Exchange } from 'bandstand-sandbox'
import { readTestData } from '../../../test/support/test-data.ts'

interface Operation {
  readonly requestBody?: { readonly content: Record<string, unknown> }
  readonly responses: Record<string, { readonly $ref?: string; readonly content?: Record<string, unknown> }>
}

type Checked = Pick<Exchange, 'method' | 'path' | 'request' | 'multipart' | 'status' | 'response'>

export interface Checker {
  /** One line for each difference between an exchange and Discord's document. */
  (exchange: Checked): string[]
  /** The operations that were checked, as `GET /channels/{}`. */
  readonly checked: Set<string>
}

const escape = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

/** The same for a route of the sandbox and a path of the document, whose parameters have other names. */
export const nameOperation = (method: string, path: string) =>
  `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`

/** All operations of the document, by `nameOperation`. */
export function readOperations(): ReadonlySet<string> {
  const { paths } = readTestData('discord-openapi.json') as { paths: Record<string, Record<string, unknown>> }
  const methods = new Set(['get', 'put', 'post', 'patch', 'delete'])
  return new Set(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => methods.has(method))
        .map((method) => nameOperation(method, path)),
    ),
  )
}

/** An id is a number: `members/search` is no `members/{user_id}`. */
function patternOf(path: string): RegExp {
  const ids = path.replaceAll(/\{\w+_id\}/g, '(?:\\d+|@\\w+)')
  return new RegExp(`^${ids.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

/** Permissions are text in Discord's documentation and in every client, where the document says integers. */
function allowTextForPermissions(node: any): void {
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries<any>(node)) {
    const isBits = ['allow', 'deny', 'permissions'].includes(key) && [value?.type].flat().includes('integer')
    if (isBits) value.type = [...[value.type].flat(), 'string']
    allowTextForPermissions(value)
  }
}

/** Checks REST exchanges against Discord's own OpenAPI document. */
export function createChecker(): Checker {
  const spec = readTestData('discord-openapi.json') as any
  allowTextForPermissions(spec)
  const ajv = new Ajv2020({ strict: false, allErrors: true, unicodeRegExp: false })
  addFormats.default(ajv, ['uri', 'date-time'])
  ajv.addFormat('snowflake', /^(0|[1-9]\d{0,19})$/)
  ajv.addFormat('nonce', /^.{1,25}$/s)
  for (const name of ['int32', 'int64']) ajv.addFormat(name, { type: 'number', validate: Number.isInteger })
  ajv.addFormat('double', { type: 'number', validate: Number.isFinite })
  ajv.addSchema(spec, 'discord')

  const paths = Object.keys(spec.paths)
    .map((path) => ({ path, pattern: patternOf(path) }))
    .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
  const compiled = new Map<string, ValidateFunction>()
  const checked = new Set<string>()

  function problems(pointer: readonly string[], value: unknown): string[] {
    const $ref = `discord#/${pointer.map(escape).join('/')}`
    const validate = compiled.get($ref) ?? ajv.compile({ $ref })
    compiled.set($ref, validate)
    if (validate(value)) return []
    const errors = (validate.errors ?? []).filter(({ keyword }) => !['anyOf', 'oneOf', 'if'].includes(keyword))
    const depth = Math.max(...errors.map(({ instancePath }) => instancePath.split('/').length))
    // Discord's documentation and its real answers give words here, where the document says integers.
    if (errors.some(({ instancePath }) => /^\/errors\/.*\/_errors\/\d+\/code$/.test(instancePath))) return []
    const telling = errors.filter(({ instancePath }) => instancePath.split('/').length >= depth - 1)
    return [...new Set(telling.map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`))].slice(0, 6)
  }

  function check(exchange: Checked): string[] {
    // A fault of a test's own left it without an answer.
    if (exchange.status === 0) return []
    // The sandbox's own word for what it has not.
    if (exchange.status === 501) return []
    const method = exchange.method.toLowerCase()
    const found = paths.find(({ path, pattern }) => pattern.test(exchange.path) && spec.paths[path][method])
    // The sandbox may have what the document lacks; the test of its routes names those.
    if (!found) return []
    const operation = spec.paths[found.path][method] as Operation
    const base = ['paths', found.path, method]
    if (exchange.status < 400) checked.add(nameOperation(method, found.path))
    const isUnchecked = exchange.multipart || exchange.request === undefined || exchange.status >= 400
    const hasJson = operation.requestBody?.content['application/json'] !== undefined
    const request =
      isUnchecked || !hasJson
        ? []
        : problems([...base, 'requestBody', 'content', 'application/json', 'schema'], exchange.request)
    return [
      ...request.map((one) => `request ${one}`),
      ...response(exchange, operation, base).map((one) => `response ${one}`),
    ]
  }

  function response(exchange: Checked, operation: Operation, base: readonly string[]): string[] {
    const exact = String(exchange.status)
    const key = operation.responses[exact] ? exact : `${exact[0]}XX`
    const described = operation.responses[key]
    if (!described) return [`${exchange.status} is not among ${Object.keys(operation.responses).join(', ')}`]
    const shared = described.$ref?.split('/').slice(1)
    const content = shared ? spec.components.responses[shared.at(-1)!].content : described.content
    if (!content) return exchange.response === undefined ? [] : ['has a body where there is none']
    return problems(
      [...(shared ?? [...base, 'responses', key]), 'content', 'application/json', 'schema'],
      exchange.response,
    )
  }

  const run = (exchange: Checked) => check(exchange).map((one) => `${exchange.method} ${exchange.path}: ${one}`)
  return Object.assign(run, { checked })
}

/** The fields that the body of an operation may have in Discord's document, of all its variants. */
export function readFields(method: string, path: string): readonly string[] {
  const spec = readTestData('discord-openapi.json') as any
  const names = new Set<string>()
  const seen = new Set<object>()
  const collect = (given: any): void => {
    const schema = given?.$ref ? spec.components.schemas[given.$ref.split('/').at(-1)] : given
    if (!schema || seen.has(schema)) return
    seen.add(schema)
    for (const name of Object.keys(schema.properties ?? {})) names.add(name)
    for (const part of [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => list ?? [])) collect(part)
  }
  collect(spec.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema)
  return [...names]
}
