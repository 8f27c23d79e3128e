import { schemaName, type Schema, type Schemas } from '../document.ts'
import { html, inline, type Markup } from '../../../lib/html.ts'
import type { ReferenceWords } from './words.ts'

/** Objects in objects are shown in place down to here; deeper ones by a link to their own table. */
const DEEPEST = 3

/** Context for tables of fields. */
export interface Shown {
  readonly schemas: Schemas
  readonly words: ReferenceWords
}

/** The type of a schema in words; named ones lead to their own table. */
export function typeOf(schema: Schema): Markup {
  if (schema.$ref) {
    const name = schemaName(schema.$ref)
    return html`<a href="/docs/schemas#schema-${name}">${name}</a>`
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return html`${choices.map((choice, at) => html`${at > 0 && ' or '}${typeOf(choice)}`)}`
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum) {
    return html`${schema.enum.map((value, at) => html`${at > 0 && ' · '}<code>${String(value)}</code>`)}`
  }
  if (schema.items) return html`list of ${typeOf(schema.items)}`
  if (Array.isArray(schema.type)) return html`${schema.type.join(' or ')}`
  return html`${typeof schema.type === 'string' ? schema.type : 'anything'}`
}

/** The bounds of a value, where the document has any. */
export function boundsOf({ minimum, maximum, minLength, maxLength, default: preset }: Schema): string {
  const bounds = [
    between(minimum, maximum, ''),
    between(minLength, maxLength, ' characters'),
    preset === undefined ? '' : `default ${JSON.stringify(preset)}`,
  ]
  return bounds.filter((bound) => bound !== '').join(', ')
}

function between(min: number | undefined, max: number | undefined, unit: string): string {
  if (min === undefined && max === undefined) return ''
  if (max === undefined) return `at least ${min}${unit}`
  return min === undefined ? `at most ${count(max)}${unit}` : `${count(min)} to ${count(max)}${unit}`
}

function count(value: number): string {
  return value.toLocaleString('en')
}

/** A list of an object's fields; those that are objects themselves can be opened in place. */
export function fieldsOf(schema: Schema, shown: Shown, above: readonly string[] = []): Markup {
  const fields = Object.entries(schema.properties ?? {})
  return html`<dl class="fields">
    ${fields.map(([name, field]) => fieldOf(name, field, schema.required?.includes(name) ?? false, { ...shown, above }))}
  </dl>`
}

/** One line of such a list. */
export function fieldOf(
  name: string,
  schema: Schema,
  isRequired: boolean,
  { words, schemas, above = [] }: Shown & { readonly above?: readonly string[] },
): Markup {
  const bounds = boundsOf(schema)
  const inner = innerOf(schema, schemas)
  const isOpenable = inner !== null && above.length < DEEPEST && !above.includes(inner.name)
  return html`<div>
    <dt>
      <code>${name}</code> <span class="bounds" lang="en">${typeOf(schema)}${bounds !== '' && html`, ${bounds}`}</span>
      ${isRequired && html` <span class="required">${words.required}</span>`}
    </dt>
    <dd>
      <span lang="en">${inline(schema.description)}</span>
      ${
        isOpenable &&
        html`<details>
          <summary>${words.fieldsOf} <code>${inner.name}</code></summary>
          ${fieldsOf(inner.schema, { words, schemas }, [...above, inner.name])}
        </details>`
      }
    </dd>
  </div>`
}

/** The object that a value is, or that a list has, or null if it is none. */
function innerOf(schema: Schema, schemas: Schemas): { readonly name: string; readonly schema: Schema } | null {
  const [only, ...others] = (schema.anyOf ?? schema.oneOf ?? [schema]).filter(({ type }) => type !== 'null')
  if (!only || others.length > 0) return null
  if (only.items) return innerOf(only.items, schemas)
  if (only.$ref) {
    const named = schemas[schemaName(only.$ref)]
    return named?.properties ? { name: schemaName(only.$ref), schema: named } : null
  }
  return only.properties ? { name: 'object', schema: only } : null
}
