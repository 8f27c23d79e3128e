import { curlOf, targetOf } from './curl.js'
import { html, inline, prose, type Markup } from './html.ts'
import { fieldsOf, row, typeOf, type Schema } from './schema.ts'

/** What a body has that is a file. */
export const UPLOAD_TYPE = 'application/octet-stream'

/** As much of an OpenAPI operation as the reference shows. */
export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>

export interface Placed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export function operationsOf({
  paths,
}: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}): Placed[] {
  return Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ method: verb.toUpperCase(), path, operation })),
  )
}

/** What a route's part of the reference needs to know of where it stands. */
interface Site {
  readonly baseUrl: string
  readonly hasDashboard: boolean
}

/** One route: what it is for, what it takes, a call that works, and everything it can answer. */
export function article({ method, path, operation }: Placed, { baseUrl, hasDashboard }: Site): Markup {
  const { operationId, summary, description } = operation
  const parameters = ownParameters(operation)
  const body = operation.requestBody?.content['application/json']
  return html`<article id="${operationId}" data-search="${`${method} ${path} ${summary}`.toLowerCase()}">
    <h3><a href="#${operationId}">${summary}</a></h3>
    <p class="route"><span class="method ${method}">${method}</span> <code>${breakable(path)}</code></p>
    <div class="columns">
      <div>
        ${prose(description)} ${parameters.length > 0 && parameterTable(parameters)}
        ${body && html`<h4>Body ${!operation.requestBody?.required && html`<span class="bounds">optional</span>`}</h4>`}
        ${body && fieldsOf(body.schema, `Body of ${summary}`)}
        <h4>Answers</h4>
        ${answers(operation)}
      </div>
      <div class="samples">
        ${sample('Request', curl({ method, path, operation }, baseUrl))} ${sampleAnswer(operation)}
        ${hasDashboard && html`<p><a href="/dashboard/try/${operationId}">Try it in the dashboard</a></p>`}
      </div>
    </div>
  </article>`
}

export function ownParameters({ parameters = [] }: Operation): Parameter[] {
  return parameters.filter((one): one is Parameter => 'name' in one)
}

function parameterTable(parameters: readonly Parameter[]): Markup {
  return html`<h4>Parameters</h4>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Type</th>
            <th scope="col">Notes</th>
          </tr>
        </thead>
        <tbody>
          ${parameters.map((one) =>
            row(one.name, one.schema, one.required ?? false, `In the ${one.in}. ${one.description ?? ''}`),
          )}
        </tbody>
      </table>
    </div>`
}

function answers({ responses }: Operation): Markup {
  return html`<dl class="answers">
    ${Object.entries(responses).map(
      ([status, { description, content }]) =>
        html`<dt class="s${status.slice(0, 1)}">${status}</dt>
          <dd>${inline(description.replaceAll('\n\n', ' '))} ${content && named(content)}</dd>`,
    )}
  </dl>`
}

/** Leads to the schema of an answer, be it the body itself or what its envelope holds. */
function named(content: Content): Markup | null {
  const schema = content['application/json']?.schema
  const inner = schema?.$ref ? schema : schema?.properties?.['data']
  return inner ? html`<span class="bounds">${typeOf(inner)}</span>` : null
}

export function sample(title: string, text: string): Markup {
  return html`<figure>
    <figcaption>${title}<button type="button" class="copy">Copy</button></figcaption>
    <pre tabindex="0"><code>${text}</code></pre>
  </figure>`
}

function sampleAnswer({ responses }: Operation): Markup | null {
  const [status, answer] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  const example = answer?.content?.['application/json']?.example
  return status === undefined || example === undefined ? null : sample(status, JSON.stringify(example, null, 2))
}

/** A call with the examples of the document, as a command line. */
export function curl({ method, path, operation }: Placed, baseUrl: string): string {
  const parameters = ownParameters(operation)
  const inPath = Object.fromEntries(parameters.map((one) => [one.name, exampleOf(one)]))
  const inQuery = parameters
    .filter((one) => one.in === 'query' && one.example !== undefined)
    .map((one) => [one.name, exampleOf(one)] as const)
  const content = operation.requestBody?.content ?? {}
  const json = JSON.stringify(content['application/json']?.example)
  return curlOf({
    method,
    url: baseUrl + targetOf(path, inPath, inQuery),
    key: operation.security.length > 0 ? '$KEY' : null,
    isSocket: operation.responses['101'] !== undefined,
    ...(json !== undefined && { json }),
    ...(UPLOAD_TYPE in content && { file: 'picture.png' }),
  })
}

function exampleOf({ example }: Parameter): string {
  return typeof example === 'string' || typeof example === 'number' ? String(example) : ''
}

/** Long paths break after a slash on a phone. */
export function breakable(path: string): Markup[] {
  return path.split(/(?<=\/)/).map((part) => html`${part}<wbr />`)
}
