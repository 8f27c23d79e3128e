import { z } from 'zod'
import { FilterSchema } from '../../bot/player/audio-settings/filter-schema.ts'
import type { Filters } from '../../bot/player/audio-settings/filters.ts'

/** As a client sent them and as `GET` answers them; filters that are not known are ignored. */
export const filtersSchema = z.record(z.string(), z.unknown())

export type LavalinkFilters = z.infer<typeof filtersSchema>

/** What of them the audio node knows. */
export function toFilters(filters: LavalinkFilters): Filters {
  const { shape } = FilterSchema
  const known = Object.entries(filters).filter(([name, value]) => {
    const schema = Object.hasOwn(shape, name) ? shape[name as keyof typeof shape] : undefined
    return schema?.safeParse(value).success ?? false
  })
  return FilterSchema.parse(Object.fromEntries(known))
}
