// The document from which the types of packages/client/ are generated.
import { createHash } from 'node:crypto'
import { describeApi } from './openapi.ts'
import { routes } from '../routes/index.ts'

interface Operation {
  parameters?: readonly { readonly $ref?: string }[]
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>
}

const STAMP = '// document '

/**
 * The OpenAPI document without examples and headers, with one answer for all failures, as JSON text. It is the same as long as no route, parameter or answer changes its shape. */
export function clientDocument(): string {
  const whole = describeApi(routes, { version: '0', baseUrl: 'http://127.0.0.1:8080' })
  const paths = Object.entries(whole.paths ?? {}).map(([path, verbs]) => [
    path,
    Object.fromEntries(Object.entries(verbs).map(([verb, operation]) => [verb, slim(operation as Operation)])),
  ])
  const document = {
    openapi: whole.openapi,
    info: { title: 'Bandstand', version: '0' },
    paths: Object.fromEntries(paths),
    components: { schemas: whole.components?.schemas },
  }
  return JSON.stringify(document, (name, value: unknown) =>
    name === 'example' || name === 'examples' ? undefined : value,
  )
}

/** The stamp of the document that `packages/client/schema.d.ts` must be generated from. */
export function clientStamp(): string {
  return `${STAMP}${createHash('sha256').update(clientDocument()).digest('hex')}`
}

function slim({ parameters = [], responses, ...operation }: Operation): Operation {
  const all = Object.entries(responses)
  const good = all.filter(([status]) => Number(status) < 300)
  const failures = all.filter(([status]) => Number(status) >= 400).map(([, { content }]) => schemaOf(content))
  const kinds = [...new Set(failures.map((schema) => JSON.stringify(schema)))].map(
    (text) => JSON.parse(text) as unknown,
  )
  const schema = kinds.length === 1 ? kinds[0] : { anyOf: kinds }
  const failed = { description: 'A failure.', content: { 'application/json': { schema } } }
  const answers = good.map(([status, { description, content }]) => [
    status,
    { description, ...(content && { content }) },
  ])
  return {
    ...operation,
    // The request id is the client's own business.
    parameters: parameters.filter(({ $ref }) => $ref === undefined),
    responses: { ...Object.fromEntries(answers), ...(kinds.length > 0 && { default: failed }) },
  }
}

function schemaOf(content: Operation['responses'][string]['content']): unknown {
  return content?.['application/json']?.schema ?? { $ref: '#/components/schemas/Error' }
}
