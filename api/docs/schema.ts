import { html, inline, type Markup } from './html.ts'

/** As much of a JSON Schema as the reference shows. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
}

/** The type of a schema in words; named ones lead to their own table. */
export function typeOf(schema: Schema): Markup {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return html`<a href="#schema-${name}">${name}</a>`
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

/** A table of an object's fields. */
export function fieldsOf(schema: Schema, caption: string): Markup {
  const fields = Object.entries(schema.properties ?? {})
  return html`<div class="scroll">
    <table>
      <caption class="hidden">
        ${caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Type</th>
          <th scope="col">Notes</th>
        </tr>
      </thead>
      <tbody>
        ${fields.map(([name, field]) => row(name, field, schema.required?.includes(name) ?? false))}
      </tbody>
    </table>
  </div>`
}

/** One line of such a table. */
export function row(name: string, schema: Schema, required: boolean, description = schema.description): Markup {
  const bounds = boundsOf(schema)
  return html`<tr>
    <th scope="row"><code>${name}</code>${required && html`<span class="required">required</span>`}</th>
    <td>${typeOf(schema)}${bounds !== '' && html`<span class="bounds">${bounds}</span>`}</td>
    <td>${inline(description)}</td>
  </tr>`
}
