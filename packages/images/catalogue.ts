import { z } from 'zod'
import type { Effect } from './declaration.ts'
import { filters } from './filters/index.ts'
import { overlays } from './overlays/index.ts'

/** One parameter as people read of it. */
export interface ParameterFacts {
  readonly name: string
  readonly type: 'integer' | 'number' | 'boolean' | 'string'
  readonly description: string
  readonly default?: string | number | boolean
  readonly required: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly pattern?: string
  /** Allowed values. */
  readonly values?: readonly string[]
}

export type EffectFacts = ReturnType<typeof describe>

export const EFFECTS = { filter: filters, overlay: overlays } as const

/** @throws {Error} when there is none of that name; routes and commands know all names. */
export function findEffect(kind: 'filter' | 'overlay', name: string): Effect {
  const found = EFFECTS[kind].find((effect) => effect.name === name)
  if (!found) throw new Error(`There is no ${kind} named ${name}.`)
  return found
}

/** The list entry of an effect, from the declaration that its inputs are checked against. */
export function describe({ name, summary, inputs, params }: Pick<Effect, 'name' | 'summary' | 'inputs' | 'params'>) {
  const schema = z.toJSONSchema(params, { io: 'input', override: showMeaning })
  const required = new Set(schema.required)
  const parameters = Object.entries(schema.properties ?? {}).map(([parameter, shown]) =>
    parameterFacts(parameter, shown as Shown, required.has(parameter)),
  )
  return {
    name,
    summary,
    /** Number of input images. */
    inputs,
    parameters,
  }
}

interface Shown extends Omit<ParameterFacts, 'name' | 'values' | 'required'> {
  readonly enum?: readonly string[]
}

function parameterFacts(name: string, shown: Shown, required: boolean): ParameterFacts {
  return {
    name,
    type: shown.type,
    description: shown.description,
    required,
    ...(shown.default !== undefined && { default: shown.default }),
    ...(shown.minimum !== undefined && { minimum: shown.minimum }),
    ...(shown.maximum !== undefined && { maximum: shown.maximum }),
    ...(shown.maxLength !== undefined && { maxLength: shown.maxLength }),
    ...(shown.pattern !== undefined && { pattern: shown.pattern }),
    ...(shown.enum !== undefined && { values: shown.enum }),
  }
}

/** Text parameters are shown with the type they mean, in the OpenAPI document too. */
function showMeaning(context: { zodSchema: unknown; jsonSchema: object }): void {
  const { override } = (context.zodSchema as z.ZodType).meta() ?? {}
  if (typeof override === 'function') (override as (shown: { jsonSchema: object }) => void)(context)
}
