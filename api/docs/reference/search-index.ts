import { FAULT_RESPONSES } from '../../http/errors.ts'
import { ERRORS_PATH } from '../../http/problem.ts'
import { schemaName, operationsOf, ownParameters, type ReferenceDocument, type Schema } from '../document.ts'
import { GERMAN_TERMS } from './german-terms.ts'
import { DOCS_PATH } from './layout.ts'

/** One thing that can be found, as the script's index takes it. */
interface SearchEntry {
  readonly id: string
  readonly kind: 'operation' | 'schema' | 'event' | 'error' | 'guide'
  readonly to: string
  readonly title: string
  /** Text shown below the title. */
  readonly more: string
  /** Names of parameters, fields and codes. */
  readonly names: string
  readonly text: string
}

/** All that the search of the reference knows, as JSON: its entries, and English words for German ones. */
export function searchIndex(document: ReferenceDocument): string {
  const entries = [...operations(document), ...schemas(document), ...events(document), ...errors(), ...guides(document)]
  return JSON.stringify({ entries, terms: GERMAN_TERMS })
}

function operations(document: ReferenceDocument): SearchEntry[] {
  return operationsOf(document).map(({ method, path, operation }) => {
    const { operationId, summary, description = '', tags } = operation
    const body = operation.requestBody?.content['application/json']?.schema
    const fields = Object.keys((body && resolved(body, document)?.properties) ?? {})
    return {
      id: operationId,
      kind: 'operation',
      to: `${DOCS_PATH}/${operationId}`,
      title: summary,
      more: `${method} ${path}`,
      names: [...ownParameters(operation).map(({ name }) => name), ...fields, operationId].join(' '),
      text: `${tags.join(' ')} ${description}`,
    }
  })
}

function resolved(schema: Schema, { components }: ReferenceDocument): Schema | undefined {
  return schema.$ref ? components.schemas[schemaName(schema.$ref)] : schema
}

function schemas({ components }: ReferenceDocument): SearchEntry[] {
  return Object.entries(components.schemas).map(([name, { properties = {}, description = '' }]) => ({
    id: `schema ${name}`,
    kind: 'schema',
    to: `${DOCS_PATH}/schemas#schema-${name}`,
    title: name,
    more: Object.keys(properties).slice(0, 8).join(', '),
    names: Object.keys(properties).join(' '),
    text: [description, ...Object.values(properties).map((property) => property.description ?? '')].join(' '),
  }))
}

function events(document: ReferenceDocument): SearchEntry[] {
  return Object.entries(document['x-events']).map(([type, { $ref }]) => ({
    id: `event ${type}`,
    kind: 'event',
    to: `${DOCS_PATH}/schemas#schema-${schemaName($ref)}`,
    title: type,
    more: 'GET /v1/events',
    names: type,
    text: document.components.schemas[schemaName($ref)]?.description ?? '',
  }))
}

function errors(): SearchEntry[] {
  return Object.entries(FAULT_RESPONSES).map(([fault, { status, code, meaning }]) => ({
    id: `error ${fault}`,
    kind: 'error',
    to: `${ERRORS_PATH}#${code}`,
    title: `${status} ${code}`,
    more: meaning,
    names: `${code} ${status}`,
    text: meaning,
  }))
}

/** The paragraphs of the introduction that begin with a bold word, and the plans. */
function guides({ info }: ReferenceDocument): SearchEntry[] {
  const paragraphs = (info.description ?? '').split(/\n{2,}/)
  const found = paragraphs.flatMap((paragraph) => {
    const [, title, text] = /^\*\*([^*]+)\.\*\*(.*)$/s.exec(paragraph) ?? []
    return title === undefined || text === undefined ? [] : [{ title, text: text.trim() }]
  })
  return [...found, { title: 'Plans', text: 'Requests per minute by class, rate limits, concurrent players.' }].map(
    ({ title, text }) => ({
      id: `guide ${title}`,
      kind: 'guide',
      to: title === 'Plans' ? `${DOCS_PATH}#plans` : DOCS_PATH,
      title,
      more: text.slice(0, 120),
      names: '',
      text,
    }),
  )
}
