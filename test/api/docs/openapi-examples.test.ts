import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { describeApi } from '../../../api/docs/openapi.ts'
import { routes } from '../../../api/routes/index.ts'

const PLACE = { version: '1.2.3', baseUrl: 'http://127.0.0.1' }
const document: any = JSON.parse(JSON.stringify(describeApi(routes, PLACE)))
/** Endings that orval, Hey API and openapi-generator give the types of an operation; file names do not tell case apart. */
const MADE_ENDINGS = (
  'Result Params PathParameters Headers Body Request Data Options Response Responses Success Error Errors Default ' +
  'QueryKey QueryResult QueryError MutationResult MutationBody MutationError'
).split(' ')
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'openapi.json')

describe('the OpenAPI document', () => {
  it('has an example on each JSON body and each JSON success, which its own schema accepts', () => {
    const wrong: string[] = []
    let seen = 0
    for (const [pointer, media] of jsonBodies()) {
      seen += 1
      const check = ajv.getSchema(`openapi.json#${pointer}/schema`)
      if (media.example === undefined) wrong.push(`${pointer} has no example`)
      else if (!check?.(media.example)) wrong.push(`${pointer}: ${ajv.errorsText(check?.errors)}`)
    }
    expect(wrong).to.deep.equal([])
    expect(seen).to.be.above(routes.length)
  })

  it('has an example on each refusal that has a body of JSON', () => {
    const without = operations().flatMap(([where, { responses }]) =>
      Object.entries<any>(responses)
        .filter(
          ([status, { content }]) => Number(status) >= 400 && content?.['application/json'] && !hasExample(content),
        )
        .map(([status]) => `${where} ${status}`),
    )
    expect(without).to.deep.equal([])
  })

  it('has no schema with a name that generators make of an operation', () => {
    const names = new Set(Object.keys(document.components.schemas).map((name) => name.toLowerCase()))
    const made = operations().flatMap(([, { operationId, responses }]) =>
      ['', ...MADE_ENDINGS, ...Object.keys(responses)].map((ending) => `${operationId}${ending}`),
    )
    expect(made).to.include.members(['playResult', 'play200'])
    expect(made.filter((name) => names.has(name.toLowerCase()))).to.deep.equal([])
  })

  it('is the same however often it is made', () => {
    expect(JSON.stringify(describeApi(routes, PLACE))).to.equal(JSON.stringify(document))
  })
})

/** Whether the content or its schema has an example. */
function hasExample(content: any): boolean {
  const { schema, example } = content['application/json']
  const named = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema
  return example !== undefined || named.examples !== undefined
}

function operations(): (readonly [where: string, operation: any])[] {
  return Object.entries<any>(document.paths).flatMap(([path, verbs]) =>
    Object.entries<any>(verbs).map(([verb, operation]) => [`/paths/${escaped(path)}/${verb}`, operation] as const),
  )
}

function jsonBodies(): (readonly [pointer: string, media: any])[] {
  const found: (readonly [pointer: string, media: any])[] = []
  for (const [where, { requestBody, responses }] of operations()) {
    const body = requestBody?.content['application/json']
    if (body) found.push([`${where}/requestBody/content/application~1json`, body])
    for (const [status, { content }] of Object.entries<any>(responses)) {
      const media = status.startsWith('2') && content?.['application/json']
      if (media) found.push([`${where}/responses/${status}/content/application~1json`, media])
    }
  }
  return found
}

function escaped(path: string): string {
  return encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))
}
