import { FAULT_RESPONSES, PUBLIC_CODES } from '../../http/errors.ts'
import { type ReferenceDocument, schemaName } from '../document.ts'
import { html, inline, prose, type Markup } from '../../../lib/html.ts'
import { DOCS_PATH, figure, referencePage, type Outline } from './layout.ts'
import { fieldsOf, typeOf } from './schema.ts'
import { KEY_PLACEHOLDER } from './snippets.ts'
import type { PageLanguage } from '../../../lib/texts/languages.ts'
import { REFERENCE } from './words.ts'

/** The first page: how the API works, the plans, the errors, and every route by area. */
export function indexPage(document: ReferenceDocument, outline: Outline, language: PageLanguage): string {
  const w = REFERENCE[language]
  const { info } = document
  const about = new Map(document.tags.map(({ name, description }) => [name, description]))
  const body = html`<h1>${info.title} API</h1>
    <p class="lead">
      ${w.version} ${info.version} · <code>${outline.baseUrl}</code> · <a href="/openapi.json">${w.document}</a>
    </p>
    <div lang="en">${prose(info.description)}</div>
    ${figure(language, w.tryIt, firstCall(outline.baseUrl))} ${plans(document['x-plans'], language)}
    ${outline.tags.map(
      ({ name, operations }) =>
        html`<section lang="en">
          <h2 id="tag-${slug(name)}">${name}</h2>
          ${prose(about.get(name))}
          <ul class="routes">
            ${operations.map(
              ({ id, method, path, summary }) =>
                html`<li id="${id}">
                  <a href="${DOCS_PATH}/${id}"
                    ><span class="method ${method}">${method}</span> <span>${summary}</span> <code>${path}</code></a
                  >
                </li>`,
            )}
          </ul>
          ${name === 'Events' && messages(document, language)}
        </section>`,
    )}`
  return referencePage(outline, { title: w.home, here: '', language, body })
}

/** The page that explains each error code: the target of the `type` of a problem. */
export function errorsPage(outline: Outline, language: PageLanguage): string {
  const w = REFERENCE[language]
  const body = html`<h1>${w.errors}</h1>
    <p class="lead">${inline(w.errorsLead)}</p>
    <div lang="en">
      ${PUBLIC_CODES.filter((code) => meaningsOf(code).length > 0).map(
        (code) =>
          html`<h2 id="${code}"><code>${code}</code></h2>
            <dl class="answers">
              ${meaningsOf(code).map(
                ({ status, meaning }) =>
                  html`<dt class="s${String(status).slice(0, 1)}">${status}</dt>
                    <dd>${inline(meaning)}</dd>`,
              )}
            </dl>`,
      )}
    </div>`
  return referencePage(outline, { title: w.errors, here: 'errors', language, body })
}

function meaningsOf(code: string) {
  return Object.values(FAULT_RESPONSES).filter((outcome) => outcome.code === code)
}

/** The tables of all named schemas. */
export function schemasPage(document: ReferenceDocument, outline: Outline, language: PageLanguage): string {
  const w = REFERENCE[language]
  const { schemas } = document.components
  const body = html`<h1>${w.schemas}</h1>
    ${Object.entries(schemas).map(
      ([name, schema]) =>
        html`<article id="schema-${name}">
          <h2><a href="#schema-${name}">${name}</a></h2>
          <div lang="en">${prose(schema.description)}</div>
          ${schema.properties ? fieldsOf(schema, { schemas: {}, words: w }) : html`<p lang="en">${typeOf(schema)}</p>`}
        </article>`,
    )}`
  return referencePage(outline, { title: w.schemas, here: 'schemas', language, body })
}

export function slug(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}

function firstCall(baseUrl: string): string {
  return `curl '${baseUrl}/v1/music/search?q=night%20ferry' \\\n  -H 'Authorization: Bearer ${KEY_PLACEHOLDER}'`
}

function plans(table: ReferenceDocument['x-plans'], language: PageLanguage): Markup {
  const w = REFERENCE[language]
  const names = Object.keys(table)
  const rows = Object.keys(table[names[0] ?? ''] ?? {})
  const cell = (value: number | null | undefined) => value?.toLocaleString(language) ?? w.notIncluded
  return html`<h2 id="plans">${w.plans}</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="${w.plans}">
      <table class="numbers">
        <caption>
          ${w.plansCaption}
        </caption>
        <thead>
          <tr>
            <th scope="col">${w.plansRow}</th>
            ${names.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                <th scope="row"><code>${row}</code></th>
                ${names.map((name) => html`<td>${cell(table[name]?.[row])}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

function messages(document: ReferenceDocument, language: PageLanguage): Markup {
  return html`<h3 id="messages" lang="${language}">${REFERENCE[language].messages}</h3>
    <dl class="messages">
      ${Object.entries(document['x-events']).map(
        ([type, { $ref }]) =>
          html`<dt>${typeOf({ $ref })} <code>${type}</code></dt>
            <dd>${inline(document.components.schemas[schemaName($ref)]?.description)}</dd>`,
      )}
    </dl>`
}
