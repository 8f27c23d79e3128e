import { callOf, type DocumentedCall } from '../calls.ts'
import {
  schemaName,
  ownParameters,
  successOf,
  type BodyContent,
  type DocumentedOperation,
  type Schema,
  type Schemas,
} from '../document.ts'
import { html, inline, prose, type Markup } from '../../../lib/html.ts'
import { callToWrite, type Filled } from './filled.ts'
import { slug } from './index-page.ts'
import { DOCS_PATH, figure, referencePage, type Outline } from './layout.ts'
import { fieldOf, fieldsOf, typeOf, type Shown } from './schema.ts'
import { snippetsOf } from './snippets.ts'
import { tryForm } from './try-form.ts'
import type { PageLanguage } from '../../../lib/texts/languages.ts'
import { REFERENCE } from './words.ts'

/** An operation with the schemas that it leads to: all that its page is made from. */
export interface OperationData {
  readonly method: string
  readonly path: string
  readonly operation: DocumentedOperation
  readonly schemas: Schemas
}

/** One route: what it is for, what it takes, a call in ten languages, everything it can answer, and a form to call it. */
export function operationPage(
  outline: Outline,
  data: OperationData,
  { language, filled }: { readonly language: PageLanguage; readonly filled: Filled },
): string {
  const { method, path, operation, schemas } = data
  const { operationId, summary, description, tags } = operation
  const call = callOf(data, schemas)
  const body = html`<p class="crumb">
      <a href="${DOCS_PATH}#tag-${slug(tags[0] ?? '')}" lang="en">${tags[0]}</a>
    </p>
    <h1 lang="en">${summary}</h1>
    <p class="route">
      <span class="method ${method}">${method}</span> <code>${breakable(path)}</code> ·
      <a href="#try">${REFERENCE[language].tryIt}</a>
    </p>
    <div class="columns">
      <div>
        <div lang="en">${prose(description)}</div>
        ${inputsOf(operation, { schemas, words: REFERENCE[language] })}
      </div>
      <div class="samples">
        ${snippets(call, outline.baseUrl, filled, language)} ${sampleAnswer(operation, language)}
      </div>
    </div>
    ${tryForm(call, { outline, filled, language })}`
  return referencePage(outline, { title: summary, here: operationId, language, body, scripts: ['try.js'] })
}

function inputsOf(operation: DocumentedOperation, shown: Shown): Markup {
  const w = shown.words
  const parameters = ownParameters(operation)
  const body = operation.requestBody?.content['application/json']
  const isOptional = operation.requestBody && !operation.requestBody.required
  return html`${
      parameters.length > 0 &&
      html`<h2>${w.parameters}</h2>
        <dl class="fields">
          ${parameters.map((one) =>
            fieldOf(
              one.name,
              { ...one.schema, description: `In the ${one.in}. ${one.description ?? ''}` },
              one.required ?? false,
              shown,
            ),
          )}
        </dl>`
    }
    ${body && html`<h2>${w.body} ${isOptional && html`<span class="bounds">${w.optional}</span>`}</h2>`}
    ${body && fieldsOf(resolved(body.schema, shown.schemas), shown)}
    <h2>${w.answers}</h2>
    ${answers(operation)} ${answerFields(operation, shown)}`
}

function resolved(schema: Schema, schemas: Schemas): Schema {
  return schema.$ref ? (schemas[schemaName(schema.$ref)] ?? schema) : schema
}

function answers({ responses }: DocumentedOperation): Markup {
  return html`<dl class="answers" lang="en">
    ${Object.entries(responses).map(
      ([status, { description, content }]) =>
        html`<dt class="s${status.slice(0, 1)}">${status}</dt>
          <dd>${inline(description.replaceAll('\n\n', ' '))} ${content && named(content)}</dd>`,
    )}
  </dl>`
}

/** Leads to the schema of an answer, be it the body itself or what its envelope holds. */
function named(content: BodyContent): Markup | null {
  const schema = content['application/json']?.schema
  const inner = schema?.$ref ? schema : schema?.properties?.['data']
  return inner ? html`<span class="bounds">${typeOf(inner)}</span>` : null
}

function answerFields(operation: DocumentedOperation, shown: Shown): Markup | null {
  const schema = successOf(operation)?.[1]['application/json']?.schema
  if (!schema) return null
  return html`<h2>${shown.words.answerData}</h2>
    ${fieldsOf(resolved(schema, shown.schemas), shown)}`
}

/** All of them at once: those that are not chosen are hidden by the style, and stand below each other without script. */
function snippets(call: DocumentedCall, baseUrl: string, filled: Filled, language: PageLanguage): Markup {
  const w = REFERENCE[language]
  const all = snippetsOf(callToWrite(filled, call, baseUrl))
  const canChoose = !call.isSocket
  return html`<div class="snippets" data-snippets>
    ${
      canChoose &&
      html`<div class="choose-language needs-script">
        <label for="language">${w.request}</label>
        <select id="language" aria-label="${w.language}">
          ${all.map(({ id, label }) => html`<option value="${id}">${label}</option>`)}
        </select>
      </div>`
    }
    ${all.map(
      ({ id, label, code }) =>
        html`<div ${canChoose && { markup: `data-language="${id}"` }}>${figure(language, label, code)}</div>`,
    )}
    ${call.needsKey && html`<button type="button" class="small" data-copy-key hidden>${w.copyWithKey}</button>`}
  </div>`
}

function sampleAnswer(operation: DocumentedOperation, language: PageLanguage): Markup | null {
  const [status, content] = successOf(operation) ?? []
  const example = content?.['application/json']?.example
  if (status === undefined || example === undefined) return null
  return figure(language, `${REFERENCE[language].example} · ${status}`, JSON.stringify(example, null, 2))
}

/** Long paths break after a slash on a phone. */
function breakable(path: string): Markup[] {
  return path.split(/(?<=\/)/).map((part) => html`${part}<wbr />`)
}
