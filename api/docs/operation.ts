import { html, inline, prose, type Markup } from './html.ts'
import { fieldsOf, row, typeOf, type Schema } from './schema.ts'

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

/** One route: what it is for, what it takes, a call that works, and everything it can answer. */
export function article({ method, path, operation }: Placed, baseUrl: string): Markup {
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

/** A command line that works when pasted, once KEY is set. */
export function curl({ method, path, operation }: Placed, baseUrl: string): string {
  const parameters = ownParameters(operation)
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(exampleOf(parameters.find((one) => one.name === name))),
  )
  const query = parameters
    .filter((one) => one.in === 'query' && one.example !== undefined)
    .map((one) => `${one.name}=${encodeURIComponent(exampleOf(one))}`)
  const url = `${baseUrl}${target}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const key = operation.security.length > 0 ? ' \\\n  -H "Authorization: Bearer $KEY"' : ''
  if (operation.responses['101']) return `npx wscat -c '${url.replace(/^http/, 'ws')}'${key}`
  const verb = method === 'GET' ? '' : ` -X ${method}`
  const example = operation.requestBody?.content['application/json']?.example
  const json = JSON.stringify(example)?.replaceAll("'", String.raw`'\''`)
  const body = json === undefined ? '' : ` \\\n  -H 'Content-Type: application/json' \\\n  -d '${json}'`
  return `curl${verb} '${url}'${key}${body}`
}

function exampleOf(parameter: Parameter | undefined): string {
  const example = parameter?.example
  return typeof example === 'string' || typeof example === 'number' ? String(example) : ''
}

/** Long paths break after a slash on a phone. */
function breakable(path: string): Markup[] {
  return path.split(/(?<=\/)/).map((part) => html`${part}<wbr />`)
}
