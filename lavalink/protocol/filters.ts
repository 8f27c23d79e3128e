import { z } from 'zod'

/** As a client sent them and as `GET` answers them; filters that are not known are ignored. */
export const filtersSchema = z.record(z.string(), z.unknown())

export type LavalinkFilters = z.infer<typeof filtersSchema>
