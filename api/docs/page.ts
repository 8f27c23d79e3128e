import { html, inline, prose, type Markup } from './html.ts'
import { article, operationsOf, sample, type Operation, type Placed } from './operation.ts'
import { fieldsOf, typeOf, type Schema } from './schema.ts'

/** As much of the OpenAPI document as the reference shows. */
export interface ReferenceDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema & { readonly examples?: readonly unknown[] }>>
  }
  readonly 'x-events': Readonly<Record<string, { readonly $ref: string }>>
  readonly 'x-plans': Readonly<Record<string, Readonly<Record<string, number | null>>>>
}

/**
 * The reference page of an API, made from its OpenAPI document and nothing else.
 * @param hasDashboard whether there are pages where each route can be tried.
 */
export function renderReference(document: ReferenceDocument, hasDashboard: boolean): string {
  const { info, tags, components } = document
  const baseUrl = document.servers[0]?.url ?? ''
  const placed = operationsOf(document)
  const schemas = Object.entries(components.schemas).filter(([, schema]) => schema.properties)
  const body = html`<a class="skip" href="#main">Skip to the content</a>
    <header class="top">
      <a class="brand" href="/docs">${info.title} <span>API reference</span></a>
      <button type="button" id="theme" aria-label="Switch between light and dark">◐</button>
    </header>
    <div class="page">
      <nav aria-label="Reference">
        <details open>
          <summary>Contents</summary>
          <input type="search" id="filter" placeholder="Filter routes" aria-label="Filter routes" />
          ${contents(tags, placed)}
        </details>
      </nav>
      <main id="main">
        <h1>${info.title} API</h1>
        <p class="lead">
          Version ${info.version} · <code>${baseUrl}</code> · <a href="/openapi.json">OpenAPI document</a>
        </p>
        ${prose(info.description)} ${sample('Try it', firstCall(baseUrl))} ${plans(document['x-plans'])}
        ${tags.map(
          (tag) =>
            html`<section>
              <h2 id="tag-${slug(tag.name)}">${tag.name}</h2>
              ${prose(tag.description)}
              ${placed
                .filter(({ operation }) => operation.tags.includes(tag.name))
                .map((operation) => article(operation, { baseUrl, hasDashboard }))}
              ${tag.name === 'Events' && messages(document)}
            </section>`,
        )}
        <section>
          <h2 id="schemas">Schemas</h2>
          ${schemas.map(
            ([name, schema]) =>
              html`<article id="schema-${name}">
                <h3>${name}</h3>
                ${prose(schema.description)} ${fieldsOf(schema, name)}
              </article>`,
          )}
          ${aliases(components.schemas)}
        </section>
      </main>
    </div>`
  return page(`${info.title} API reference`, body)
}

/** A whole document around some content; style and script come from this server. */
export function page(title: string, body: Markup): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content="${title}" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/docs/style.css" />
        <script type="module" src="/docs/script.js"></script>
      </head>
      <body>
        ${body}
      </body>
    </html>`.markup
}

function contents(tags: ReferenceDocument['tags'], placed: readonly Placed[]): Markup {
  return html`<ul>
    ${tags.map(
      ({ name }) =>
        html`<li>
          <a class="group" href="#tag-${slug(name)}">${name}</a>
          <ul>
            ${placed
              .filter(({ operation }) => operation.tags.includes(name))
              .map(
                ({ method, path, operation }) =>
                  html`<li data-search="${`${method} ${path} ${operation.summary}`.toLowerCase()}">
                    <a href="#${operation.operationId}"
                      ><span class="method ${method}">${method}</span> ${operation.summary}</a
                    >
                  </li>`,
              )}
          </ul>
        </li>`,
    )}
    <li><a class="group" href="#schemas">Schemas</a></li>
  </ul>`
}

function slug(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}

function firstCall(baseUrl: string): string {
  return `KEY='svc.…'\ncurl '${baseUrl}/v1/music/search?q=night%20ferry' -H "Authorization: Bearer $KEY"`
}

function plans(table: ReferenceDocument['x-plans']): Markup {
  const names = Object.keys(table)
  const rows = Object.keys(table[names[0] ?? ''] ?? {})
  return html`<h2 id="plans">Plans</h2>
    <div class="scroll">
      <table class="numbers">
        <caption>
          Requests per minute by class, in total (<code>aggregate</code>), and players at once
        </caption>
        <thead>
          <tr>
            <th scope="col"><span class="hidden">Class</span></th>
            ${names.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                <th scope="row"><code>${row}</code></th>
                ${names.map((name) => html`<td>${table[name]?.[row]?.toLocaleString('en') ?? 'not included'}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

function messages(document: ReferenceDocument): Markup {
  const all = Object.entries(document['x-events'])
  return html`<h3 id="messages">Messages</h3>
    <dl class="messages">
      ${all.map(([type, { $ref }]) => {
        const schema = document.components.schemas[$ref.split('/').at(-1) ?? '']
        return html`<dt>${typeOf({ $ref })} <code>${type}</code></dt>
          <dd>${inline(schema?.description)}</dd>`
      })}
    </dl>`
}

/** Schemas that are no objects still need a place that links can lead to. */
function aliases(schemas: ReferenceDocument['components']['schemas']): Markup[] {
  return Object.entries(schemas)
    .filter(([, schema]) => !schema.properties)
    .map(
      ([name, schema]) =>
        html`<article id="schema-${name}">
          <h3>${name}</h3>
          ${prose(schema.description)}
          <p>${typeOf(schema)}</p>
        </article>`,
    )
}
