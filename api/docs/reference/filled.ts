import { targetOf, typed } from '../assets/call.js'
import type { DocumentedCall, CallInput } from '../calls.ts'
import type { CallToWrite } from './snippets.ts'

/** Form input of a reader, as submitted; empty for the examples. */
export type Filled = URLSearchParams

/** No more of a value comes back into the page. */
const MOST_CHARS = 20_000

/** The name of an input in the form. */
export function fieldName({ place, name }: Pick<CallInput, 'place' | 'name'>): string {
  return `${place}.${name}`
}

/** The submitted value of an input, or its example. */
export function valueOf(filled: Filled, input: CallInput): string {
  return filled.get(fieldName(input))?.slice(0, MOST_CHARS) ?? input.example
}

/** The body as JSON: what was typed, or the example. */
export function jsonOf(filled: Filled, call: DocumentedCall): string {
  const text = filled.get('json')
  if (text !== null && text !== '') return text.slice(0, MOST_CHARS)
  return JSON.stringify(call.body?.kind === 'json' ? call.body.example : {}, null, 2)
}

/** The call as it is filled in. */
export function callToWrite(filled: Filled, call: DocumentedCall, baseUrl: string): CallToWrite {
  const { method, path, needsKey, isSocket, inputs, body } = call
  const some = inputs.map((input) => ({ input, value: valueOf(filled, input) })).filter(({ value }) => value !== '')
  const pairs = (place: CallInput['place']) =>
    some.filter(({ input }) => input.place === place).map(({ input, value }) => [input.name, value] as const)
  const accept = filled.get('accept') ?? ''
  const own = some.filter(({ input }) => input.place === 'body')
  const fields = Object.fromEntries(own.map(({ input, value }) => [input.name, typed(input.kind, value)]))
  const json = filled.get('as') === 'json' ? compact(jsonOf(filled, call)) : JSON.stringify(fields)
  return {
    method,
    url: baseUrl + targetOf(path, Object.fromEntries(pairs('path')), pairs('query')),
    needsKey,
    isSocket,
    ...(call.answers.slice(1).includes(accept) && { accept }),
    ...(body?.kind === 'json' && { json }),
    ...(body?.kind === 'file' && { file: 'picture.png' }),
  }
}

/** On one line, unless it is no JSON. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}
