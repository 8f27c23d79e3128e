import { z } from 'zod'
import { OPERATIONS } from '../../../../../bot/player/operations.ts'
import { EQUALIZER_HZ, type Filters } from '../../../../../bot/player/audio-settings/filters.ts'

export type FilterName = Exclude<keyof Filters, 'preset'>

/** A number of a filter, with its range. */
export interface FilterField {
  /** The form field: `tremolo.depth`, or `equalizer.0` for the equalizer. */
  readonly field: string
  /** The name in the API: `depth`, or the frequency of a band of the equalizer. */
  readonly name: string
  readonly min: number
  readonly max: number
  readonly usual: number
}

const Range = z.object({ minimum: z.number(), maximum: z.number(), default: z.number().optional() })
const Kinds = z.union([
  z.object({ items: z.object({ properties: z.object({ gain: Range }) }) }),
  z.object({ properties: z.record(z.string(), Range) }),
  Range,
])
const Definition = z.object({
  $defs: z.object({
    Filters: z.object({
      properties: z.object({ preset: z.unknown() }).catchall(z.unknown()),
    }),
  }),
})

const { preset: _, ...filters } = Definition.parse(z.toJSONSchema(OPERATIONS.patch.input, { io: 'input' })).$defs
  .Filters.properties

/** All filters that the API takes, in its order, with its ranges. */
export const FILTER_TABLE: ReadonlyMap<FilterName, readonly FilterField[]> = new Map(
  Object.entries(filters).map(([name, definition]) => [name as FilterName, fieldsOf(name, Kinds.parse(definition))]),
)

function fieldsOf(filter: string, definition: z.output<typeof Kinds>): readonly FilterField[] {
  if ('items' in definition) {
    const { gain } = definition.items.properties
    return EQUALIZER_HZ.map((hz, band) => {
      const name = hz < 1000 ? `${hz} Hz` : `${hz / 1000} kHz`
      return toField(`${filter}.${band}`, name, { ...gain, default: 0 })
    })
  }
  if ('minimum' in definition) return [toField(`${filter}.${filter}`, filter, { ...definition, default: 1 })]
  return Object.entries(definition.properties).map(([name, range]) => toField(`${filter}.${name}`, name, range))
}

function toField(field: string, name: string, range: z.output<typeof Range>): FilterField {
  const { minimum: min, maximum: max, default: usual = min } = range
  return { field, name, min, max, usual }
}

/** Reads the filters of a form: those that are switched on, with their numbers. The player refuses values out of range. */
export function readFilters(form: URLSearchParams): object {
  const on = new Set(form.getAll('on'))
  const chosen = [...FILTER_TABLE].filter(([name]) => on.has(name))
  return Object.fromEntries(
    chosen.map(([name, fields]) => {
      const numbers = fields.map(({ field, name: key, usual }) => [key, Number(form.get(field) ?? usual)] as const)
      if (name === 'volume') return [name, numbers[0]?.[1]]
      if (name !== 'equalizer') return [name, Object.fromEntries(numbers)]
      return [name, numbers.map(([, gain], band) => ({ band, gain })).filter(({ gain }) => gain !== 0)]
    }),
  )
}

/** The current value of a filter's field; its usual value if the filter is off. */
export function valueOf(set: Filters, filter: FilterName, { field, name, usual }: FilterField): number {
  if (filter === 'volume') return set.volume ?? usual
  if (filter === 'equalizer') {
    const band = Number(field.split('.')[1])
    return set.equalizer?.find((it) => it.band === band)?.gain ?? usual
  }
  const numbers: Readonly<Record<string, number>> = set[filter] ?? {}
  return numbers[name] ?? usual
}
